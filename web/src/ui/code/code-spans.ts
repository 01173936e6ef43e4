// Finds code between backticks in a line of text, in one pass.

export type Piece = { readonly text: string; readonly isCode: boolean }

/** For every run of backticks with a later run of the same length: where that one starts. */
export function closingTicks(text: string): Map<number, number> {
  const closing = new Map<number, number>()
  const nearest = new Map<number, number>()
  for (const run of [...text.matchAll(/`+/g)].toReversed()) {
    const next = nearest.get(run[0].length)
    if (next !== undefined) closing.set(run.index, next)
    nearest.set(run[0].length, run.index)
  }
  return closing
}

/** The text between backticks, without one padding space on each side. */
export const withoutPadding = (code: string): string =>
  code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code

/** Splits a text into prose and code, line by line: a stray backtick affects no other line, and fenced code stays as it is. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let words = ''
  for (const [n, line] of text.split('\n').entries()) {
    if (n > 0) words += '\n'
    const closing = closingTicks(line)
    let at = 0
    for (const { 0: ticks, index } of line.matchAll(/`+/g)) {
      const end = closing.get(index)
      if (index < at || end === undefined) continue
      words += line.slice(at, index)
      if (words !== '') pieces.push({ text: words, isCode: false })
      words = ''
      pieces.push({ text: withoutPadding(line.slice(index + ticks.length, end)), isCode: true })
      at = end + ticks.length
    }
    words += line.slice(at)
  }
  if (words !== '') pieces.push({ text: words, isCode: false })
  return pieces
}

/** Finds bold text and headings. Single stars stay: they may be part of a USSD code. */
export const strongIn = (text: string): { readonly text: string; readonly isStrong: boolean }[] =>
  text
    .split(/(?<!\w)\*\*(?=\S)([^*\n]*[^*\s])\*\*(?!\w)|^#{1,6} +(.+)$/m)
    .map((part, index) => ({ text: part ?? '', isStrong: index % 3 > 0 }))
    .filter((part) => part.text !== '')

/** Plain text without markup, for example for the name of a link. */
export const plainText = (text: string): string =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join('')
