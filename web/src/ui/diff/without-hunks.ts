// Takes back hunks of a change: their old lines replace their new ones, and the other hunks stay.
import { type Hunk, linesOf } from './diff.ts'

/** `after` is the text that the hunks lead to. */
export function withoutHunks(after: string, hunks: readonly Hunk[]): string {
  const lines = linesOf(after)
  // From the end, so that the positions of earlier hunks stay valid.
  for (const { newStart, newCount, lines: changed } of hunks.toSorted((a, b) => b.newStart - a.newStart))
    lines.splice(
      newCount === 0 ? newStart : newStart - 1,
      newCount,
      ...changed.flatMap(({ kind, text }) => (kind === 'add' ? [] : [text])),
    )
  return lines.join('')
}
