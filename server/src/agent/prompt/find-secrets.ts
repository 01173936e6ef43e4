// Finds secrets in texts: short ones at once, long ones on a worker thread.
import type { SecretSpan } from '@cowrie/analysis/secret-formats/secrets.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import { run as findHere } from './secret-task.ts'

const FIND = task<readonly string[], SecretSpan[][]>(new URL('./secret-task.ts', import.meta.url))
const FIND_MS = 10_000
/** Shorter texts take a few milliseconds, so they are searched on the main thread. */
const INLINE_CHARACTERS = 20_000

/** The secrets of each text. Throws `TaskTimeout` or `busy`; a text that was not searched must not be shown. */
export async function findSecretSpans(
  texts: readonly string[],
  owner: string,
  timeoutMs: number = FIND_MS,
): Promise<SecretSpan[][]> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  if (characters <= INLINE_CHARACTERS) return findHere(texts)
  return runTask(FIND, texts, { timeoutMs, owner })
}
