// Stores the commit history of a repository. It costs nothing, because nothing is embedded.

import type { Tx } from '../../platform/db/tx.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import { HISTORY_CHARACTERS_MAX, HISTORY_COMMITS_MAX } from '../limits.ts'
import type { RepoKey } from '../repo-key.ts'
import type { HistoryReply, SentHistory } from '../schema.ts'
import { beginChange } from '../sql.ts'
import type { TaskContext } from '../task-context.ts'
import {
  type Commit,
  type HistoryTotals,
  hasFiles,
  readHistory,
  readHistoryTotals,
  saveHistory,
} from './history-sql.ts'

const maskSubjects = task<readonly string[], string[]>(new URL('./mask-subjects-task.ts', import.meta.url))
const TIMEOUT_MS = 10_000

/** Secrets are masked before anything is stored. */
export async function maskHistory(history: SentHistory, context: TaskContext): Promise<SentHistory> {
  const sent = history.commits.map(({ subject }) => subject)
  const subjects = await runTask(maskSubjects, sent, { ...context, timeoutMs: TIMEOUT_MS })
  return {
    ...history,
    commits: history.commits.map(({ paths }, i) => ({
      subject: subjects[i] ?? '',
      paths: paths.map((path) => path.toWellFormed()),
    })),
  }
}

/** `isPreview` stores nothing and assumes that the repository has files. */
export async function storeHistory(
  tx: Tx,
  key: RepoKey,
  { latest, after, commits }: SentHistory,
  isPreview = false,
): Promise<HistoryReply> {
  const totals = await readHistoryTotals(tx, key)
  if (totals?.latest === latest || isPreview) return outcomeOf(totals, { latest, after, commits })
  // Locks the index, so that no other call adds to the same history.
  const version = await beginChange(tx, key.org)
  const known = await readHistory(tx, key)
  const earlier = known?.commits ?? []
  const { outcome } = outcomeOf(known && { ...known, commits: earlier.length }, { latest, after, commits })
  if (outcome !== 'stored') return { outcome, commits: earlier.length }
  if (!(await hasFiles(tx, key))) return { outcome: 'no_files', commits: 0 }
  const kept = newestWithin(after === undefined ? commits : [...commits, ...earlier])
  await saveHistory(tx, key, version, { latest, commits: kept })
  return { outcome, commits: kept.length }
}

function outcomeOf(known: HistoryTotals | undefined, { latest, after, commits }: SentHistory): HistoryReply {
  const before = known?.commits ?? 0
  if (known?.latest === latest) return { outcome: 'unchanged', commits: before }
  if (after !== undefined && after !== known?.latest) return { outcome: 'base_differs', commits: before }
  const all = after === undefined ? commits.length : commits.length + before
  return { outcome: 'stored', commits: Math.min(all, HISTORY_COMMITS_MAX) }
}

/** Limits the number of commits and their size. */
function newestWithin(commits: readonly Commit[]): Commit[] {
  let characters = 0
  const kept: Commit[] = []
  for (const commit of commits) {
    characters += charactersOf(commit)
    if (kept.length === HISTORY_COMMITS_MAX || characters > HISTORY_CHARACTERS_MAX) break
    kept.push(commit)
  }
  return kept
}

const charactersOf = ({ subject, paths }: Commit): number =>
  paths.reduce((sum, { length }) => sum + length, subject.length)
