// The files of a call that are indexed, and why the others are not.
import { printablePath } from '../../kernel/clean-path.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { runTask, TaskTooSlow, task } from '../../platform/workers/workers.ts'
import type { ForWhom } from '../chunking/chunk-files.ts'
import type { SiftInput, Verdict } from './filter-task.ts'
import { isIgnoreFile } from './ignore-files.ts'
import type { Candidate, SentFile, Skipped } from './skip-reason.ts'

const lookAt = task<SiftInput, Verdict[]>(new URL('./filter-task.ts', import.meta.url))
const TIMEOUT_MS = 10_000

export type Sifted = { readonly candidates: readonly Candidate[]; readonly skipped: readonly Skipped[] }

export async function sift(files: readonly SentFile[], whom: ForWhom): Promise<Sifted> {
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  for (const [i, verdict] of (await verdictsOn(files, whom)).entries()) {
    const file = files[i]
    if (!file) continue
    if ('sha256' in verdict) candidates.push({ ...file, sha256: verdict.sha256 })
    else skipped.push({ path: printablePath(file.path), reason: verdict.reason })
  }
  return { candidates, skipped }
}

async function verdictsOn(files: readonly SentFile[], whom: ForWhom): Promise<Verdict[]> {
  try {
    return await runTask(lookAt, { files }, { ...whom, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof TaskTooSlow) || !files.some(isIgnoreFile)) throw error
    throw invalidFields({
      path: 'files',
      message: 'has an ignore file whose patterns take too long; send simpler ones, or none',
    })
  }
}
