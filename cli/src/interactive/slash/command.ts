// The type of a slash command. The table has them all.
import type { TerminalSession } from '../terminal-session.ts'

export type SlashCommand = {
  /** Without the slash. */
  readonly name: string
  /** The arguments as shown in the help. */
  readonly usage?: string
  readonly summary: string
  /** It only shows something, so it does not wait for the end of a turn. */
  readonly isAtOnce?: true
  /** `exit` ends the session in this terminal. */
  run(terminal: TerminalSession, rest: string): Promise<'exit' | undefined>
}
