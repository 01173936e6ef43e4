// What is to be scanned, from what a caller sends: files, a diff, or both.

import type { ScannedFile, Skipped } from '../catalogue/catalogue.ts'
import { invalidFields } from '../kernel/errors.ts'
import { assembled, lastLine, PatchUnreadable } from './diff/hunks.ts'
import { type Diff, readDiff } from './diff/unified.ts'

export type ScanBody = {
  readonly files?: readonly ScannedFile[] | undefined
  readonly diff?: string | undefined
}

export type ScanInput = {
  readonly files: readonly ScannedFile[]
  /** Only what these lines brought is reported; undefined reports everything. */
  readonly changed: ReadonlyMap<string, ReadonlySet<number>> | undefined
  /** Files of which only the lines around the changes are known. */
  readonly partial: readonly string[]
  readonly skipped: readonly Skipped[]
}

/** Gaps between hunks become blank lines, and a small diff can name a line far down in many files. */
const LINES_MAX = 2_000_000

export function scanInput({ files, diff }: ScanBody): ScanInput {
  if (files) requireUnique(files)
  if (diff === undefined) return { files: files ?? [], changed: undefined, partial: [], skipped: [] }
  const read = diffOf(diff)
  const changed = new Map(read.files.map(({ path, hunks }) => [path, hunks.added]))
  const skipped = read.without.map(({ path, reason }) => ({ path, reason }))
  if (files) return { files, changed, partial: [], skipped }
  const partial = read.files.filter(({ isNew }) => !isNew).map(({ path }) => path)
  return {
    files: read.files.map(({ path, hunks }) => ({ path, content: assembled(hunks) })),
    changed,
    partial,
    skipped,
  }
}

function diffOf(text: string): Diff {
  try {
    const diff = readDiff(text)
    const paths = new Set(diff.files.map(({ path }) => path))
    if (paths.size < diff.files.length) throw new PatchUnreadable('it names a file twice')
    const lines = diff.files.reduce((sum, { hunks }) => sum + lastLine(hunks), 0)
    if (lines > LINES_MAX) throw new PatchUnreadable(`its files have more than ${LINES_MAX} lines together`)
    return diff
  } catch (error) {
    if (!(error instanceof PatchUnreadable)) throw error
    throw invalidFields({ path: 'diff', message: `is no unified diff: ${error.message}` })
  }
}

function requireUnique(files: readonly ScannedFile[]): void {
  const seen = new Set<string>()
  for (const [index, { path }] of files.entries()) {
    if (seen.has(path)) throw invalidFields({ path: `files.${index}.path`, message: 'names a file twice' })
    seen.add(path)
  }
}
