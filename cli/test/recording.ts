// Recordings of terminal sessions: `asciinema play dist/recordings/<name>.cast`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEmulator, type Emulator } from './emulator.ts'
import { openTerminal, type Terminal, type TerminalOptions } from './pty.ts'

const FOLDER = join(import.meta.dirname, '../../dist/recordings')
/** Pause between two commands in the recording. */
const PAUSE_S = 1

export type TerminalRecording = {
  /** Opens a terminal for the next command of the journey. */
  run(args: readonly string[], options?: TerminalOptions): Terminal
  /** Writes the output of all commands, one after the other. */
  keep(): void
}

export function record(name: string, { columns = 100, rows = 30 } = {}): TerminalRecording {
  const taken: { line: string; terminal: Terminal }[] = []
  return {
    run(args, options = {}) {
      const terminal = openTerminal(args, { columns, rows, ...options })
      taken.push({ line: `$ cowrie ${args.map(shown).join(' ')}\r\n`, terminal })
      return terminal
    },
    keep() {
      const events: [number, 'o', string][] = []
      let startS = 0
      for (const { line, terminal } of taken) {
        events.push([startS, 'o', line])
        const seen = terminal.recorded()
        for (const [atS, text] of seen) events.push([startS + atS, 'o', text])
        startS += (seen.at(-1)?.[0] ?? 0) + PAUSE_S
      }
      const head = { version: 2, width: columns, height: rows, title: name }
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(
        join(FOLDER, `${name}.cast`),
        `${[head, ...events].map((each) => JSON.stringify(each)).join('\n')}\n`,
      )
    },
  }
}

const shown = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`)

/** Plays a stored recording in a terminal of the recorded size. */
export function replay(name: string): Emulator {
  const [head = '{}', ...events] = readFileSync(join(FOLDER, `${name}.cast`), 'utf8')
    .trimEnd()
    .split('\n')
  const { width, height } = JSON.parse(head) as { width: number; height: number }
  const terminal = createEmulator(width, height)
  for (const event of events) terminal.feed((JSON.parse(event) as [number, 'o', string])[2])
  return terminal
}
