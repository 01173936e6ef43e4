// A live screen with a keyboard, a terminal in memory and a clock that the test moves.
import { EventEmitter } from 'node:events'
import type { Host } from '../src/terminal/live/host.ts'
import { openLiveScreen } from '../src/terminal/live/live-screen.ts'
import type { Screen, ScreenOptions } from '../src/terminal/screen-types.ts'
import { createEmulator, type Emulator } from './emulator.ts'

export type LiveTerminal = {
  readonly screen: Screen
  readonly emulator: Emulator
  /** The rows of the window that are not empty at the end. */
  shown(): string
  press(keys: string | Uint8Array): void
  /** Moves the clock; timers run in order. */
  pass(ms: number): void
  resize(columns: number, rows?: number): void
  /** The output since the last call. */
  written(): string
  bytes(): number
  /** The next writes are not taken by the terminal until `drain`. */
  block(): void
  drain(): void
  readonly isRaw: boolean
  readonly added: string[]
  /** As the process ends, is stopped and continues. */
  exit(): void
  resume(): void
  readonly suspensions: () => number
  readonly quits: () => number
}

export function openLive(
  options: Partial<ScreenOptions> & { columns?: number; rows?: number; reflows?: boolean } = {},
): LiveTerminal {
  const { columns = 80, rows = 24, reflows = true, ...rest } = options
  const emulator = createEmulator(columns, rows, { reflows })
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      input.isRaw = isRaw
    },
    resume: () => undefined,
    pause: () => undefined,
  })
  let written = ''
  let bytes = 0
  let isBlocked = false
  const output = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    write(text: string) {
      written += text
      bytes += Buffer.byteLength(text)
      emulator.feed(text)
      return !isBlocked
    },
  })
  let nowMs = 0
  let timers: { atMs: number; call: () => void }[] = []
  const hooks = { exit: () => {}, interrupt: () => {}, resume: () => {} }
  let suspensions = 0
  let quits = 0
  const host: Host = {
    nowMs: () => nowMs,
    after(ms, call) {
      const timer = { atMs: nowMs + ms, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    onExit(restore) {
      hooks.exit = restore
      return () => undefined
    },
    onInterrupt(call) {
      hooks.interrupt = call
      return () => undefined
    },
    onContinue(call) {
      hooks.resume = call
      return () => undefined
    },
    suspend: () => void suspensions++,
    quit: () => void quits++,
  }
  const added: string[] = []
  const screen = openLiveScreen(
    input,
    output,
    {
      theme: 'dark',
      isPlain: false,
      history: { messages: [], add: (message) => void added.push(message) },
      complete: async () => [],
      env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...(reflows ? {} : { XTERM_VERSION: '1' }) },
      ...rest,
    },
    host,
  )
  return {
    screen,
    emulator,
    added,
    shown: () => emulator.window().join('\n').trimEnd(),
    press: (keys) => void input.emit('data', Buffer.from(keys as string)),
    pass(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        const [next] = timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)
        if (!next) break
        timers = timers.filter((each) => each !== next)
        nowMs = Math.max(nowMs, next.atMs)
        next.call()
      }
      nowMs = untilMs
    },
    resize(nextColumns, nextRows = output.rows) {
      Object.assign(output, { columns: nextColumns, rows: nextRows })
      emulator.resize(nextColumns, nextRows)
      output.emit('resize')
    },
    written() {
      const taken = written
      written = ''
      return taken
    },
    bytes: () => bytes,
    block() {
      isBlocked = true
    },
    drain() {
      isBlocked = false
      output.emit('drain')
    },
    get isRaw() {
      return input.isRaw
    },
    exit: () => hooks.exit(),
    resume: () => hooks.resume(),
    suspensions: () => suspensions,
    quits: () => quits,
  }
}
