// What a command says. Results go to the standard output; everything beside them goes to the standard error.
import { toJson } from '@cowrie/sdk'
import { harmless, type Line, plain, render } from './line.ts'
import { cut } from './width.ts'
import { wrap } from './wrap.ts'

export type Sink = { write(text: string | Uint8Array): unknown }

export type Manner = {
  /** One JSON value, and streams as one per line. */
  readonly json: boolean
  /** No remarks: results, warnings and failures only. */
  readonly quiet: boolean
  readonly color: boolean
  /** Whether a line can be written over: somebody looks at a terminal that can. */
  readonly live: boolean
  /** Which of the two outputs is a terminal, where lines are broken at spaces. */
  readonly terminals: { readonly stdout: boolean; readonly stderr: boolean }
  /** Columns of the terminal, asked for each time: windows change. */
  readonly width: () => number
}

const ERASE = '\r\x1b[2K'

export class Output {
  readonly manner: Manner
  readonly #stdout: Sink
  readonly #stderr: Sink
  #standing = ''

  constructor(stdout: Sink, stderr: Sink, manner: Manner) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.manner = manner
  }

  get json(): boolean {
    return this.manner.json
  }

  /** The room for a line of results: that of the terminal, or any in a pipe, where programs read whole lines. */
  get width(): number {
    return this.manner.terminals.stdout ? this.manner.width() : Number.POSITIVE_INFINITY
  }

  /** The result of the command: the value itself with --json, else these lines. */
  result(value: unknown, lines: readonly Line[]): void {
    if (this.json) this.raw(`${harmless(toJson(value))}\n`)
    else for (const line of lines) this.raw(`${this.#shown(line, 'stdout')}\n`)
  }

  /** One of many results, in the order they come: a line of JSON each, or lines for people. */
  frame(value: unknown, lines: readonly Line[]): void {
    this.result(value, lines)
  }

  /** Exactly this, on the standard output. */
  raw(text: string | Uint8Array): void {
    this.#aside(() => this.#stdout.write(text))
  }

  /** A remark beside the result. */
  note(line: Line): void {
    if (this.json || this.manner.quiet) return
    this.#say(line)
  }

  /** What is going on now. On a terminal the same line again and again, else a line of its own when it is `worth` one. */
  progress(text: string, worth = true): void {
    if (this.json || this.manner.quiet) return
    if (!this.manner.live) {
      if (worth && text !== this.#standing) this.#stderr.write(`${plain(text)}\n`)
      this.#standing = text
      return
    }
    this.#standing = cut(plain(text), this.manner.width() - 1)
    this.#stderr.write(`${ERASE}${this.#standing}`)
  }

  /** Takes the line of `progress` away. */
  endProgress(): void {
    if (this.manner.live && this.#standing !== '') this.#stderr.write(ERASE)
    this.#standing = ''
  }

  /** Something to be careful about. */
  warn(text: string): void {
    if (this.json) this.error({ warning: text })
    else this.#say(`cowrie: ${text}`)
  }

  /** A sentence of a failure, which no option silences. */
  complain(line: Line): void {
    this.#say(line)
  }

  /** A failure, or what a program should know before the end. */
  error(value: unknown): void {
    this.#stderr.write(`${harmless(toJson(value))}\n`)
  }

  /** A question, after which the answer is typed. */
  prompt(line: Line): void {
    this.endProgress()
    this.#stderr.write(`${this.#shown(line, 'stderr')} `)
  }

  #say(line: Line): void {
    this.#aside(() => this.#stderr.write(`${this.#shown(line, 'stderr')}\n`))
  }

  #shown(line: Line, sink: 'stdout' | 'stderr'): string {
    const { color, terminals, width } = this.manner
    const lines = terminals[sink] ? wrap(line, width()) : [line]
    return lines.map((each) => render(each, color)).join('\n')
  }

  /** Writes above the standing line, if there is one. */
  #aside(write: () => unknown): void {
    const standing = this.manner.live ? this.#standing : ''
    if (standing !== '') this.#stderr.write(ERASE)
    write()
    if (standing !== '') this.#stderr.write(standing)
  }
}
