// Highlighted code, line by line: a comment over three lines becomes three pieces.
import { highlighted, type Piece } from './highlight.ts'

/** Null where the code stays plain. */
export function highlightedLines(lines: readonly string[], path: string): Piece[][] | null {
  const pieces = highlighted(lines.join('\n'), path.slice(path.lastIndexOf('.') + 1))
  if (!pieces) return null
  const drawn: Piece[][] = [[]]
  for (const { shade, text } of pieces)
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) drawn.push([])
      if (part !== '') drawn.at(-1)?.push({ shade, text: part })
    }
  return drawn
}
