// What a command says: for people by default, as JSON with --json.
import { toJson } from '@cowrie/sdk'

export type Sink = { write(text: string | Uint8Array): unknown }

export class Output {
  readonly json: boolean
  readonly #stdout: Sink
  readonly #stderr: Sink

  constructor(stdout: Sink, stderr: Sink, json: boolean) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.json = json
  }

  /** The result of the command: the value itself with --json, else these lines. */
  result(value: unknown, lines: readonly string[]): void {
    if (this.json) this.raw(`${toJson(value)}\n`)
    else for (const line of lines) this.raw(`${plain(line)}\n`)
  }

  /** Exactly this. */
  raw(text: string | Uint8Array): void {
    this.#stdout.write(text)
  }

  /** A remark beside the result. */
  note(line: string): void {
    this.#stderr.write(`${plain(line)}\n`)
  }

  /** Something to be careful about. */
  warn(text: string): void {
    if (this.json) this.error({ warning: text })
    else this.note(`cowrie: ${text}`)
  }

  /** A failure, or what a program should know before the end. */
  error(value: unknown): void {
    this.#stderr.write(`${toJson(value)}\n`)
  }
}

/** Text of others could move the cursor or rewrite the screen; control characters are shown as a blank. */
export const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')

/** `name  value` with the values in one column. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}
