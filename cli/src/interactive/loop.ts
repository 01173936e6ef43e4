// Reads messages until the user quits: slash commands, commands of the user, and turns of the agent.
import { runByUser } from './run-by-user.ts'
import { showError } from './show-error.ts'
import { commandAtOnce, isSlashCommand, runSlashCommand } from './slash/table.ts'
import { takeMessage } from './take-turn.ts'
import type { TerminalSession } from './terminal-session.ts'

export async function converse(terminal: TerminalSession): Promise<void> {
  const { screen } = terminal
  screen.answerAtOnce((text) => commandAtOnce(terminal, text))
  for (;;) {
    terminal.showStatus()
    const initial = terminal.draft
    terminal.draft = ''
    const message = await screen.readMessage(initial === '' ? {} : { initial })
    if (!message) return
    const text = message.text.trim()
    if (text === '') continue
    try {
      if (text.startsWith('!')) await runByUser(terminal, text.slice(1).trim())
      else if (!isSlashCommand(text)) await takeMessage(terminal, text, terminal.isPlanning ? 'plan' : 'work')
      else if ((await runSlashCommand(terminal, text)) === 'exit') return
    } catch (error) {
      screen.setActivity(null)
      showError(terminal, await terminal.withAmounts(error))
    }
  }
}
