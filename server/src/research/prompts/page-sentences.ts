// The sentences of a page as they stand in it, so that each can be quoted.

import { splitSentences } from '../reading/sentences.ts'

/** A line that ends before this was not broken for want of room. */
const SHORT_LINE = 45
/** What begins something of its own: a heading, an item of a list, a row of a table, a quotation. */
const NEW_BLOCK = /^\s*(?:#{1,6} |[-*•>] |\d{1,3}[.)] |\|)/

/** Each a piece of the text, verbatim; a line break inside counts as a space does. */
export const splitPageSentences = (text: string): string[] =>
  joinWrappedLines(text).flatMap((block) =>
    splitSentences(block).map(({ start, end }) => block.slice(start, end)),
  )

/** Lines that were broken only for want of room, together again. */
function joinWrappedLines(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '' || NEW_BLOCK.test(line)) flush()
    if (line.trim() === '') continue
    lines.push(line)
    if (line.length < SHORT_LINE || line.startsWith('#')) flush()
  }
  flush()
  return blocks
}
