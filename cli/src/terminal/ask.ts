// Questions to a person. Where nobody can be asked, nothing waits: it fails and names the option that answers.
import type { Machine } from '../machine.ts'
import { UsageError } from '../wrong.ts'
import type { Line } from './line.ts'
import type { Output } from './output.ts'

export type Choice<T extends string> = { readonly key: T; readonly label: string }

export type Ask = {
  /** Whether there is a person to ask. */
  readonly isPossible: boolean
  /** Yes only when the person says so or has said so with --yes. `instead` names what to write where nobody is asked. */
  yes(question: Line, instead?: string): Promise<boolean>
  /** One of these; `instead` names what to write where nobody is asked. */
  choose<T extends string>(question: Line, choices: readonly Choice<T>[], instead: string): Promise<T>
  /** What was typed, without the end of the line; null at the end of the input. */
  line(question: Line): Promise<string | null>
}

const LINE_CHARACTERS_MAX = 64 * 1024

export function createAsk(
  machine: Machine,
  out: Output,
  { yes, signal }: { yes: boolean; signal: AbortSignal | undefined },
): Ask {
  // A script that reads JSON or a file of answers is no person.
  const isPossible = machine.isTyped && !out.json
  const lines = createLines(() => machine.stdin(signal))

  async function line(question: Line): Promise<string | null> {
    out.prompt(question)
    return lines.next()
  }

  return {
    isPossible,
    line,
    async yes(question, instead = '--yes') {
      if (yes) return true
      if (!isPossible) throw new UsageError(`Nobody can be asked here; say ${instead} to agree beforehand.`)
      const answer = await line([...parts(question), ' [y/N]'])
      return /^\s*y(es)?\s*$/i.test(answer ?? '')
    },
    async choose<T extends string>(
      question: Line,
      choices: readonly Choice<T>[],
      instead: string,
    ): Promise<T> {
      if (!isPossible) throw new UsageError(`Nobody can be asked here; say ${instead}.`)
      const offered = choices.map(({ key, label }) => `[${key}] ${label}`).join('  ')
      for (let tries = 0; tries < 5; tries++) {
        const answer = await line([...parts(question), ` ${offered}:`])
        if (answer === null) break
        const chosen = choices.find(({ key }) => key === answer.trim().toLowerCase())
        if (chosen) return chosen.key
      }
      throw new UsageError(`None of the answers was given; say ${instead}.`)
    },
  }
}

const parts = (line: Line) => (typeof line === 'string' ? [line] : line)

/** The input line by line, opened at the first question; what a person typed ahead is kept for the next one. */
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
