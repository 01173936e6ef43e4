// cowrie resume: continues the last session of this folder, or one by its id.
import type { Command } from '../../command.ts'
import { TERMINAL_OPTIONS } from './options.ts'

export const resume: Command = {
  name: 'resume',
  usage: '[id]',
  summary: 'Continue the last session of this folder. Without a terminal: finish its open turn.',
  args: { min: 0, max: 1 },
  complete: 'sessions',
  options: TERMINAL_OPTIONS,
  async run(context) {
    const { machine, out, args } = context
    const wanted = args[0] ?? 'last'
    if (machine.isStdinTerminal && machine.isStdoutTerminal && !out.json) {
      const { startInteractive } = await import('../../interactive/start.ts')
      await startInteractive(context, wanted)
    } else {
      const { finishOpenTurn } = await import('../../interactive/exec/exec.ts')
      await finishOpenTurn(context, wanted)
    }
  },
}
