// Worker task: decides which files are indexed. It reads every character of a call, so it runs on a thread.
import { createHash } from 'node:crypto'
import { findIgnoredPaths } from './ignore-files.ts'
import { findSkipReason, type SentFile, type SkipReason } from './skip-reason.ts'

export type FilterInput = { readonly files: readonly SentFile[] }

/** The reason to skip a file, or its hash. */
export type FilterVerdict = { readonly reason: SkipReason } | { readonly sha256: string }

export function run({ files }: FilterInput): FilterVerdict[] {
  const ignored = findIgnoredPaths(files)
  return files.map((file) => {
    const reason = ignored.has(file.path) ? 'ignored' : findSkipReason(file)
    return reason ? { reason } : { sha256: createHash('sha256').update(file.content).digest('hex') }
  })
}
