// The computer a command runs on, besides its output. Tests replace parts of it.
import { spawn, spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { addAbortSignal } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { isatty } from 'node:tty'
import type { Screen, ScreenOptions } from '../terminal/screen-types.ts'

export type Machine = {
  readonly hostName: string
  readonly platform: NodeJS.Platform
  /** Whether standard input is a terminal. */
  readonly isStdinTerminal: boolean
  /** Whether standard output is a terminal. */
  readonly isStdoutTerminal: boolean
  /** Whether standard error is a terminal. */
  readonly isStderrTerminal: boolean
  /** Columns of the terminal; a large number without one. */
  width(): number
  readonly cwd: string
  now(): Date
  /** The stream ends when the signal aborts. */
  stdin(signal: AbortSignal | undefined): AsyncIterable<string | Uint8Array>
  /** Hides the characters typed in the terminal, until the returned function is called. Null where that is impossible. */
  hideTyping(): (() => void) | null
  /** The terminal of a session. Standard error, if the output goes to a file. */
  openScreen(options: ScreenOptions): Promise<Screen>
  /** A monotonic clock. */
  nowMs(): number
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** Starts this program again in the background. */
  startInBackground(args: readonly string[]): void
  /** Opens a page in the browser; false when there is none. */
  openBrowser(url: string): Promise<boolean>
}

export const thisMachine: Machine = {
  get hostName() {
    return hostname()
  },
  platform: process.platform,
  isStdinTerminal: isatty(0),
  isStdoutTerminal: isatty(1),
  isStderrTerminal: isatty(2),
  width: () => process.stderr.columns || process.stdout.columns || 200,
  get cwd() {
    return process.cwd()
  },
  now: () => new Date(),
  stdin: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin),
  hideTyping: () => (setEcho('-echo') ? () => void setEcho('echo') : null),
  openScreen: async (options) => {
    // Loaded only for a session.
    const { openScreen } = await import('../terminal/screen.ts')
    return openScreen(process.stdin, process.stdout.isTTY ? process.stdout : process.stderr, options)
  },
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
  startInBackground,
  openBrowser,
}

/** The terminal still edits the line and handles Ctrl-C, which raw mode would not. */
const setEcho = (mode: 'echo' | '-echo'): boolean =>
  spawnSync('stty', [mode], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 0

function startInBackground(args: readonly string[]): void {
  const [, program] = process.argv
  if (program === undefined) return
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/** The URL comes from the service: only web addresses are opened, and no shell is used. */
function openBrowser(url: string): Promise<boolean> {
  if (!/^https?:\/\/[^\s"'<>]+$/.test(url)) return Promise.resolve(false)
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
