// Questions to the user. Without a terminal they fail at once and name the option to use.

import { UsageError } from '../errors.ts'
import type { Machine } from '../system/machine.ts'
import type { Line } from './line.ts'
import type { Output } from './output.ts'

export type Choice<T extends string> = { readonly key: T; readonly label: string }

export type Ask = {
  /** Whether questions are possible. */
  readonly isPossible: boolean
  /** True only if the user agrees or used --yes. `instead` names the option to use without a terminal. */
  yes(question: Line, instead?: string): Promise<boolean>
  /** One of the choices; `instead` names the option to use without a terminal. */
  choose<T extends string>(question: Line, choices: readonly Choice<T>[], instead: string): Promise<T>
  /** The typed line; null at the end of the input. */
  line(question: Line): Promise<string | null>
}

const LINE_CHARACTERS_MAX = 64 * 1024

export function createAsk(
  machine: Machine,
  out: Output,
  { yes, signal }: { yes: boolean; signal: () => AbortSignal },
): Ask {
  // A script that reads JSON or pipes answers is not a user.
  const isPossible = machine.isStdinTerminal && !out.json
  const lines = createLines(() => machine.stdin(signal()))

  async function line(question: Line): Promise<string | null> {
    out.prompt(question)
    return lines.next()
  }

  return {
    isPossible,
    line,
    async yes(question, instead = '--yes') {
      if (yes) return true
      if (!isPossible)
        throw new UsageError(`Confirmation is needed, and there is no terminal. Use ${instead} to agree.`)
      const answer = await line([...parts(question), ' [y/N]'])
      return /^\s*y(es)?\s*$/i.test(answer ?? '')
    },
    async choose<T extends string>(
      question: Line,
      choices: readonly Choice<T>[],
      instead: string,
    ): Promise<T> {
      if (!isPossible) throw new UsageError(`An answer is needed, and there is no terminal. Use ${instead}.`)
      const offered = choices.map(({ key, label }) => `[${key}] ${label}`).join('  ')
      for (let tries = 0; tries < 5; tries++) {
        const answer = await line([...parts(question), ` ${offered}:`])
        if (answer === null) break
        const chosen = choices.find(({ key }) => key === answer.trim().toLowerCase())
        if (chosen) return chosen.key
      }
      throw new UsageError(`No valid answer was given. Use ${instead}.`)
    },
  }
}

const parts = (line: Line) => (typeof line === 'string' ? [line] : line)

/** Reads input line by line from the first question on; lines typed ahead are kept. */
function createLines(open: () => AsyncIterable<string | Uint8Array>): { next(): Promise<string | null> } {
  let chunks: AsyncIterator<string | Uint8Array> | null = null
  let waiting = ''
  let ended = false
  const decoder = new TextDecoder()
  return {
    async next() {
      chunks ??= open()[Symbol.asyncIterator]()
      while (!waiting.includes('\n') && !ended && waiting.length < LINE_CHARACTERS_MAX) {
        const { value, done } = await chunks.next()
        if (done) ended = true
        else waiting += typeof value === 'string' ? value : decoder.decode(value, { stream: true })
      }
      if (waiting === '' && ended) return null
      const end = waiting.indexOf('\n')
      const line = end < 0 ? waiting : waiting.slice(0, end)
      waiting = end < 0 ? '' : waiting.slice(end + 1)
      return line.replace(/\r$/, '')
    },
  }
}
