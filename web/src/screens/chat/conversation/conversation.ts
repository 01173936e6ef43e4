// The state of one conversation: messages and the answer in progress. An answer survives its connection and the screen:
// the user finds it again on return. Nothing is resent automatically.
import { type ChatLastFrame, type ChatMessage, outcomeOf, resumable, type ThreadDetail } from '@cowrie/sdk'
import { signal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { ApiFailure, asFailure } from '../../../data/failure.ts'
import { newKey } from '../../../data/paid-request.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { reloadSession } from '../../../data/session.ts'
import { loadRow, saveRow } from '../../../data/storage/browser-store.ts'
import { announceEnd, announceProgress, announceStart } from './announce-answer.ts'
import type { AnswerInProgress, ChatRequest, Conversation } from './conversation-types.ts'

const PAGE = 40
const PROGRESS_MS = 8_000
/** A stop that the stream does not confirm by then is looked up. */
const STOP_PATIENCE_MS = 4_000
const LOOK_FIRST_MS = 700
const LOOK_LAST_MS = 8_000

/** We closed the connection: the state of the answer is looked up, as after any lost connection. */
const DISCONNECTED = new ApiFailure({ status: 0, code: 'stream_cut', message: 'The connection was lost.' })

export function createConversation(owner: string, id: string): Conversation {
  const thread = signal<ThreadDetail | null>(null)
  const asOf = signal<Date | null>(null)
  const live = signal<AnswerInProgress | null>(null)
  const missing = signal<ApiFailure | null>(null)
  const refused = signal<ApiFailure | null>(null)
  let failed: { key: string; ask: ChatRequest; answerId: string } | null = null
  /** A message that may have arrived: the same text again is the same message and is paid once. */
  let undecided: { key: string; ask: ChatRequest } | null = null
  let connection = new AbortController()
  const hangUp = () => connection.abort(DISCONNECTED)

  async function load(): Promise<void> {
    missing.value = null
    try {
      const found = await api.chat.threads.read(id, { limit: PAGE })
      // The user has sent a message meanwhile.
      if (live.peek()) return
      learn(found)
    } catch (error) {
      await showKept(asFailure(error))
      return
    }
    // A message was sent on another device or before a reload.
    if (thread.peek()?.busy) {
      live.value = { question: null, text: '', phase: 'checking' }
      await lookUp(null)
    }
  }

  /** Stores the thread for offline reading. */
  function learn(found: ThreadDetail): void {
    thread.value = found
    asOf.value = null
    void saveRow(owner, 'read', `chat.${id}`, found)
  }

  async function showKept(failure: ApiFailure): Promise<void> {
    const last = failure.status === 0 ? await loadRow<ThreadDetail>(owner, 'read', `chat.${id}`) : null
    if (!last) {
      missing.value = failure
      return
    }
    thread.value ??= last.value
    asOf.value = new Date(last.at)
  }

  async function earlier(): Promise<void> {
    const known = thread.peek()
    if (!known?.messagesCursor) return
    const page = await api.chat.threads.read(id, { limit: PAGE, cursor: known.messagesCursor })
    const now = thread.peek() ?? known
    thread.value = {
      ...now,
      messages: [...page.messages, ...now.messages],
      messagesCursor: page.messagesCursor,
    }
  }

  const sameAs = ({ prompt, frontier }: Omit<ChatRequest, 'maxMinor'>) =>
    undecided?.ask.prompt === prompt && undecided.ask.frontier === frontier ? undecided : null

  async function send(wanted: ChatRequest, asKey?: string): Promise<boolean> {
    if (live.peek() || !thread.peek()) return false
    const before = sameAs(wanted)
    const { ask, key } = before ?? { ask: wanted, key: asKey ?? newKey() }
    undecided = null
    refused.value = null
    live.value = { question: ask.prompt, text: '', phase: 'asking' }
    connection = new AbortController()
    // A phone without network does not notice a dead stream for a long time.
    addEventListener('offline', hangUp)
    const still = setInterval(() => live.peek()?.phase === 'writing' && announceProgress(), PROGRESS_MS)
    try {
      const last = await listen(ask, key)
      if (!last) return await lookUp({ ask, key })
      settle(last, ask)
      return true
    } catch (error) {
      const failure = asFailure(error)
      if (!isRefusal(failure, live.peek())) return await lookUp({ ask, key }, failure)
      if (before && resumable(failure)) undecided = before
      refused.value = failure
      live.value = null
      return false
    } finally {
      clearInterval(still)
      removeEventListener('offline', hangUp)
    }
  }

  /** Reads the stream to its end and returns the last event, if it arrived. */
  async function listen(ask: ChatRequest, idempotencyKey: string): Promise<ChatLastFrame | null> {
    const { signal: until } = connection
    for await (const frame of api.chat.messages.send(id, ask, { idempotencyKey, signal: until })) {
      if (!('delta' in frame)) return frame
      const { phase = 'asking', text = '' } = live.peek() ?? {}
      if (phase === 'asking') {
        announceStart()
        if (!isSaving.peek()) void reloadSession()
      }
      // Text after a stop comes with the last event; the shown text stops at once.
      if (phase !== 'stopping')
        live.value = { question: ask.prompt, text: text + frame.delta, phase: 'writing' }
    }
    return null
  }

  function settle({ message, userMessage }: ChatLastFrame, { prompt }: ChatRequest): void {
    const known = thread.peek()
    if (!known) return
    const question: ChatMessage = {
      ...{ id: userMessage.id, role: 'user', content: prompt, createdAt: userMessage.createdAt },
      ...{ lane: null, model: null, costMinor: 0n, status: 'complete', errorCode: null },
    }
    learn({ ...known, archived: false, busy: false, messages: [...known.messages, question, message] })
    live.value = null
    finish(message)
    if (known.title === '') void freshTitle()
  }

  /** The service names a thread after its first question. */
  async function freshTitle(): Promise<void> {
    const { title } = await api.chat.threads.read(id, { limit: 1 }).catch(() => ({ title: '' }))
    const now = thread.peek()
    // The user has renamed it meanwhile.
    if (now?.title === '' && title) thread.value = { ...now, title }
  }

  function finish(message: ChatMessage): void {
    announceEnd(message)
    void reloadSession()
  }

  /** Polls until the answer has ended, also through an offline period. True if the question had arrived. */
  async function lookUp(
    sent: { ask: ChatRequest; key: string } | null,
    cause?: ApiFailure,
  ): Promise<boolean> {
    const before = thread.peek()?.messages.at(-1)?.id ?? null
    live.value = { question: null, text: '', ...live.peek(), phase: 'checking' }
    const found = await untilOver()
    if (!found) return false
    learn(found)
    live.value = null
    const said = found.messages.slice(found.messages.findIndex(({ id: each }) => each === before) + 1)
    const answer = said.findLast(({ role }) => role === 'assistant')
    if (!answer) {
      undecided = sent
      refused.value = cause ?? null
      return sent === null
    }
    if (answer.status === 'failed') {
      failed = sent && { ...sent, answerId: answer.id }
      refused.value = cause && cause.status >= 400 ? cause : null
    }
    finish(answer)
    return true
  }

  async function untilOver(): Promise<ThreadDetail | null> {
    for (let pauseMs = LOOK_FIRST_MS; ; pauseMs = Math.min(pauseMs * 1.6, LOOK_LAST_MS)) {
      try {
        const found = await api.chat.threads.read(id, { limit: PAGE })
        if (!found.busy) return found
      } catch (error) {
        const failure = asFailure(error)
        if (outcomeOf(failure) === 'decided') {
          missing.value = failure
          live.value = null
          return null
        }
      }
      await pause(pauseMs)
    }
  }

  async function stop(): Promise<void> {
    const now = live.peek()
    if (!now || now.phase === 'stopping') return
    if (now.phase !== 'checking') live.value = { ...now, phase: 'stopping' }
    // Only this answer: the next one may be running by then.
    const stopped = connection
    const giveUp = setTimeout(() => stopped.abort(DISCONNECTED), STOP_PATIENCE_MS)
    try {
      await api.chat.messages.stop(id)
    } catch (error) {
      // The answer continues, and so does its text.
      refused.value = asFailure(error)
      clearTimeout(giveUp)
      hangUp()
    }
  }

  return {
    thread,
    live,
    asOf,
    isUndecided: () => undecided !== null,
    quotedBefore: (ask) => sameAs(ask)?.ask.maxMinor ?? null,
    quotedFor: ({ id: answerId, status }) =>
      status === 'failed' && failed?.answerId === answerId ? failed.ask.maxMinor : null,
    missing,
    failure: refused,
    load,
    earlier,
    send: (ask) => send(ask),
    async retry(message) {
      const known = thread.peek()
      const at = known?.messages.findIndex(({ id: each }) => each === message.id) ?? -1
      const question = known?.messages[at - 1]
      // The price of earlier messages is unknown.
      if (!known || question?.role !== 'user' || failed?.answerId !== message.id) return false
      // With the same key the new answer replaces the failed one.
      const before = { ...known, messages: known.messages.slice(0, at - 1) }
      thread.value = before
      const isTaken = await send(failed.ask, failed.key)
      if (!isTaken && thread.peek() === before) thread.value = known
      return isTaken
    },
    stop,
    async change(edit) {
      const changed = await api.chat.threads.change(id, edit)
      const now = thread.peek()
      if (now) thread.value = { ...now, ...changed }
    },
  }
}

/** Refused before the answer began: there is nothing to look up. A 5xx may have left a failed answer in the thread. */
const isRefusal = (failure: ApiFailure, live: AnswerInProgress | null): boolean =>
  failure.status < 500 && outcomeOf(failure) !== 'unknown' && live?.text === ''

/** Ends early when the network is back. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, isSaving.peek() ? ms * 2 : ms)
    addEventListener('online', done)
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
  })

const isOpen = ({ live, isUndecided }: Conversation): boolean => live.peek() !== null || isUndecided()

/** Conversations of this page, by owner. One with a running answer stays while the user is on another screen. */
const opened = new Map<string, Conversation>()

/** Whether a message was sent in this conversation on this page. */
export function isInUse(owner: string, id: string): boolean {
  const known = opened.get(`${owner} ${id}`)
  return known !== undefined && (isOpen(known) || (known.thread.peek()?.messages.length ?? 0) > 0)
}

export function conversationOf(owner: string, id: string): Conversation {
  const name = `${owner} ${id}`
  const before = opened.get(name)
  if (before && isOpen(before)) return before
  const fresh = createConversation(owner, id)
  for (const [each, conversation] of opened) if (!isOpen(conversation)) opened.delete(each)
  opened.set(name, fresh)
  return fresh
}
