// The CLI in a real pseudo-terminal, with key presses and the recorded output.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { onTestFinished, vi } from 'vitest'
import { createEmulator } from './emulator.ts'

const COWRIE = fileURLToPath(new URL('../bin/cowrie.mjs', import.meta.url))
const PATIENCE_MS = 20_000

export type Terminal = {
  /** All output so far, including escape codes. */
  readonly raw: () => string
  /** The visible lines, without escape codes, including scrolled ones. */
  readonly screen: () => string
  /** Output with its time in seconds since the start, for a recording. */
  readonly recorded: () => readonly (readonly [number, string])[]
  /** Presses keys: text, `\r` for Enter, `\x03` for Ctrl-C, `\x04` for end of input. */
  press(keys: string): void
  /** Changes the window. */
  resize(columns: number, rows: number): void
  /** Ends the command as a power cut does. */
  kill(): void
  /** Waits until the screen shows this. */
  until(shown: string | RegExp): Promise<void>
  /** The exit code. */
  readonly ended: Promise<number | null>
}

export type TerminalOptions = {
  env?: Record<string, string>
  cwd?: string
  columns?: number
  rows?: number
  /** Another program instead of the CLI from source, such as an installed one. */
  program?: readonly string[]
}

/** `script` provides a pseudo-terminal without a native module. It passes its input on and exits with the code of the command. */
export function openTerminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
  const { env = {}, cwd, columns = 100, rows = 30, program = [process.execPath, COWRIE] } = options
  const line = [...program, ...args].map(quote).join(' ')
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows ${rows}; exec ${line}`, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env.PATH,
      ...COMPILE_CACHE,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const startedAt = performance.now()
  const recorded: [number, string][] = []
  const emulator = createEmulator(columns, rows)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    emulator.feed(text)
    recorded.push([(performance.now() - startedAt) / 1000, text])
  })
  // A command that has exited accepts no keys.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  // After a failed test the command would stay, and the test run would wait for it.
  onTestFinished(() => {
    if (child.exitCode !== null || child.signalCode !== null) return
    for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
  })
  const raw = () => recorded.map(([, text]) => text).join('')
  const screen = () => emulator.text()
  return {
    raw,
    screen,
    recorded: () => recorded,
    press: (keys) => void child.stdin.write(keys),
    resize(nextColumns, nextRows) {
      emulator.resize(nextColumns, nextRows)
      const [pid] = childrenOf(child.pid)
      const size = ['cols', `${nextColumns}`, 'rows', `${nextRows}`]
      execFileSync('stty', ['-F', readlinkSync(`/proc/${pid}/fd/0`), ...size])
    },
    kill() {
      for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL')
    },
    async until(shown) {
      await vi.waitFor(
        () => {
          const seen = screen()
          if (typeof shown === 'string' ? !seen.includes(shown) : !shown.test(seen))
            throw new Error(`${shown} is not on the screen:\n${seen}`)
        },
        { timeout: scaledTimeout(PATIENCE_MS), interval: 20 },
      )
    },
    ended,
  }
}

const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The rows of a terminal after this output, including scrolled ones. */
export function screenOf(raw: string, columns = 100, rows = 30): string {
  const emulator = createEmulator(columns, rows)
  emulator.feed(raw)
  return emulator.text()
}
