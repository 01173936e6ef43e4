// Searches files that are not indexed, such as the changed files of a task. Runs on worker threads.
import { runTask, task } from '../../platform/workers/workers.ts'
import type { SentFile } from '../filter/skip-reason.ts'
import type { TaskContext } from '../task-context.ts'
import type { DefinitionsInput, DefinitionsOutput } from './definitions-task.ts'
import type { RankedExcerpt, RankingInput } from './ranking-task.ts'

export type { DefinitionsOutput, FoundDefinition } from './definitions-task.ts'
export type { RankedExcerpt } from './ranking-task.ts'

const DEFINITIONS = task<DefinitionsInput, DefinitionsOutput>(
  new URL('./definitions-task.ts', import.meta.url),
)
const RANKING = task<RankingInput, RankedExcerpt[]>(new URL('./ranking-task.ts', import.meta.url))
const TIMEOUT_MS = 15_000

/** The definitions of a name. The caller has masked the files and selected those that contain the name. */
export const findDefinitionsIn = (
  files: readonly SentFile[],
  name: string,
  context: TaskContext,
): Promise<DefinitionsOutput> => runTask(DEFINITIONS, { files, name }, { ...context, timeoutMs: TIMEOUT_MS })

/** The excerpts that match the words of the query best. The caller has masked and selected the files. */
export const rankExcerptsOf = (
  files: readonly SentFile[],
  query: string,
  limit: number,
  context: TaskContext,
): Promise<RankedExcerpt[]> =>
  runTask(RANKING, { files, query, limit }, { ...context, timeoutMs: TIMEOUT_MS })
