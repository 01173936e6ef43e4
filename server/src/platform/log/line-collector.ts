// Collects the lines of requests and writes many of them at once: each write to the output costs more than the text of a line.
import type { DestinationStream } from 'pino'

/** The methods of a buffered stream that pino calls where they exist. */
type Stream = DestinationStream & { flush?(done?: () => void): void; flushSync?(): void }

export type LineCollector = Required<Stream> & {
  /** Adds a line that waits for others. Lines stay in the order in which they were added and written. */
  collect(line: string): void
  /** Writes the collected lines. */
  drain(): void
}

const WAIT_MS = 50
const CHARACTERS_MAX = 60 * 1_024

export function collectLines(stream: Stream): LineCollector {
  let collected = ''
  let timer: NodeJS.Timeout | undefined

  function drain(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const lines = collected
    collected = ''
    stream.write(lines)
  }

  return {
    collect(line) {
      collected += line
      timer ??= setTimeout(drain, WAIT_MS).unref()
      if (collected.length > CHARACTERS_MAX) drain()
    },
    drain,
    write(line) {
      drain()
      stream.write(line)
    },
    flush(done) {
      drain()
      stream.flush?.(done)
    },
    flushSync() {
      drain()
      stream.flushSync?.()
    },
  }
}
