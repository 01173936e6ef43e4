// A screen for tests: answers are given in advance, and everything shown is recorded as text.
import { type Line, render } from '../src/terminal/line.ts'
import type { Message, Question, Screen } from '../src/terminal/screen-types.ts'

export type RecordedScreen = Screen & {
  /** Everything shown so far, one line each. */
  readonly shown: string[]
  readonly status: () => string
  /** Messages that the user types, in order; then they quit. */
  type(...messages: string[]): void
  /** The keys of the next answers; null for Esc. */
  answer(...keys: (string | null)[]): void
  /** The next lines of `readLine`. */
  write(...lines: (string | null)[]): void
  /** Presses Esc while work is under way. */
  escape(): void
}

export function createRecordedScreen(): RecordedScreen {
  const shown: string[] = []
  const messages: string[] = []
  const keys: (string | null)[] = []
  const lines: (string | null)[] = []
  let status = ''
  let work: AbortController | null = null
  const print = (printed: readonly Line[]) => shown.push(...printed.map((line) => render(line, false)))
  return {
    shown,
    status: () => status,
    type: (...more) => void messages.push(...more),
    answer: (...more) => void keys.push(...more),
    write: (...more) => void lines.push(...more),
    escape: () => work?.abort(),
    columns: () => 100,
    print,
    openAnswer(kind) {
      let text = ''
      return {
        write: (more) => {
          text += more
        },
        restart: () => {
          text += ' [again] '
        },
        end: () => void shown.push(...text.split('\n').map((line) => (kind === 'text' ? line : `(${line})`))),
      }
    },
    greet: print,
    setActivity: () => undefined,
    setTail: () => undefined,
    setStatus: (parts) => {
      status = parts.map((part) => (typeof part === 'string' ? part : part.text)).join(' · ')
    },
    readMessage: async (options) => {
      if (options?.initial) shown.push(`[draft] ${options.initial}`)
      const text = messages.shift()
      return text === undefined ? null : ({ text, shown: text } satisfies Message)
    },
    answerAtOnce: () => undefined,
    async during(run) {
      work = new AbortController()
      try {
        return await run(work.signal)
      } finally {
        work = null
      }
    },
    async choose<V>({ title, body = [], choices, usual }: Question<V>): Promise<V | null> {
      print([title, ...body])
      shown.push(choices.map(({ key, label }) => `[${key}] ${label}`).join('  '))
      const key = keys.shift()
      if (key === undefined) throw new Error(`no answer for: ${render(title, false)}`)
      if (key === null) return null
      if (key === '') return usual ?? null
      const chosen = choices.find((choice) => choice.key === key)
      if (!chosen) throw new Error(`no choice ${key} for: ${render(title, false)}`)
      return chosen.value
    },
    readLine: async (question) => {
      shown.push(question)
      return lines.shift() ?? null
    },
    close: () => undefined,
  }
}
