// Sends one message and receives its answer across connection failures. The same idempotency key is used for each retry, so
// it is charged once. A stopped message is not resent; its outcome is read from the conversation.
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
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Machine } from '../system/machine.ts'

export type Question = {
  readonly threadId: string
  readonly prompt: string
  /** The indexed repository for code context. */
  readonly repo: string | undefined
  readonly frontier: boolean | undefined
  /** The maximum cost shown to the user. */
  readonly maxMinor: bigint
  readonly key: string
  /** The id of the previous message; empty without one. */
  readonly isFirst: boolean
  /** The last message before it; empty where there was none. */
  readonly after: string
}

/** `null` when it was stopped before the answer started. */
export type AnswerOutcome = { readonly message: ChatMessage; readonly last: ChatLastFrame | null } | null

export type Listener = {
  take(text: string): void
  /** Discards the text shown so far: the answer restarts. */
  restart(): void
  warn(sentence: string): void
}

const PAUSE_FIRST_MS = 500
const PAUSE_LAST_MS = 8_000
/** After this silence, the answer is left for a later command. */
const GIVE_UP_MS = 3 * 60_000
/** How long to wait for the stream to confirm a stop before looking it up. */
const STOP_CONFIRMED_MS = 4_000
const STOP_GIVE_UP_MS = 30_000
const LOOK_MESSAGES = 10

export async function answerTo(
  { client, machine }: Pick<Context, 'client' | 'machine'>,
  question: Question,
  listener: Listener,
  stop: AbortSignal | undefined,
): Promise<AnswerOutcome> {
  const connection = new AbortController()
  const shown = createTextView(listener)
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

  /** Null when it was stopped and the stream did not report the outcome. */
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
      if (machine.nowMs() - heardAt > GIVE_UP_MS) throw pending()
      listener.warn('The connection broke. Fetching the answer; it is charged once.')
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

/** Requests the stop; disconnects when the stream does not confirm it. */
async function end(client: Client, threadId: string, connection: AbortController): Promise<void> {
  const giveUp = setTimeout(() => connection.abort(), STOP_CONFIRMED_MS)
  giveUp.unref()
  await client.chat.messages.stop(threadId, {}, { timeoutMs: STOP_CONFIRMED_MS }).catch(() => {
    clearTimeout(giveUp)
    connection.abort()
  })
}

/** The outcome, once it is final. */
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
    if (machine.nowMs() - startedAt > STOP_GIVE_UP_MS) throw pending()
    await machine.sleep(pauseMs, undefined)
  }
}

const isAnswer = ({ role }: ChatMessage): boolean => role === 'assistant'

const pending = (): Failure =>
  new Failure(
    'answer_pending',
    'The answer could not be fetched yet. It is stored, and charged at most once.',
    {
      exit: EXIT.pending,
      next: 'Run the same command again when the network is back.',
    },
  )

/** The text shown so far: after a reconnect only the rest is shown. */
function createTextView({ take, restart }: Listener) {
  let shown = ''
  let received = ''
  function show(): void {
    if (shown.startsWith(received)) return
    if (!received.startsWith(shown)) {
      restart()
      shown = ''
    }
    take(received.slice(shown.length))
    shown = received
  }
  return {
    begin() {
      received = ''
    },
    more(delta: string) {
      received += delta
      show()
    },
    whole(text: string) {
      received = text
      show()
    },
  }
}

/** Calls back when the signal aborts, or at once if it has; returns the unsubscribe function. */
function onAbort(signal: AbortSignal, work: () => Promise<void>): () => void {
  const run = () => void work()
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}
