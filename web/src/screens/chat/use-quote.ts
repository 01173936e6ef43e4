// The maximum price of the message in the form: requested after typing pauses, or at once when the user wants to send.
// A price is only shown for the exact message it was requested for.
import type { ChatMessagesQuoteReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type ApiFailure, asFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { ownRepo } from '../repo-index/chosen-repo.ts'

const PAUSE_MS = 450
const PAUSE_SAVING_MS = 1_500

/** `after` is the last message before it: the earlier conversation and the mode are part of the price. */
export type Message = { thread: string; after: string; mode: string; prompt: string; frontier: boolean }

export type QuoteState =
  | { state: 'idle' }
  /** `failure`: why the previous text has no price. Shown until the next response. */
  | { state: 'asking'; failure: ApiFailure | null }
  /** `isAwaited`: the user wanted to send before the price arrived. */
  | { state: 'ready'; quote: ChatMessagesQuoteReply; isAwaited: boolean }
  | { state: 'failed'; failure: ApiFailure }

/** Outdated without `about`. */
type QuoteResponse = { about: Message | null } & (
  | { quote: ChatMessagesQuoteReply; failure: null }
  | { quote: null; failure: ApiFailure }
)

export type MessageQuote = {
  quoted: QuoteState
  /** Requests at once, also after a failure. */
  hurry(): void
  /** Discards the known price. */
  again(): void
}

export function useQuote(message: Message, isWanted: boolean): MessageQuote {
  const { thread, after, mode, prompt, frontier } = message
  const response = useSignal<QuoteResponse | null>(null)
  const awaited = useSignal<Message | null>(null)
  const round = useSignal(0)
  const askNow = useRef<(() => void) | null>(null)
  const isUrgent = useRef(false)
  const isOn = isWanted && isOnline.value
  const about = useMemo(() => (isOn ? message : null), [thread, after, mode, prompt, frontier, isOn])

  useEffect(() => {
    if (!about) return
    const leaving = new AbortController()
    const start = () => {
      clearTimeout(timer)
      askNow.current = null
      void ask(about, leaving.signal)
    }
    const timer = setTimeout(start, isUrgent.current ? 0 : isSaving.peek() ? PAUSE_SAVING_MS : PAUSE_MS)
    isUrgent.current = false
    askNow.current = start
    return () => {
      clearTimeout(timer)
      askNow.current = null
      leaving.abort()
    }
  }, [about, round.value])

  async function ask(wanted: Message, signal: AbortSignal): Promise<void> {
    try {
      const body = { prompt: wanted.prompt, ...ownRepo(), frontier: wanted.frontier }
      const quote = await api.chat.messages.quote(wanted.thread, body, { signal })
      if (!signal.aborted) response.value = { about: wanted, quote, failure: null }
    } catch (error) {
      if (!signal.aborted) response.value = { about: wanted, quote: null, failure: asFailure(error) }
    }
  }

  function again(): void {
    isUrgent.current = true
    const last = response.peek()
    response.value = last && { ...last, about: null }
    round.value++
  }

  return {
    quoted: quoteStateOf(about, response.value, awaited.value),
    hurry() {
      awaited.value = about
      if (response.peek()?.about === about) again()
      else askNow.current?.()
    },
    again,
  }
}

function quoteStateOf(
  about: Message | null,
  response: QuoteResponse | null,
  awaited: Message | null,
): QuoteState {
  if (!about) return { state: 'idle' }
  if (response?.about !== about) return { state: 'asking', failure: response?.failure ?? null }
  if (response.quote) return { state: 'ready', quote: response.quote, isAwaited: awaited === about }
  return { state: 'failed', failure: response.failure }
}
