// Reads the context of a quote on its page: its sentences, its paragraph and its heading.
import { splitSentences, type TextSpan } from '../reading/sentences.ts'

/** Limit on either side, because a paragraph can be as long as a page. */
const PARAGRAPH_MAX = 1000
const SENTENCE_MAX = 300
const HEADING_MAX = 200

export type QuoteContext = {
  /** The paragraph, with one sentence before and after it. */
  readonly paragraph: string
  /** The quote, extended to whole sentences. */
  readonly sentences: string
  /** The last heading above, or an empty string. */
  readonly heading: string
}

export function quoteContextOf(text: string, { start, end }: TextSpan): QuoteContext {
  const before = text.slice(Math.max(0, start - PARAGRAPH_MAX), start)
  const after = text.slice(end, end + PARAGRAPH_MAX)
  const gapBefore = before.lastIndexOf('\n\n')
  const gapAfter = after.indexOf('\n\n')
  const from = gapBefore < 0 ? start - before.length : start - before.length + gapBefore + 2
  const to = gapAfter < 0 ? end + after.length : end + gapAfter
  return {
    paragraph: [lastSentence(text, from), text.slice(from, to), firstSentence(text, to)].join('\n\n'),
    sentences: wholeSentences(text.slice(from, to), { start: start - from, end: end - from }),
    heading: headingAbove(text, from),
  }
}

function wholeSentences(paragraph: string, { start, end }: TextSpan): string {
  const touched = splitSentences(paragraph).filter((each) => each.start < end && each.end > start)
  return paragraph.slice(
    Math.min(start, touched[0]?.start ?? start),
    Math.max(end, touched.at(-1)?.end ?? end),
  )
}

function lastSentence(text: string, to: number): string {
  const before = text.slice(Math.max(0, to - SENTENCE_MAX), to)
  const last = splitSentences(before).at(-1)
  return last ? before.slice(last.start, last.end) : ''
}

function firstSentence(text: string, from: number): string {
  const after = text.slice(from, from + SENTENCE_MAX)
  const [first] = splitSentences(after)
  return first ? after.slice(first.start, first.end) : ''
}

function headingAbove(text: string, at: number): string {
  const start = text.lastIndexOf('\n#', at) + 1
  const line = text.slice(start, start + HEADING_MAX).split('\n')[0] ?? ''
  return line.startsWith('#') ? line.replace(/^#+\s*/, '') : ''
}
