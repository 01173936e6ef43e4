// Runs the CLI in the test process: arguments in, output and exit code out.

import { run } from '../src/run.ts'
import type { Machine } from '../src/system/machine.ts'

export type CommandResult = { code: number; stdout: string; stderr: string }
export type CommandOptions = {
  env?: Record<string, string>
  signal?: AbortSignal
  machine?: Partial<Machine>
  /** The output so far. */
  result?: CommandResult
}

export async function cowrie(
  args: readonly string[],
  {
    env = {},
    signal,
    machine = {},
    result: said = { code: -1, stdout: '', stderr: '' },
  }: CommandOptions = {},
): Promise<CommandResult> {
  // Nobody types and nobody watches, whoever runs the tests.
  const nobody: Partial<Machine> = {
    isStdinTerminal: false,
    isStdoutTerminal: false,
    isStderrTerminal: false,
    width: () => 200,
  }
  const collect = (to: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) =>
      (said[to] += typeof text === 'string' ? text : new TextDecoder().decode(text)),
  })
  said.code = await run({
    args,
    env,
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    machine: { ...nobody, ...machine },
    ...(signal ? { signal } : {}),
  })
  return said
}
