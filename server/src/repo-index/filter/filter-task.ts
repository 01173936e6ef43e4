// Which of the files that were sent are indexed, on a thread: all that a call may bring is looked at from its first character
// to its last.
import { createHash } from 'node:crypto'
import { findIgnoredPaths } from './ignore-files.ts'
import { findSkipReason, type SentFile, type SkipReason } from './skip-reason.ts'

export type FilterInput = { readonly files: readonly SentFile[] }

/** For each file why it is skipped, or what it is recognised by. */
export type FilterVerdict = { readonly reason: SkipReason } | { readonly sha256: string }

export function run({ files }: FilterInput): FilterVerdict[] {
  const ignored = findIgnoredPaths(files)
  return files.map((file) => {
    const reason = ignored.has(file.path) ? 'ignored' : findSkipReason(file)
    return reason ? { reason } : { sha256: createHash('sha256').update(file.content).digest('hex') }
  })
}
