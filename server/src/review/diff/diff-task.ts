// Worker task: parses a unified diff. A large diff takes seconds.
import type { ScannedFile, SkippedFile } from '@cowrie/analysis/report/finding.ts'
import { assembleText, InvalidPatch, lastLine } from './hunks.ts'
import { type Diff, parseDiff } from './unified.ts'

export type ParsedDiff = {
  /** The new side of each file, as far as the diff shows it. */
  readonly files: readonly ScannedFile[]
  /** Added lines by path. */
  readonly changed: ReadonlyMap<string, ReadonlySet<number>>
  /** Files of which the diff shows only the lines around the changes. */
  readonly partial: readonly string[]
  readonly skipped: readonly SkippedFile[]
}

export type DiffInput = { readonly diff: string; readonly includesText: boolean }

/** Gaps between hunks become blank lines, so a small diff can produce very long files. */
const LINES_MAX = 1_000_000

/** Returns the reason if the text is not a diff. */
export function run({ diff, includesText }: DiffInput): ParsedDiff | { readonly unreadable: string } {
  try {
    return toParsedDiff(requireWithinLimits(parseDiff(diff)), includesText)
  } catch (error) {
    if (error instanceof InvalidPatch) return { unreadable: error.message }
    throw error
  }
}

function toParsedDiff({ files, withoutText }: Diff, includesText: boolean): ParsedDiff {
  return {
    files: includesText ? files.map(({ path, hunks }) => ({ path, content: assembleText(hunks) })) : [],
    changed: new Map(files.map(({ path, hunks }) => [path, hunks.added])),
    partial: includesText ? files.filter(({ isNew }) => !isNew).map(({ path }) => path) : [],
    skipped: withoutText.map(({ path, reason }) => ({ path, reason })),
  }
}

function requireWithinLimits(diff: Diff): Diff {
  const paths = new Set(diff.files.map(({ path }) => path))
  if (paths.size < diff.files.length) throw new InvalidPatch('it contains a file twice')
  const lines = diff.files.reduce((sum, { hunks }) => sum + lastLine(hunks), 0)
  if (lines > LINES_MAX) throw new InvalidPatch(`its files have more than ${LINES_MAX} lines in total`)
  return diff
}
