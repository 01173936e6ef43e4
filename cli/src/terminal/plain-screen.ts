// The screen without cursor movement and colours: for screen readers, dumb terminals and pipes. Every line is written once.
import { StringDecoder } from 'node:string_decoder'
import type { Line, Span } from './line.ts'
import { statusLine } from './live/compose.ts'
import { type Host, thisProcess } from './live/host.ts'
import { readMarkdown } from './markdown.ts'
import type {
  AnswerView,
  Question,
  Screen,
  ScreenOptions,
  TerminalInput,
  TerminalOutput,
} from './screen-types.ts'
import { visible } from './visible.ts'
import { wrap } from './wrap.ts'

const PROMPT = '> '
const BODY_LINES_MAX = 40
const LINE_CHARACTERS_MAX = 1024 * 1024
const TRIES_MAX = 5

export function openPlainScreen(
  input: TerminalInput,
  output: TerminalOutput,
  options: ScreenOptions,
  host: Host = thisProcess,
): Screen {
  const columns = () => (output.isTTY ? Math.max(12, output.columns || 80) : Number.POSITIVE_INFINITY)
  const write = (text: string) => void output.write(text)
  const say = (line: Line) => {
    for (const each of wrap(spoken(line), columns() - 1)) write(`${textOf(each)}\n`)
  }
  const lines = readLines(input)
  const works: { stop: AbortController; isStopped: boolean }[] = []
  let status = ''
  let saidStatus = ''
  let activity = ''
  let answer: AnswerView | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const offInterrupt = host.onInterrupt(() => {
    const work = works.at(-1)
    if (work && !work.isStopped) {
      work.isStopped = true
      say('Stopping. Press Ctrl-C again to quit at once.')
      work.stop.abort()
    } else if (work) {
      if (options.quit) options.quit()
      else host.quit()
    } else lines.close()
  })

  /** Questions one after the other. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }

  function sayStatus(): void {
    if (status === saidStatus || status === '') return
    saidStatus = status
    say(status)
  }

  async function next(question: string, signal?: AbortSignal): Promise<string | null> {
    answer?.end()
    write(visible(question))
    const line = await lines.next(signal)
    if (!input.isTTY || line === null) write('\n')
    return line
  }

  async function choose<V>({ title, body = [], choices, usual }: Question<V>, signal?: AbortSignal) {
    answer?.end()
    say(title)
    const isCut = body.length > BODY_LINES_MAX
    for (const line of isCut ? body.slice(0, BODY_LINES_MAX) : body) say(line)
    if (isCut) say(`${body.length - BODY_LINES_MAX} more lines. Type "all" to show them.`)
    for (const { key, label, value } of choices) say(`  ${key}: ${label}${value === usual ? ' (Enter)' : ''}`)
    for (let tries = 0; tries < TRIES_MAX && !signal?.aborted; tries++) {
      const typed = (await next('Choice: ', signal))?.trim()
      if (typed === undefined) return null
      if (isCut && typed.toLowerCase() === 'all') {
        for (const line of body.slice(BODY_LINES_MAX)) say(line)
        continue
      }
      if (typed === '' && usual !== undefined) return usual
      const chosen =
        choices.find(({ key }) => key === typed) ??
        choices.find(({ key, label }) =>
          [key.toLowerCase(), label.toLowerCase()].includes(typed.toLowerCase()),
        )
      if (chosen) return chosen.value
      say(`Type one of: ${choices.map(({ key }) => key).join(', ')}.`)
    }
    return null
  }

  return {
    columns,
    print(shown) {
      for (const line of shown) say(line)
    },
    openAnswer(kind) {
      answer?.end()
      if (kind === 'reasoning') say('Thinking:')
      const opened = openPlainAnswer(say, columns, () => {
        if (answer === opened) answer = null
      })
      answer = opened
      return opened
    },
    setActivity(text) {
      const now = text ?? ''
      if (now !== '' && now !== activity) say(`${now} …`)
      activity = now
    },
    // The result of the command is said when it ends.
    setTail: () => undefined,
    setStatus(parts) {
      status = statusText(parts)
    },
    greet(lines, first) {
      for (const line of lines) say(line)
      status = statusText(first)
    },
    readMessage: ({ initial } = {}) =>
      alone(async () => {
        sayStatus()
        if (initial !== undefined) say(`Draft: ${initial}`)
        for (;;) {
          let text = ''
          let line = await next(PROMPT)
          // A backslash at the end continues the message.
          while (line?.endsWith('\\')) {
            text += `${line.slice(0, -1)}\n`
            line = await next('  ')
          }
          if (line === null && text === '') return null
          text += line ?? ''
          if (text.trim() === '') continue
          options.history.add(text)
          return { text, shown: text }
        }
      }),
    // Lines that are typed during work wait: an answer between lines that are read aloud would confuse.
    answerAtOnce: () => undefined,
    async during(run) {
      const work = { stop: new AbortController(), isStopped: false }
      works.push(work)
      try {
        return await run(work.stop.signal)
      } finally {
        works.splice(works.indexOf(work), 1)
      }
    },
    choose: (question, signal) => alone(() => choose(question, signal)),
    readLine: (question, signal) => alone(() => next(`${question} `, signal)),
    close() {
      answer?.end()
      offInterrupt()
      lines.close()
    },
  }
}

const statusText = (parts: readonly (string | Span)[]): string =>
  statusLine(parts, Number.POSITIVE_INFINITY)
    .map(({ text }) => text)
    .join('')

/** Words instead of colours. */
const spoken = (line: Line): Line =>
  typeof line === 'string'
    ? visible(line)
    : line.map((part) => {
        if (typeof part === 'string') return visible(part)
        const text = visible(part.spoken ?? part.text)
        return part.verbatim ? { text, verbatim: true } : { text }
      })

const textOf = (line: Line): string =>
  typeof line === 'string' ? line : line.map((part) => (typeof part === 'string' ? part : part.text)).join('')

/** Whole lines only: a screen reader repeats a line that grows. */
function openPlainAnswer(say: (line: Line) => void, columns: () => number, onEnd: () => void): AnswerView {
  let words: { text: string }[] = []
  let isOver = false
  const reader = readMarkdown(
    {
      line: say,
      words: (span) => void words.push(span),
      breakLine: () => endLine(),
      endLine,
    },
    () => columns() - 1,
  )
  function endLine(): void {
    say(words)
    words = []
  }
  return {
    write: (text) => isOver || reader.take(text),
    restart() {
      reader.end()
      say('The answer starts again.')
    },
    end() {
      if (isOver) return
      isOver = true
      reader.end()
      onEnd()
    },
  }
}

type Lines = {
  /** Null at the end of the input, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<string | null>
  close(): void
}

/** Reads lines, also those that are typed before they are asked for. */
function readLines(input: TerminalInput): Lines {
  const decoder = new StringDecoder('utf8')
  const ready: string[] = []
  let rest = ''
  let isOver = false
  let waiting: ((line: string | null) => void) | null = null

  function give(): void {
    if (!waiting || (ready.length === 0 && !isOver)) return
    const answer = waiting
    waiting = null
    answer(ready.shift() ?? null)
  }
  const onData = (chunk: Buffer) => {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = (parts.pop() ?? '').slice(0, LINE_CHARACTERS_MAX)
    ready.push(...parts.map((line) => line.replace(/\r$/, '')))
    give()
  }
  const onEnd = () => {
    if (isOver) return
    isOver = true
    if (rest !== '') ready.push(rest)
    give()
  }
  let isOpen = false
  return {
    next(signal) {
      if (signal?.aborted) return Promise.resolve(null)
      if (!isOpen && !isOver) {
        isOpen = true
        input.on('data', onData)
        input.on('end', onEnd)
        input.on('close', onEnd)
        input.resume()
      }
      return new Promise((resolve) => {
        const onAbort = () => {
          if (waiting === answer) waiting = null
          resolve(null)
        }
        const answer = (line: string | null) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(line)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting = answer
        give()
      })
    },
    close() {
      input.off('data', onData)
      input.off('end', onEnd)
      input.off('close', onEnd)
      if (isOpen) input.pause()
      isOver = true
      give()
    },
  }
}
