// One message and its answer, however often the connection breaks: what was sent under a key is fetched by that key and never paid
// twice. What was stopped is not sent again but looked up in the conversation.
import {
  type ChatLastFrame,
  type ChatMessage,
  type Client,
  CowrieError,
  outcomeOf,
  resumable,
  retryable,
} from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { EXIT } from '../exits.ts'
import type { Machine } from '../machine.ts'
import { Failure } from '../wrong.ts'

export type Question = {
  readonly threadId: string
  readonly prompt: string
  /** The indexed repository that excerpts may come from. */
  readonly repo: string | undefined
  readonly frontier: boolean | undefined
  /** What its writer was told that it costs at most. */
  readonly maxMinor: bigint
  readonly key: string
  /** Whether nothing was sent with this key before. */
  readonly isFirst: boolean
  /** The last message before it; empty where there was none. */
  readonly after: string
}

/** `null` where it was stopped before anything had come of it. */
export type Answered = { readonly message: ChatMessage; readonly last: ChatLastFrame | null } | null

export type Listener = {
  /** More of the text. */
  take(text: string): void
  /** What was shown so far does not count: the answer begins anew. */
  anew(): void
  trouble(sentence: string): void
}

const PAUSE_FIRST_MS = 500
const PAUSE_LAST_MS = 8_000
/** Without any news for so long, it is left for a later command to fetch. */
const PATIENCE_MS = 3 * 60_000
/** A stop that the stream does not confirm by then is looked up. */
const STOP_CONFIRMED_MS = 4_000
const STOP_PATIENCE_MS = 30_000
const LOOK_MESSAGES = 10

export async function answerTo(
  { client, machine }: Pick<Context, 'client' | 'machine'>,
  question: Question,
  listener: Listener,
  stop: AbortSignal | undefined,
): Promise<Answered> {
  const connection = new AbortController()
  const shown = shownTo(listener)
  const stopping = stop && onAbort(stop, () => end(client, question.threadId, connection))
  try {
    const last = await listen()
    if (last) return { message: last.message, last }
    const message = await lookUp(client, machine, question)
    if (message) shown.whole(message.content)
    return message && { message, last: null }
  } finally {
    stopping?.()
  }

  /** Null when it was stopped and the stream has not said what became of it. */
  async function listen(): Promise<ChatLastFrame | null> {
    let heardAt = machine.nowMs()
    let { isFirst } = question
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_LAST_MS)) {
      try {
        shown.begin()
        for await (const frame of send()) {
          heardAt = machine.nowMs()
          pauseMs = PAUSE_FIRST_MS
          // This attempt owns the key now: when it fails without effect, there is no earlier one to ask for.
          isFirst = true
          if (!('delta' in frame)) {
            shown.whole(frame.message.content)
            return frame
          }
          shown.more(frame.delta)
        }
      } catch (error) {
        if (stop?.aborted) return null
        if (!(error instanceof CowrieError && retryable(error) && resumable(error, { isFirst }))) throw error
      }
      isFirst = false
      if (stop?.aborted) return null
      if (machine.nowMs() - heardAt > PATIENCE_MS) throw pending()
      listener.trouble('The connection broke; fetching the answer, which is paid once.')
      await machine.sleep(pauseMs, stop).catch(() => undefined)
      if (stop?.aborted) return null
    }
  }

  function send() {
    const { threadId, prompt, repo, frontier, maxMinor, key } = question
    const body = {
      prompt,
      maxMinor,
      ...(repo !== undefined && { repo }),
      ...(frontier !== undefined && { frontier }),
    }
    return client.chat.messages.send(threadId, body, { idempotencyKey: key, signal: connection.signal })
  }
}

/** Asks for the end; hangs up when the stream does not tell of it. */
async function end(client: Client, threadId: string, connection: AbortController): Promise<void> {
  const giveUp = setTimeout(() => connection.abort(), STOP_CONFIRMED_MS)
  giveUp.unref()
  await client.chat.messages.stop(threadId, {}, { timeoutMs: STOP_CONFIRMED_MS }).catch(() => {
    clearTimeout(giveUp)
    connection.abort()
  })
}

/** What became of it, once it is over. */
async function lookUp(
  client: Client,
  machine: Machine,
  { threadId, after }: Question,
): Promise<ChatMessage | null> {
  const startedAt = machine.nowMs()
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_LAST_MS)) {
    try {
      const { busy, messages } = await client.chat.threads.read(threadId, { limit: LOOK_MESSAGES })
      if (!busy)
        return messages.slice(messages.findIndex(({ id }) => id === after) + 1).findLast(isAnswer) ?? null
    } catch (error) {
      if (!(error instanceof CowrieError) || outcomeOf(error) === 'decided') throw error
    }
    if (machine.nowMs() - startedAt > STOP_PATIENCE_MS) throw pending()
    await machine.sleep(pauseMs, undefined)
  }
}

const isAnswer = ({ role }: ChatMessage): boolean => role === 'assistant'

const pending = (): Failure =>
  new Failure('answer_pending', 'The answer could not be fetched yet; it is kept, and paid once at most.', {
    exit: EXIT.pending,
    next: 'Run the same command again when the network is back.',
  })

/** What was shown of the text, held against what comes: after a cut only the rest is shown. */
function shownTo({ take, anew }: Listener) {
  let shown = ''
  let heard = ''
  function show(): void {
    if (shown.startsWith(heard)) return
    if (!heard.startsWith(shown)) {
      anew()
      shown = ''
    }
    take(heard.slice(shown.length))
    shown = heard
  }
  return {
    begin() {
      heard = ''
    },
    more(delta: string) {
      heard += delta
      show()
    },
    whole(text: string) {
      heard = text
      show()
    },
  }
}

/** Does something once the signal aborts, or has; returns how to take that back. */
function onAbort(signal: AbortSignal, work: () => Promise<void>): () => void {
  const run = () => void work()
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}
