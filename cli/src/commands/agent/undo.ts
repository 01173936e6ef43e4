// cowrie undo: reverts the last applied edits if their files have not changed since.
import { undo as takeBack } from '../../apply/undo.ts'
import type { Command } from '../../command.ts'

export const undo: Command = {
  name: 'undo',
  usage: '[<result>]',
  summary: 'Undo the last applied edits, if their files have not changed since.',
  args: { min: 0, max: 1 },
  complete: 'results',
  options: {
    'no-git': { type: 'boolean', summary: 'Undo edits applied with --no-git.' },
  },
  async run(context) {
    const { args, values, out } = context
    const undone = await takeBack(context, { id: args[0] ?? null, withoutGit: values['no-git'] === true })
    out.result(undone, [`Undid ${undone.id}: ${undone.paths.join(', ')}.`])
  },
}
