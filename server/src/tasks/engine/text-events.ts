// Stores the text of an answer while it is written, in pieces, so that every device can follow it.
import type { AnswerPiece } from '../../platform/inference/inference.ts'
import type { TaskEvent } from '../events.ts'

const FLUSH_MS = 300
const FLUSH_CHARACTERS = 2_000

/** An event has a size limit, and some providers send an answer as one piece. */
const EVENT_CHARACTERS_MAX = 30_000

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
    for (const { kind, text } of pending.flatMap(toParts)) {
      const last = events.at(-1)
      const name = kind === 'text' ? 'message' : 'reasoning'
      if (last?.kind === name && last.text.length + text.length <= EVENT_CHARACTERS_MAX) last.text += text
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

/** Never splits a surrogate pair. */
function toParts({ kind, text }: AnswerPiece): AnswerPiece[] {
  const parts: AnswerPiece[] = []
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + EVENT_CHARACTERS_MAX, text.length)
    const isSplit = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))
    parts.push({ kind, text: text.slice(at, isSplit ? end - 1 : end) })
    at = isSplit ? end - 1 : end
  }
  return parts
}
