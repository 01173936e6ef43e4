// Code between backticks within a line of text: found in one pass, whatever the text is.

export type Piece = { readonly text: string; readonly isCode: boolean }

/** For every run of backticks that another one of the same length follows, where the next of them begins. */
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

/** What stands between backticks, without the one blank on each side that keeps them apart from its own. */
export const withoutPadding = (code: string): string =>
  code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code

/** A text in words and code. Each line is read for itself: a stray backtick spoils no other, and what is fenced stays as it is. */
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

/** Words with what is between two pairs of stars, or a heading, told apart. Single stars stay: they may be a code to dial. */
export const strongIn = (text: string): { readonly text: string; readonly isStrong: boolean }[] =>
  text
    .split(/(?<!\w)\*\*(?=\S)([^*\n]*[^*\s])\*\*(?!\w)|^#{1,6} +(.+)$/m)
    .map((part, index) => ({ text: part ?? '', isStrong: index % 3 > 0 }))
    .filter((part) => part.text !== '')

/** For where there is nothing but letters, such as the name of a link. */
export const plainWords = (text: string): string =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join('')
