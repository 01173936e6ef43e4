// What a command touches of the computer it runs on, besides its output. Tests put their own in place of each.
import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { addAbortSignal } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { openTypist, type Typist } from './terminal/typist.ts'

export type Machine = {
  readonly hostName: string
  /** Whether a person types what the standard input brings. */
  readonly isTyped: boolean
  /** Whether a person sees the standard output as it comes. */
  readonly isShown: boolean
  /** Whether a person sees the standard error as it comes. */
  readonly isWatched: boolean
  /** Columns of the terminal; many where there is none. */
  width(): number
  readonly cwd: string
  /** The time of day. */
  now(): Date
  /** Ends with the signal. */
  stdin(signal: AbortSignal | undefined): AsyncIterable<string | Uint8Array>
  /** The person who types, for a command that asks again and again. */
  typist(): Typist
  /** Time that only goes forward. */
  nowMs(): number
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** Starts this command once more beside this one, which does not wait for it. */
  beside(args: readonly string[]): void
  /** Shows a page in the person's browser; false when there is none. */
  openBrowser(url: string): Promise<boolean>
}

export const thisMachine: Machine = {
  hostName: hostname(),
  isTyped: isatty(0),
  isShown: isatty(1),
  isWatched: isatty(2),
  width: () => process.stderr.columns || process.stdout.columns || 200,
  get cwd() {
    return process.cwd()
  },
  now: () => new Date(),
  stdin: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin),
  typist: () => openTypist(process.stdin, process.stderr),
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
  beside,
  openBrowser,
}

function beside(args: readonly string[]): void {
  const [, program] = process.argv
  if (program === undefined) return
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/** No shell is involved, and nothing but a web address is opened: it comes from the service. */
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
