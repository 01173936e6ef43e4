// cowrie without a command: a session with the agent in this folder.
import type { Command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { showSession } from '../../interactive/show.ts'
import { TERMINAL_OPTIONS } from './options.ts'

export const session: Command = {
  name: 'session',
  summary: 'Work with the agent in this folder. Same as "cowrie" alone in a terminal.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: TERMINAL_OPTIONS,
  async openScreen(context) {
    const { machine, out } = context
    if (out.json) throw new UsageError('--json works with "cowrie exec".')
    if (!machine.isStdinTerminal || !machine.isStdoutTerminal)
      throw new UsageError('A session needs a terminal. Use "cowrie exec" without one.')
    return showSession(context)
  },
  async run(context) {
    const { startInteractive } = await import('../../interactive/start.ts')
    await startInteractive(context, null)
  },
}
