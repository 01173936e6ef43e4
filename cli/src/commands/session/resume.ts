// cowrie resume: continues the last session of this folder, or one by its id.
import type { Command } from '../../command.ts'
import { showSession } from '../../interactive/show.ts'
import { TERMINAL_OPTIONS } from './options.ts'

export const resume: Command = {
  name: 'resume',
  usage: '[id]',
  summary: 'Continue the last session of this folder. Without a terminal: finish its open turn.',
  args: { min: 0, max: 1 },
  complete: 'sessions',
  options: TERMINAL_OPTIONS,
  openScreen: async (context) => {
    const { machine, out } = context
    return machine.isStdinTerminal && machine.isStdoutTerminal && !out.json ? showSession(context) : null
  },
  async run(context) {
    const wanted = context.args[0] ?? 'last'
    if (context.screen) {
      const { startInteractive } = await import('../../interactive/start.ts')
      await startInteractive(context, wanted)
    } else {
      const { finishOpenTurn } = await import('../../interactive/exec/exec.ts')
      await finishOpenTurn(context, wanted)
    }
  },
}
