// What a message would cost at most, while it is typed.
import type { ChatMessagesQuoteReply } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, asFailure } from '../api.ts'
import { isSaving } from '../app/data-saver.ts'

const PAUSE_MS = 450
const PAUSE_SAVING_MS = 1_500

/** `frontier` is the lane that was asked about. */
export type Quote = ChatMessagesQuoteReply & { frontier: boolean }

/** The newest one; of a text that has changed since it stays until the next one is there. Null where there is none. */
export function useQuote(thread: string, prompt: string, frontier: boolean): ReadonlySignal<Quote | null> {
  const quote = useSignal<Quote | null>(null)
  const asked = prompt.trim()
  useEffect(() => {
    if (asked === '') {
      quote.value = null
      return
    }
    const leaving = new AbortController()
    const timer = setTimeout(
      async () => {
        const { signal } = leaving
        const answer = await api.chat.messages
          .quote(thread, { prompt, frontier }, { signal })
          .catch((error: unknown) => (signal.aborted ? undefined : void asFailure(error)))
        if (!signal.aborted) quote.value = answer ? { ...answer, frontier } : null
      },
      isSaving.peek() ? PAUSE_SAVING_MS : PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [thread, asked, frontier])
  return quote
}
