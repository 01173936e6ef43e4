// What a repository itself says is not part of it, by the ignore files that were sent with it.
import { isCleanContextPath } from '../kernel/clean-path.ts'
import { invalidFields } from '../kernel/errors.ts'
import { runTask, TaskTooSlow, task } from '../platform/workers/workers.ts'
import type { IgnoreInput } from './ignore-task.ts'
import { FILE_BYTES_MAX, type SentFile } from './skip.ts'

const findIgnored = task<IgnoreInput, string[]>(new URL('./ignore-task.ts', import.meta.url))
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/
const TIMEOUT_MS = 5_000

export async function ignoredAmong(files: readonly SentFile[]): Promise<ReadonlySet<string>> {
  const paths = files.map(({ path }) => path).filter(isCleanContextPath)
  const ignoreFiles = files
    .filter(({ path, content }) => IGNORE_FILE.test(path) && content.length <= FILE_BYTES_MAX)
    .filter(({ path }) => isCleanContextPath(path))
    .map(({ path, content }) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), text: content }))
  if (ignoreFiles.length === 0) return new Set()
  try {
    return new Set(await runTask(findIgnored, { paths, ignoreFiles }, { timeoutMs: TIMEOUT_MS }))
  } catch (error) {
    if (!(error instanceof TaskTooSlow)) throw error
    throw invalidFields({
      path: 'files',
      message: 'has an ignore file whose patterns take too long; send simpler ones, or none',
    })
  }
}
