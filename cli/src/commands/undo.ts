// cowrie undo: what was applied taken back, if nobody has worked on those files since.
import { undo as takeBack } from '../apply/undo.ts'
import type { Command } from '../command.ts'

export const undo: Command = {
  name: 'undo',
  usage: '[<result>]',
  summary: 'Take back what was applied last, if its files are untouched since.',
  args: { min: 0, max: 1 },
  complete: 'results',
  options: {
    'no-git': { type: 'boolean', summary: 'What was applied with --no-git.' },
  },
  async run(context) {
    const { args, values, out } = context
    const undone = await takeBack(context, { id: args[0] ?? null, withoutGit: values['no-git'] === true })
    out.result(undone, [`Undone ${undone.id}: ${undone.paths.join(', ')}.`])
  },
}
