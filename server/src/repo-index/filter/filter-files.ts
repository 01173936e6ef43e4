// Selects the files of a call to index, and the reasons for skipping the others.
import { printablePath } from '@cowrie/workspace/paths/clean-path.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { TaskContext } from '../task-context.ts'
import type { FilterInput, FilterVerdict } from './filter-task.ts'
import { isIgnoreFile } from './ignore-files.ts'
import type { IndexableFile, SentFile, SkippedFile } from './skip-reason.ts'

const filterTask = task<FilterInput, FilterVerdict[]>(new URL('./filter-task.ts', import.meta.url))
const TIMEOUT_MS = 10_000

export type FilterResult = {
  readonly candidates: readonly IndexableFile[]
  readonly skipped: readonly SkippedFile[]
}

export async function filterFiles(files: readonly SentFile[], context: TaskContext): Promise<FilterResult> {
  const candidates: IndexableFile[] = []
  const skipped: SkippedFile[] = []
  for (const [i, verdict] of (await runFilter(files, context)).entries()) {
    const file = files[i]
    if (!file) continue
    if ('sha256' in verdict) candidates.push({ ...file, sha256: verdict.sha256 })
    else skipped.push({ path: printablePath(file.path), reason: verdict.reason })
  }
  return { candidates, skipped }
}

async function runFilter(files: readonly SentFile[], context: TaskContext): Promise<FilterVerdict[]> {
  try {
    return await runTask(filterTask, { files }, { ...context, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof TaskTimeout) || !files.some(isIgnoreFile)) throw error
    throw invalidFields({
      path: 'files',
      message: 'contains an ignore file whose patterns take too long; simplify or remove it',
    })
  }
}
