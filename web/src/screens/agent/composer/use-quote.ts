// Requests a quote after typing pauses. A newer request replaces the older one.
import type { AgentQuote, AgentQuoteBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { charactersOf } from './files.ts'

export type Quoted =
  | { state: 'idle' }
  /** `last` is an earlier quote: shown, but not used. */
  | { state: 'asking'; last: AgentQuote | null }
  | { state: 'ready'; quote: AgentQuote }
  | { state: 'failed'; failure: ApiFailure }

const SETTLE_MS = 450
/** Large requests wait longer. */
const SETTLE_LARGE_MS = 1_500
const LARGE_CHARACTERS = 60_000

/** The request that the quote belongs to; null when it is outdated, which keeps the quote as the last one. */
type Told = { about: AgentQuoteBody | null; quote: AgentQuote | null; failure: ApiFailure | null }

/** `body` must be the same object while the request is the same. Null requests nothing. */
export function useQuote(body: AgentQuoteBody | null): { quoted: Quoted; again(): void } {
  const told = useSignal<Told | null>(null)
  const round = useSignal(0)
  const wanted = isOnline.value ? body : null
  useEffect(() => {
    if (wanted === null) return
    const asking = new AbortController()
    const timer = setTimeout(() => void ask(wanted, asking.signal), settleFor(wanted))
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [wanted, round.value])

  async function ask(about: AgentQuoteBody, signal: AbortSignal): Promise<void> {
    try {
      const quote = await api.agent.quote(about, { signal })
      if (!signal.aborted) told.value = { about, quote, failure: null }
    } catch (error) {
      if (!signal.aborted) told.value = { about, quote: null, failure: asFailure(error) }
    }
  }

  function again(): void {
    const last = told.peek()
    told.value = last && { ...last, about: null }
    round.value++
  }

  return { quoted: quotedOf(wanted, told.value), again }
}

/** Decided while rendering, so that a press right after the last keystroke never uses an older quote. */
function quotedOf(wanted: AgentQuoteBody | null, told: Told | null): Quoted {
  if (wanted === null) return { state: 'idle' }
  if (told?.about === wanted && told.quote) return { state: 'ready', quote: told.quote }
  if (told?.about === wanted && told.failure) return { state: 'failed', failure: told.failure }
  return { state: 'asking', last: told?.quote ?? null }
}

const settleFor = ({ context = [] }: AgentQuoteBody): number =>
  isSaving.peek() || charactersOf(context) > LARGE_CHARACTERS ? SETTLE_LARGE_MS : SETTLE_MS
