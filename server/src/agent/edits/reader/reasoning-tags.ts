// What a model thinks aloud before it answers, between tags of its own. It weighs edits there that it then does not make.

/** Where what follows an opening tag begins; undefined if the line opens nothing. */
export function findReasoningStart(line: string, isBefore: boolean): number | undefined {
  const tag = OPENING.exec(line.slice(0, LINE_CHARS_MAX))?.[0]
  // Among prose only a line of its own is a tag: otherwise somebody writes about one.
  return tag !== undefined && (isBefore || line.trim() === tag.trim()) ? tag.length : undefined
}

/** Where what follows a closing tag begins; undefined if the line has none. */
export function findReasoningEnd(line: string): number | undefined {
  const found = CLOSING.exec(line)
  return found ? found.index + found[0].length : undefined
}

/** The same for a tag that closes what nothing has opened: it begins its line, or before the first mark ends it. */
export function findUnmatchedEnd(line: string, isBefore: boolean): number | undefined {
  const found = CLOSING.exec(line)
  if (!found) return undefined
  const end = found.index + found[0].length
  const isLast = line.slice(end).trim() === ''
  const isFirst = line.slice(0, found.index).trim() === ''
  const isAllowed = isFirst ? isLast || /^[[<{(*#`]/.test(line.slice(end).trimStart()) : isBefore && isLast
  return isAllowed ? end : undefined
}

/** A line that is such a tag and nothing else. */
export const parseReasoningTag = (line: string): 'opening' | 'closing' | undefined => {
  if (!line.includes('<') || line.length > LINE_CHARS_MAX) return undefined
  const trimmed = line.trim()
  if (/^<(think|thinking|reasoning)>$/i.test(trimmed)) return 'opening'
  return /^<\/(think|thinking|reasoning)>$/i.test(trimmed) ? 'closing' : undefined
}

const LINE_CHARS_MAX = 1_000
const OPENING = /^\s*<(think|thinking|reasoning)>/i
const CLOSING = /<\/(think|thinking|reasoning)>/i
