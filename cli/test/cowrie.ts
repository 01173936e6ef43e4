// Runs the CLI in the test process: arguments in, output and exit code out.

import { run } from '../src/run.ts'
import type { Machine } from '../src/system/machine.ts'

export type CommandResult = { code: number; stdout: string; stderr: string }
export type CommandOptions = {
  env?: Record<string, string>
  signal?: AbortSignal
  machine?: Partial<Machine>
  /** Receives the output while the command runs. */
  result?: CommandResult
}

export async function cowrie(
  args: readonly string[],
  { env = {}, signal, machine = {}, result = { code: -1, stdout: '', stderr: '' } }: CommandOptions = {},
): Promise<CommandResult> {
  // No terminal, even if the tests run in one.
  const noTerminal: Partial<Machine> = {
    isStdinTerminal: false,
    isStdoutTerminal: false,
    isStderrTerminal: false,
    width: () => 200,
  }
  const collect = (to: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) =>
      (result[to] += typeof text === 'string' ? text : new TextDecoder().decode(text)),
  })
  result.code = await run({
    args,
    env,
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    machine: { ...noTerminal, ...machine },
    ...(signal ? { signal } : {}),
  })
  return result
}
