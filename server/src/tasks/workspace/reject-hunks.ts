// Takes back some hunks of a difference: their old lines replace their new ones, and the other hunks stay.
import { structuredPatch } from 'diff'

/** The numbers in the header of a hunk: `@@ -oldStart,… +newStart,… @@`. */
export type HunkStart = { readonly oldStart: number; readonly newStart: number }

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number]

/**
 * The text without the hunks. `all`: nothing else differs, so this is the earlier state of the file. `unknown`: the difference has no
 * such hunk.
 */
export function rejectHunks(
  before: string,
  after: string,
  rejected: readonly HunkStart[],
  { context, editsMax }: { readonly context: number; readonly editsMax: number },
): { readonly text: string } | 'all' | 'unknown' {
  const compared = structuredPatch('a', 'b', before, after, undefined, undefined, {
    context,
    maxEditLength: editsMax,
  })
  // Too large to compare: one hunk that replaces all lines.
  if (!compared)
    return rejected.every(({ oldStart, newStart }) => oldStart <= 1 && newStart <= 1) ? 'all' : 'unknown'
  const wanted = new Set(rejected.map(keyOf))
  const found = compared.hunks.filter((hunk) => wanted.has(keyOf(shownStart(hunk))))
  if (found.length < wanted.size) return 'unknown'
  if (found.length === compared.hunks.length) return 'all'
  const lines = toLines(after)
  // From the end, so that the positions of earlier hunks stay valid.
  for (const hunk of found.toReversed())
    lines.splice(hunk.newLines === 0 ? 0 : hunk.newStart - 1, hunk.newLines, ...oldLines(hunk))
  return { text: lines.join('') }
}

const keyOf = ({ oldStart, newStart }: HunkStart): string => `${oldStart} ${newStart}`

/** A side without lines is written as the line before it. */
const shownStart = ({ oldStart, oldLines: gone, newStart, newLines: come }: Hunk): HunkStart => ({
  oldStart: gone === 0 ? oldStart - 1 : oldStart,
  newStart: come === 0 ? newStart - 1 : newStart,
})

/** A line that begins with a backslash says that the line before it has no line break. */
const oldLines = ({ lines }: Hunk): string[] =>
  lines.flatMap((line, i) =>
    line.startsWith('-') || line.startsWith(' ')
      ? [line.slice(1) + (lines[i + 1]?.startsWith('\\') ? '' : '\n')]
      : [],
  )

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []
