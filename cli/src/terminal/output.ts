// Output of a command. Results go to standard output, everything else to standard error.
import { toJson } from '@cowrie/sdk/json'
import { escapeControls, type Line, plain, render } from './line.ts'
import { truncate } from './width.ts'
import { wrap } from './wrap.ts'

export type Sink = { write(text: string | Uint8Array): unknown }

export type OutputMode = {
  /** Print JSON: one value, or one per line for streams. */
  readonly json: boolean
  /** Print only results, warnings and errors. */
  readonly quiet: boolean
  readonly color: boolean
  /** Whether lines can be redrawn: standard error is a capable terminal. */
  readonly live: boolean
  /** Which outputs are terminals; lines are wrapped there. */
  readonly terminals: { readonly stdout: boolean; readonly stderr: boolean }
  /** Columns of the terminal, read each time because windows change. */
  readonly width: () => number
}

const ERASE = '\r\x1b[2K'

export class Output {
  readonly mode: OutputMode
  readonly #stdout: Sink
  readonly #stderr: Sink
  #standing = ''

  constructor(stdout: Sink, stderr: Sink, mode: OutputMode) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.mode = mode
  }

  get json(): boolean {
    return this.mode.json
  }

  /** The width for results: the terminal's, or unlimited in a pipe. */
  get width(): number {
    return this.mode.terminals.stdout ? this.mode.width() : Number.POSITIVE_INFINITY
  }

  /** The result of the command: the JSON value with --json, otherwise the lines. */
  result(value: unknown, lines: readonly Line[]): void {
    if (this.json) this.raw(`${escapeControls(toJson(value))}\n`)
    else for (const line of lines) this.raw(`${this.#shown(line, 'stdout')}\n`)
  }

  /** One of several results: a line of JSON, or lines of text. */
  frame(value: unknown, lines: readonly Line[]): void {
    this.result(value, lines)
  }

  /** Raw text on standard output. */
  raw(text: string | Uint8Array): void {
    this.#aboveProgress(() => this.#stdout.write(text))
  }

  /** A note beside the result. */
  note(line: Line): void {
    if (this.json || this.mode.quiet) return
    this.#say(line)
  }

  /** The current progress. On a terminal it redraws one line; otherwise it prints a line if `worth` is set. */
  progress(text: string, worth = true): void {
    if (this.json || this.mode.quiet) return
    if (!this.mode.live) {
      if (worth && text !== this.#standing) this.#stderr.write(`${plain(text)}\n`)
      this.#standing = text
      return
    }
    this.#standing = truncate(plain(text), this.mode.width() - 1)
    this.#stderr.write(`${ERASE}${this.#standing}`)
  }

  /** Clears the progress line. */
  endProgress(): void {
    if (this.mode.live && this.#standing !== '') this.#stderr.write(ERASE)
    this.#standing = ''
  }

  warn(text: string): void {
    if (this.json) this.error({ warning: text })
    else this.#say(`cowrie: ${text}`)
  }

  /** An error line, also with --quiet. */
  complain(line: Line): void {
    this.#say(line)
  }

  /** An error, or JSON for a program before the end. */
  error(value: unknown): void {
    this.#stderr.write(`${escapeControls(toJson(value))}\n`)
  }

  /** A question; the answer is typed after it. */
  prompt(line: Line): void {
    this.endProgress()
    this.#stderr.write(`${this.#shown(line, 'stderr')} `)
  }

  #say(line: Line): void {
    this.#aboveProgress(() => this.#stderr.write(`${this.#shown(line, 'stderr')}\n`))
  }

  #shown(line: Line, sink: 'stdout' | 'stderr'): string {
    const { color, terminals, width } = this.mode
    const lines = terminals[sink] ? wrap(line, width()) : [line]
    return lines.map((each) => render(each, color)).join('\n')
  }

  /** Writes above the progress line, if there is one. */
  #aboveProgress(write: () => unknown): void {
    const standing = this.mode.live ? this.#standing : ''
    if (standing !== '') this.#stderr.write(ERASE)
    write()
    if (standing !== '') this.#stderr.write(standing)
  }
}
