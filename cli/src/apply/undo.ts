// Undoes applied edits, if their files have not changed since.
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { readResult, writeResult } from '../results/store.ts'
import { dropJournal } from './files/journal.ts'
import { dropRecord, findRecord } from './files/undo-records.ts'
import { matchesState, removeFolders, writeSteps } from './files/write.ts'
import { openTarget } from './target.ts'

export type UndoResult = { readonly id: string; readonly paths: readonly string[] }

/** Undoes the last applied edits, or these. Throws with exit 9 and changes nothing when a file changed since. */
export async function undo(
  context: Context,
  { id, withoutGit }: { id: string | null; withoutGit: boolean },
): Promise<UndoResult> {
  const { root, home } = await openTarget(context, withoutGit)
  const record = await findRecord(home, id)
  if (!record)
    throw new Failure('nothing_to_undo', id ? `${id} was not applied here.` : 'Nothing was applied here.', {
      next: 'List results with "cowrie runs list".',
    })
  const touched: string[] = []
  for (const { path, after } of record.steps) if (!(await matchesState(root, path, after))) touched.push(path)
  if (touched.length > 0)
    throw new Failure(
      'touched_since',
      `Nothing was undone, because these files changed since ${record.id}: ${touched.join(', ')}.`,
      {
        exit: EXIT.conflict,
        next: `The reverse patch is in ${home}/undo, for manual use.`,
      },
    )
  const steps = record.steps.map(({ path, before, after }) => ({ path, before: after, after: before }))
  await writeSteps(home, context.machine, root, { id: record.id, steps })
  await removeFolders(root, record.folders)
  await dropRecord(home, record)
  await dropJournal(home)
  await markNotApplied(context, record.id)
  return { id: record.id, paths: record.steps.map(({ path }) => path) }
}

/** The result, if it still exists, is no longer applied. */
async function markNotApplied({ paths }: Context, id: string): Promise<void> {
  const result = await readResult(paths, id).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (result) await writeResult(paths, { ...result, appliedAt: null })
}
