// Interactive line input with editing and history. Ctrl-C stops the current work, not the command.
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

export type LineInput = {
  /** The typed text; null when the user quits. */
  next(question: string): Promise<string | null>
  /** Runs work whose signal aborts on Ctrl-C. Text typed meanwhile waits for the next line. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  close(): void
}

/** Lines that arrive together were pasted and form one text. */
const PASTE_GAP_MS = 25
const HISTORY_MAX = 200

export function openLineInput(input: ReadStream, output: WriteStream): LineInput {
  let isMuted = false
  const shown = new Writable({
    write(chunk: Buffer, _, done) {
      if (isMuted) done()
      else output.write(chunk, () => done())
    },
  })
  Object.defineProperty(shown, 'columns', { get: () => output.columns })
  const lines: Interface = createInterface({ input, output: shown, terminal: true, historySize: HISTORY_MAX })

  let typed: string[] = []
  let waiting: ((text: string | null) => void) | null = null
  let stopping: AbortController | null = null
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let isWarned = false

  lines.on('line', (line) => {
    typed.push(line)
    clearTimeout(timer)
    // The last pasted line without a line end stays editable.
    timer = setTimeout(() => lines.line === '' && give(), PASTE_GAP_MS)
  })
  lines.on('close', () => {
    isOver = true
    clearTimeout(timer)
    stopping?.abort()
    answer(null)
  })
  lines.on('SIGINT', () => {
    if (stopping) return stopping.abort()
    if (lines.line === '' && isWarned) return lines.close()
    isWarned = lines.line === ''
    typed = []
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    if (isWarned) {
      output.write('\n(Press Ctrl-D or type /exit to quit.)\n')
      lines.prompt()
    }
  })

  function give(): void {
    if (!waiting) return
    const text = typed.join('\n')
    typed = []
    isWarned = false
    answer(text)
  }

  function answer(text: string | null): void {
    const give = waiting
    waiting = null
    give?.(text)
  }

  return {
    next(question) {
      if (isOver) return Promise.resolve(null)
      lines.setPrompt(question)
      lines.prompt(true)
      if (typed.length > 0) {
        lines.write(typed.join(' '))
        typed = []
      }
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
    async during(work) {
      const own = new AbortController()
      stopping = own
      isMuted = true
      try {
        return await work(own.signal)
      } finally {
        stopping = null
        isMuted = false
      }
    },
    close: () => lines.close(),
  }
}
