// A text as lines that keep their line ends, so that unchanged parts keep every byte: line ends, byte order mark,
// missing final newline.

export type TextLines = {
  /** Without line ends and without the byte order mark. */
  readonly lines: readonly string[]
  /** The end of each line; '' for a last line without one. */
  readonly ends: readonly string[]
  readonly hasMark: boolean
  /** The most common line end. */
  readonly end: string
}

const BYTE_ORDER_MARK = '\ufeff'

/** Counts lines, and stops at `most` + 1. */
export function countLinesUpTo(text: string, most: number): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= most; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function splitLines(text: string): TextLines {
  const hasMark = text.startsWith(BYTE_ORDER_MARK)
  const body = text.slice(hasMark ? 1 : 0)
  const lines: string[] = []
  const ends: string[] = []
  let start = 0
  for (const { index, 0: end } of body.matchAll(/\r\n|\n|\r/g)) {
    lines.push(body.slice(start, index))
    ends.push(end)
    start = index + end.length
  }
  if (start < body.length) {
    lines.push(body.slice(start))
    ends.push('')
  }
  return { lines, ends, hasMark, end: mostCommon(ends) }
}

/** Replaces the lines from `start` to before `end`. */
export function splice(
  text: TextLines,
  start: number,
  end: number,
  replacement: readonly string[],
): TextLines {
  const ends = replacement.map((line, at) =>
    text.lines[start + at] === line ? text.ends[start + at] : text.end,
  )
  const spliced = {
    ...text,
    lines: [...text.lines.slice(0, start), ...replacement, ...text.lines.slice(end)],
    ends: [...text.ends.slice(0, start), ...ends.map((each) => each || text.end), ...text.ends.slice(end)],
  }
  return withLastEnd(spliced, text.ends.at(-1) ?? text.end)
}

export function joinLines({ lines, ends, hasMark }: TextLines): string {
  return (hasMark ? BYTE_ORDER_MARK : '') + lines.map((line, at) => line + (ends[at] ?? '')).join('')
}

/** A new text for an existing file, with the line ends of the old one. */
export function rewriteInStyle(old: TextLines, body: string): string {
  const { lines } = splitLines(body)
  const all = { ...old, lines, ends: lines.map(() => old.end) }
  return joinLines(old.lines.length === 0 ? all : withLastEnd(all, old.ends.at(-1) ?? old.end))
}

function withLastEnd(text: TextLines, end: string): TextLines {
  const kept = end === '' ? '' : text.ends.at(-1) || text.end
  return text.ends.length === 0 ? text : { ...text, ends: [...text.ends.slice(0, -1), kept] }
}

function mostCommon(ends: readonly string[]): string {
  const count = (end: string) => ends.filter((each) => each === end).length
  const [best = '\n'] = ['\n', '\r\n', '\r'].sort((a, b) => count(b) - count(a))
  return best
}
