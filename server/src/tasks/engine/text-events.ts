// Stores the text of an answer while it is written, in pieces, so that every device can follow it.
import type { AnswerPiece } from '../../platform/inference/inference.ts'
import type { TaskEvent } from '../events.ts'

const FLUSH_MS = 300
const FLUSH_CHARACTERS = 2_000

export type TextEvents = {
  add(piece: AnswerPiece): void
  /** The pieces that are not stored yet. Nothing is stored after this. */
  end(): Promise<TaskEvent[]>
}

/** `store` saves events; a failure is not fatal, because the step has the whole text. */
export function createTextEvents(
  { step, attempt }: { readonly step: number; readonly attempt: number },
  store: (events: readonly TaskEvent[]) => Promise<void>,
): TextEvents {
  let pending: AnswerPiece[] = []
  let characters = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function take(): TaskEvent[] {
    const events: TaskEvent[] = []
    for (const { kind, text } of pending) {
      const last = events.at(-1)
      const name = kind === 'text' ? 'message' : 'reasoning'
      if (last?.kind === name) last.text += text
      else events.push({ kind: name, step, attempt, text })
    }
    pending = []
    characters = 0
    clearTimeout(timer)
    timer = undefined
    return events
  }

  function flush(): void {
    const events = take()
    if (events.length > 0) writing = writing.then(() => store(events))
  }

  return {
    add(piece) {
      pending.push(piece)
      characters += piece.text.length
      if (characters >= FLUSH_CHARACTERS) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    async end() {
      const rest = take()
      await writing
      return rest
    },
  }
}
