// cowrie undo: takes back the last turn of a session or the last applied edits, whichever is newer.
import { join } from 'node:path'
import { undo as undoApplied } from '../../apply/undo.ts'
import type { Command, Context } from '../../command.ts'
import { Failure } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

export const undo: Command = {
  name: 'undo',
  usage: '[<result>]',
  summary: 'Undo the last turn of a session or the last applied edits, whichever is newer.',
  args: { min: 0, max: 1 },
  complete: 'results',
  options: {
    'no-git': { type: 'boolean', summary: 'Undo edits applied with --no-git.' },
  },
  async run(context) {
    const { args, values, out } = context
    const withoutGit = values['no-git'] === true
    if (args.length === 0 && !withoutGit && (await undoSession(context))) return
    if (args.length === 0 && !withoutGit && context.paths.repository === null)
      throw new Failure('nothing_to_undo', 'No session has changed this folder since the last undo.', {
        next: 'Edits of "cowrie apply --no-git" are undone with --no-git.',
      })
    const undone = await undoApplied(context, { id: args[0] ?? null, withoutGit })
    out.result(undone, [`Undid ${undone.id}: ${undone.paths.join(', ')}.`])
  },
}

/** False if edits were applied after the last change of a session, or no session changed anything. */
async function undoSession(context: Context): Promise<boolean> {
  const { lastChange, newestIn, undoLastTurn } = await import('../../interactive/undo-session.ts')
  const last = await lastChange(context)
  const { repository } = context.paths
  const appliedMs = repository ? await newestIn(join(repository.gitFolder, 'cowrie', 'undo')) : null
  if (last === null || (appliedMs !== null && appliedMs > last.atMs)) return false
  const { restored, conflicts } = await undoLastTurn(context, last)
  const { taskId, title } = last.session
  if (restored.length === 0)
    throw new Failure(
      'touched_since',
      `Nothing was undone, because these files changed since the session "${title}": ${conflicts.join(', ')}.`,
      { exit: EXIT.conflict },
    )
  context.out.result({ id: taskId, paths: restored, conflicts }, [
    `Undid the last turn of the session "${title}": ${restored.join(', ')}.`,
    ...(conflicts.length > 0 ? [`Left alone, because they changed since: ${conflicts.join(', ')}.`] : []),
  ])
  return true
}
