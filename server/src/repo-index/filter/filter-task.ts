// Which of the files that were sent are indexed, on a thread: all that a call may bring is looked at from its first character
// to its last.
import { createHash } from 'node:crypto'
import { ignoredAmong } from './ignore-files.ts'
import { reasonToSkip, type SentFile, type SkipReason } from './skip-reason.ts'

export type SiftInput = { readonly files: readonly SentFile[] }

/** For each file why it is skipped, or what it is recognised by. */
export type Verdict = { readonly reason: SkipReason } | { readonly sha256: string }

export function run({ files }: SiftInput): Verdict[] {
  const ignored = ignoredAmong(files)
  return files.map((file) => {
    const reason = ignored.has(file.path) ? 'ignored' : reasonToSkip(file)
    return reason ? { reason } : { sha256: createHash('sha256').update(file.content).digest('hex') }
  })
}
