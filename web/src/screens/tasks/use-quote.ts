// Requests the price of a turn after typing pauses. A newer request replaces the older one.
import type { TaskTurnQuote } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'

export type QuoteState =
  | { state: 'idle' }
  /** `last` is an earlier quote: shown, but not used. */
  | { state: 'asking'; last: TaskTurnQuote | null }
  | { state: 'ready'; quote: TaskTurnQuote }
  | { state: 'failed'; failure: ApiFailure }

const DEBOUNCE_MS = 450
const DEBOUNCE_SAVING_MS = 1_500

type Reply = { about: string; quote: TaskTurnQuote | null; failure: ApiFailure | null }

/** `name` identifies the request with everything that `ask` depends on. Null requests nothing. */
export function useQuote(
  name: string | null,
  ask: (signal: AbortSignal) => Promise<TaskTurnQuote>,
): { quoted: QuoteState; again(): void } {
  const reply = useSignal<Reply | null>(null)
  const round = useSignal(0)
  const wanted = isOnline.value ? name : null
  useEffect(() => {
    if (wanted === null) return
    const asking = new AbortController()
    const { signal } = asking
    const timer = setTimeout(
      () =>
        void ask(signal).then(
          (quote) => {
            if (!signal.aborted) reply.value = { about: wanted, quote: withinFunds(quote), failure: null }
          },
          (error: unknown) => {
            if (!signal.aborted) reply.value = { about: wanted, quote: null, failure: asFailure(error) }
          },
        ),
      isSaving.peek() ? DEBOUNCE_SAVING_MS : DEBOUNCE_MS,
    )
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [wanted, round.value])
  return {
    quoted: quoteState(wanted, reply.value),
    again() {
      reply.value = null
      round.value++
    },
  }
}

/** The maximum that is shown and sent is never more than there is to spend. */
const withinFunds = (quote: TaskTurnQuote): TaskTurnQuote =>
  quote.affordable && quote.availableMinor < quote.maxMinor
    ? { ...quote, maxMinor: quote.availableMinor }
    : quote

/** Decided while rendering, so that a press right after the last keystroke never uses an older quote. */
function quoteState(wanted: string | null, reply: Reply | null): QuoteState {
  if (wanted === null) return { state: 'idle' }
  if (reply?.about === wanted && reply.quote) return { state: 'ready', quote: reply.quote }
  if (reply?.about === wanted && reply.failure) return { state: 'failed', failure: reply.failure }
  return { state: 'asking', last: reply?.quote ?? null }
}
