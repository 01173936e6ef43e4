// Requests a quote after typing pauses. A newer request replaces the older one.
import type { AgentQuote, AgentQuoteBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { charactersOf } from './files.ts'

export type QuoteState =
  | { state: 'idle' }
  /** `last` is an earlier quote: shown, but not used. */
  | { state: 'asking'; last: AgentQuote | null }
  | { state: 'ready'; quote: AgentQuote }
  | { state: 'failed'; failure: ApiFailure }

const DEBOUNCE_MS = 450
/** Large requests wait longer. */
const DEBOUNCE_LARGE_MS = 1_500
const LARGE_CHARACTERS = 60_000

/** The request that the quote belongs to; null when it is outdated, which keeps the quote as the last one. */
type QuoteResponse = { about: AgentQuoteBody | null; quote: AgentQuote | null; failure: ApiFailure | null }

/** `body` must be the same object while the request is the same. Null requests nothing. */
export function useQuote(body: AgentQuoteBody | null): { quoted: QuoteState; again(): void } {
  const response = useSignal<QuoteResponse | null>(null)
  const round = useSignal(0)
  const wanted = isOnline.value ? body : null
  useEffect(() => {
    if (wanted === null) return
    const asking = new AbortController()
    const timer = setTimeout(() => void ask(wanted, asking.signal), debounceMs(wanted))
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [wanted, round.value])

  async function ask(about: AgentQuoteBody, signal: AbortSignal): Promise<void> {
    try {
      const quote = await api.agent.quote(about, { signal })
      if (!signal.aborted) response.value = { about, quote, failure: null }
    } catch (error) {
      if (!signal.aborted) response.value = { about, quote: null, failure: asFailure(error) }
    }
  }

  function again(): void {
    const last = response.peek()
    response.value = last && { ...last, about: null }
    round.value++
  }

  return { quoted: quoteStateOf(wanted, response.value), again }
}

/** Decided while rendering, so that a press right after the last keystroke never uses an older quote. */
function quoteStateOf(wanted: AgentQuoteBody | null, response: QuoteResponse | null): QuoteState {
  if (wanted === null) return { state: 'idle' }
  if (response?.about === wanted && response.quote) return { state: 'ready', quote: response.quote }
  if (response?.about === wanted && response.failure) return { state: 'failed', failure: response.failure }
  return { state: 'asking', last: response?.quote ?? null }
}

const debounceMs = ({ context = [] }: AgentQuoteBody): number =>
  isSaving.peek() || charactersOf(context) > LARGE_CHARACTERS ? DEBOUNCE_LARGE_MS : DEBOUNCE_MS
