// Searching the web: many questions at a time, each tried again where that may help, all of them within one deadline.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hit, Query } from '../terms.ts'
import { type Failure, SearchFailure } from './ask.ts'
import type { Provider } from './providers.ts'

export { type Choosing, type Chosen, CONSIDERED_MAX, choose } from './choose.ts'
export { type Found, type Provider, providerOf } from './providers.ts'

export type SearchLimits = {
  readonly concurrency: number
  /** For each try. */
  readonly timeoutMs: number
  /** For all of them together, with their pauses. */
  readonly deadlineMs: number
  /** Further tries of a query after the first. */
  readonly retries: number
  /** Hits that are taken of each answer. */
  readonly perQuery: number
  readonly signal: AbortSignal
}

export type Trouble = Failure | 'timeout' | 'deadline'

export type Searched = {
  readonly query: Query
  readonly hits: readonly Hit[]
  /** Requests that were made for it. */
  readonly tries: number
  readonly trouble: Trouble | null
}

/**
 * The answers in the order of the queries. What could not be asked or answered in time is there with its trouble and no hits;
 * only the caller's abort is thrown.
 */
export async function searchAll(
  provider: Provider,
  queries: readonly Query[],
  limits: SearchLimits,
  random: () => number = Math.random,
): Promise<Searched[]> {
  limits.signal.throwIfAborted()
  const round: Round = {
    provider,
    limits,
    random,
    deadline: AbortSignal.timeout(limits.deadlineMs),
    endsAt: performance.now() + limits.deadlineMs,
    quietUntil: 0,
  }
  const answers: Searched[] = []
  const waiting = queries.entries()
  const work = async () => {
    for (const [at, query] of waiting) answers[at] = await searchOne(round, query)
  }
  await Promise.all(Array.from({ length: Math.min(limits.concurrency, queries.length) }, work))
  return answers
}

type Round = {
  readonly provider: Provider
  readonly limits: SearchLimits
  readonly random: () => number
  readonly deadline: AbortSignal
  readonly endsAt: number
  /** The provider has asked to be left alone until then. All queries keep to it, not only the one that was told. */
  quietUntil: number
}

/** What may be over by the next time. */
const PASSING: ReadonlySet<Trouble> = new Set(['timeout', 'limited', 'unavailable'])

async function searchOne(round: Round, query: Query): Promise<Searched> {
  let trouble: Trouble | null = null
  let notBefore = 0
  for (let tries = 0; ; ) {
    if (!(await waitForTurn(round, notBefore)))
      return { query, hits: [], tries, trouble: trouble ?? whyNoTurn(round) }
    const outcome = await tryOnce(round, query)
    tries += 1
    if ('hits' in outcome) return { query, hits: outcome.hits, tries, trouble: null }
    trouble = outcome.trouble
    if (tries > round.limits.retries || !PASSING.has(trouble)) return { query, hits: [], tries, trouble }
    notBefore = performance.now() + round.random() * backoffMs(tries)
    round.quietUntil = Math.max(round.quietUntil, performance.now() + outcome.pauseMs)
  }
}

/** False: its turn would come after the deadline. */
async function waitForTurn(round: Round, notBefore: number): Promise<boolean> {
  const { signal } = round.limits
  for (;;) {
    signal.throwIfAborted()
    const until = Math.max(notBefore, round.quietUntil)
    if (Math.max(until, performance.now()) >= round.endsAt || round.deadline.aborted) return false
    const waitMs = until - performance.now()
    if (waitMs <= 0) return true
    // Another query may be told to wait in the meantime, and then this one does as well.
    await sleep(Math.ceil(waitMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

const whyNoTurn = ({ quietUntil, endsAt }: Round): Trouble => (quietUntil >= endsAt ? 'limited' : 'deadline')

type Outcome =
  | { readonly hits: readonly Hit[] }
  | { readonly trouble: Trouble /** What the provider asks for. */; readonly pauseMs: number }

async function tryOnce({ provider, limits, deadline }: Round, query: Query): Promise<Outcome> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = AbortSignal.any([limits.signal, deadline, timeout])
  try {
    const found = await provider.search(query.text, limits.perQuery, signal)
    return { hits: found.map((page, rank) => ({ ...page, rank, query })) }
  } catch (error) {
    limits.signal.throwIfAborted()
    if (error instanceof SearchFailure) return { trouble: error.failure, pauseMs: error.pauseMs ?? 0 }
    if (deadline.aborted) return { trouble: 'deadline', pauseMs: 0 }
    if (timeout.aborted) return { trouble: 'timeout', pauseMs: 0 }
    throw error
  }
}

const FIRST_BACKOFF_MS = 500
const BACKOFF_MS_MAX = 8_000

/** The longest pause after so many tries. How much of it is waited is left to chance, so that queries do not return together. */
const backoffMs = (tries: number): number => Math.min(BACKOFF_MS_MAX, FIRST_BACKOFF_MS * 2 ** (tries - 1))
