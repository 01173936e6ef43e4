// Recognises the tags around a model's reasoning. Reasoning may contain edits that the model does not make.

/** The position after an opening tag; undefined if the line opens nothing. */
export function findReasoningStart(line: string, isBefore: boolean): number | undefined {
  const tag = OPENING.exec(line.slice(0, LINE_CHARS_MAX))?.[0]
  // Inside prose, only a tag alone on its line counts; otherwise it is a mention.
  return tag !== undefined && (isBefore || line.trim() === tag.trim()) ? tag.length : undefined
}

/** The position after a closing tag; undefined if the line has none. */
export function findReasoningEnd(line: string): number | undefined {
  const found = CLOSING.exec(line)
  return found ? found.index + found[0].length : undefined
}

/** The position after a closing tag that nothing opened. It must start its line or, before the first mark, end it. */
export function findUnmatchedEnd(line: string, isBefore: boolean): number | undefined {
  const found = CLOSING.exec(line)
  if (!found) return undefined
  const end = found.index + found[0].length
  const isLast = line.slice(end).trim() === ''
  const isFirst = line.slice(0, found.index).trim() === ''
  const isAllowed = isFirst ? isLast || /^[[<{(*#`]/.test(line.slice(end).trimStart()) : isBefore && isLast
  return isAllowed ? end : undefined
}

/** Parses a line that is only a tag. */
export const parseReasoningTag = (line: string): 'opening' | 'closing' | undefined => {
  if (!line.includes('<') || line.length > LINE_CHARS_MAX) return undefined
  const trimmed = line.trim()
  if (/^<(think|thinking|reasoning)>$/i.test(trimmed)) return 'opening'
  return /^<\/(think|thinking|reasoning)>$/i.test(trimmed) ? 'closing' : undefined
}

const LINE_CHARS_MAX = 1_000
const OPENING = /^\s*<(think|thinking|reasoning)>/i
const CLOSING = /<\/(think|thinking|reasoning)>/i
