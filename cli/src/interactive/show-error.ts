// Shows a failure in the terminal of a session, as a command would on standard error.
import { UsageError } from '../errors.ts'
import { reportError } from '../report-error.ts'
import { yellow } from '../terminal/line.ts'
import { Output } from '../terminal/output.ts'
import type { Screen } from '../terminal/screen-types.ts'
import type { TerminalSession } from './terminal-session.ts'

/** The session continues. An error that is no failure of the work is thrown. */
export function showError(
  { screen, context }: Pick<TerminalSession, 'screen' | 'context'>,
  error: unknown,
): void {
  // "cowrie help" does not know the commands of a session.
  if (error instanceof UsageError) {
    screen.print([[yellow(error.message)]])
    return
  }
  reportError(error, outputTo(screen), {
    signal: undefined,
    keySource: context.keyFromEnvironment ? 'environment' : context.hasKey ? 'stored' : null,
  })
}

/** An output of commands that prints above the input. */
export function outputTo(screen: Screen): Output {
  let pending = ''
  const sink = {
    write(text: string | Uint8Array) {
      const lines = (pending + (typeof text === 'string' ? text : new TextDecoder().decode(text))).split('\n')
      pending = lines.pop() ?? ''
      if (lines.length > 0) screen.print(lines)
    },
  }
  return new Output(sink, sink, {
    json: false,
    quiet: false,
    color: false,
    live: false,
    terminals: { stdout: false, stderr: false },
    width: () => screen.columns(),
  })
}
