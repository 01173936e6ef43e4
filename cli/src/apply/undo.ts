// What was applied here taken back, as long as nobody has worked on those files since.
import type { Context } from '../command.ts'
import { EXIT } from '../exits.ts'
import { readResult, writeResult } from '../results/store.ts'
import { Failure } from '../wrong.ts'
import { standOn } from './ground.ts'
import { dropJournal } from './journal.ts'
import { dropRecord, findRecord } from './records.ts'
import { isAs, removeFolders, writeSteps } from './write.ts'

export type Undone = { readonly id: string; readonly paths: readonly string[] }

/** Takes back what was applied last, or this one. Throws with exit 9, and has changed nothing, when a file was touched. */
export async function undo(
  context: Context,
  { id, withoutGit }: { id: string | null; withoutGit: boolean },
): Promise<Undone> {
  const { root, home } = await standOn(context, withoutGit)
  const record = await findRecord(home, id)
  if (!record)
    throw new Failure('nothing_to_undo', id ? `${id} was not applied here.` : 'Nothing was applied here.', {
      next: 'See what there is with "cowrie runs list".',
    })
  const touched: string[] = []
  for (const { path, after } of record.steps) if (!(await isAs(root, path, after))) touched.push(path)
  if (touched.length > 0)
    throw new Failure(
      'touched_since',
      `Nothing was undone, because these were changed since ${record.id}: ${touched.join(', ')}.`,
      {
        exit: EXIT.conflict,
        next: `The reverse is a patch in ${home}/undo, to take back by hand what fits.`,
      },
    )
  const steps = record.steps.map(({ path, before, after }) => ({ path, before: after, after: before }))
  await writeSteps(home, context.machine, root, { id: record.id, steps })
  await removeFolders(root, record.folders)
  await dropRecord(home, record)
  await dropJournal(home)
  await forget(context, record.id)
  return { id: record.id, paths: record.steps.map(({ path }) => path) }
}

/** The result, if it is still kept, is not applied any more. */
async function forget({ places }: Context, id: string): Promise<void> {
  const result = await readResult(places, id).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (result) await writeResult(places, { ...result, appliedAt: null })
}
