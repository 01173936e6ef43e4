// One process for the whole session, in a terminal: types each message when the turn before it has ended.
import { spawn } from 'node:child_process'
import { TIMED, timeIn } from './process.ts'

export type TerminalRun = {
  /** Types a message and waits until the line with the cost of its turn is shown. */
  turn(message: string): Promise<void>
  /** All output so far. */
  output(): string
  /** Quits and returns the CPU time of all processes. */
  end(): Promise<number>
}

const LOOK_MS = 10

export function openTerminalRun(
  command: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number },
): TerminalRun {
  const { cwd, env, timeoutMs } = options
  const line = command.map((word) => `'${word}'`).join(' ')
  const inTerminal = ['script', '-qefc', `stty cols 100 rows 30; exec ${line}`, '/dev/null']
  const child = spawn('bash', ['-c', TIMED, 'bash', ...inTerminal], {
    cwd,
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: 'pipe',
  })
  let output = ''
  let timing = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    timing += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const until = async (isShown: () => boolean): Promise<void> => {
    const startedMs = performance.now()
    while (!isShown()) {
      if (performance.now() - startedMs > timeoutMs)
        throw new Error(`nothing happens:\n${output.slice(-4_000)}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  const costs = () => output.split('Cost ₦').length
  return {
    output: () => output,
    async turn(message) {
      await until(() => output.includes('/help'))
      const before = costs()
      child.stdin.write(`${message}\r`)
      await until(() => costs() > before)
    },
    async end() {
      child.stdin.write('\x04')
      await ended
      return timeIn(timing)
    },
  }
}
