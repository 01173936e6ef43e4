// The price while it is typed: asked when the typing rests, and the older question is dropped.
import type { AgentQuote, AgentQuoteBody } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ApiFailure, api, asFailure } from '../api.ts'
import { isSaving } from '../app/data-saver.ts'
import { isOnline } from '../app/network.ts'
import { charactersOf } from './files.ts'

export type Quoted =
  | { state: 'idle' }
  /** `last` is the price of something else: it is shown, not relied on. */
  | { state: 'asking'; last: AgentQuote | null }
  | { state: 'ready'; quote: AgentQuote }
  | { state: 'failed'; failure: ApiFailure }

const SETTLE_MS = 450
/** Where a question is costly to send, it waits until somebody has stopped for good. */
const SETTLE_LARGE_MS = 1_500
const LARGE_CHARACTERS = 60_000

/** `body` is the same object for as long as it asks for the same; null asks for nothing. */
export function useQuote(body: AgentQuoteBody | null): { current: ReadonlySignal<Quoted>; again(): void } {
  const current = useSignal<Quoted>({ state: 'idle' })
  const round = useSignal(0)
  const online = isOnline.value
  useEffect(() => {
    if (body === null || !online) {
      current.value = { state: 'idle' }
      return
    }
    const before = current.peek()
    const last = before.state === 'ready' ? before.quote : before.state === 'asking' ? before.last : null
    current.value = { state: 'asking', last }
    const asking = new AbortController()
    const timer = setTimeout(() => void ask(body, asking.signal), settleFor(body))
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [body, online, round.value])

  async function ask(about: AgentQuoteBody, signal: AbortSignal): Promise<void> {
    try {
      const quote = await api.agent.quote(about, { signal })
      if (!signal.aborted) current.value = { state: 'ready', quote }
    } catch (error) {
      if (!signal.aborted) current.value = { state: 'failed', failure: asFailure(error) }
    }
  }

  return { current, again: () => round.value++ }
}

const settleFor = ({ context = [] }: AgentQuoteBody): number =>
  isSaving.peek() || charactersOf(context) > LARGE_CHARACTERS ? SETTLE_LARGE_MS : SETTLE_MS
