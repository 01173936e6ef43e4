// All slash commands, in the order of /help.
import { UsageError } from '../../errors.ts'
import { dim } from '../../terminal/line.ts'
import { columns } from '../../terminal/wrap.ts'
import { showError } from '../show-error.ts'
import type { TerminalSession } from '../terminal-session.ts'
import type { SlashCommand } from './command.ts'
import { diff, revert, todo, undo } from './files.ts'
import { budget, cost, model } from './money.ts'
import { pr } from './pull-request.ts'
import { approve, mcp, plan } from './rules.ts'
import { clear, compact, resume, tasks, web } from './sessions.ts'

const help: SlashCommand = {
  name: 'help',
  summary: 'Show this list.',
  isAtOnce: true,
  async run({ screen }) {
    const rows = SLASH_COMMANDS.map(({ name, usage, summary }): [string, string] => [
      `/${name}${usage ? ` ${usage}` : ''}`,
      summary,
    ])
    screen.print([
      ...columns([...rows, ...OTHERS], screen.columns() - 1),
      [dim('Esc stops a turn. Ctrl-D or /exit quits; "cowrie resume" continues.')],
    ])
    return undefined
  },
}

const OTHERS: readonly [string, string][] = [
  ['!command', 'Run a command yourself, and give its output to the agent if you want.'],
  ['@file', 'Attach a file. The path of an image attaches the image.'],
]

const exit: SlashCommand = {
  name: 'exit',
  summary: 'Quit. "cowrie resume" continues the session.',
  run: async () => 'exit',
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  cost,
  budget,
  model,
  diff,
  undo,
  revert,
  plan,
  approve,
  todo,
  compact,
  clear,
  resume,
  tasks,
  web,
  pr,
  mcp,
  help,
  exit,
]

/** `/name rest`. A path such as `/usr/bin` is no command. */
const SLASH = /^\/([a-z]+)(?:\s+(.*))?$/s

export const isSlashCommand = (text: string): boolean => SLASH.test(text)

/** A command that does not wait for the end of a turn; null for every other message. */
export function commandAtOnce(terminal: TerminalSession, text: string): (() => Promise<void>) | null {
  const [, name = '', rest = ''] = SLASH.exec(text.trim()) ?? []
  const command = SLASH_COMMANDS.find((each) => each.name === name && each.isAtOnce)
  if (!command || rest.trim() !== '') return null
  return () =>
    command.run(terminal, '').then(
      () => undefined,
      (error: unknown) => showError(terminal, error),
    )
}

export async function runSlashCommand(terminal: TerminalSession, text: string): Promise<'exit' | undefined> {
  const [, name = '', rest = ''] = SLASH.exec(text) ?? []
  const command = SLASH_COMMANDS.find(
    (each) => each.name === name || (name === 'quit' && each.name === 'exit'),
  )
  if (!command) {
    const near = SLASH_COMMANDS.filter((each) => each.name.startsWith(name.slice(0, 2)))
    throw new UsageError(
      `There is no command /${name}.${near.length > 0 ? ` Did you mean ${near.map((each) => `/${each.name}`).join(' or ')}?` : ''} /help lists them.`,
    )
  }
  return command.run(terminal, rest.trim())
}
