// Runs the queries of a pass concurrently, with retries, within one deadline.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchHit, SearchQuery } from '../types.ts'
import type { SearchClient } from './providers.ts'
import { SearchFailure, type SearchFailureKind } from './search-http.ts'

export { createSearchClient, type ProviderResult, type SearchClient } from './providers.ts'
export { CONSIDERED_MAX, type PageCandidate, type PageSelection, selectPages } from './select-pages.ts'

export type SearchLimits = {
  readonly concurrency: number
  /** Per attempt. */
  readonly timeoutMs: number
  /** For all queries, including pauses. */
  readonly deadlineMs: number
  /** Retries after the first attempt. */
  readonly retries: number
  /** Hits per query. */
  readonly perQuery: number
  readonly signal: AbortSignal
}

export type SearchTrouble = SearchFailureKind | 'timeout' | 'deadline'

export type QueryResult = {
  readonly query: SearchQuery
  readonly hits: readonly SearchHit[]
  /** Requests that were sent. */
  readonly tries: number
  readonly trouble: SearchTrouble | null
}

/** Results in query order. Failed queries have a trouble and no hits. Throws only if the caller aborts. */
export async function searchAll(
  provider: SearchClient,
  queries: readonly SearchQuery[],
  limits: SearchLimits,
  random: () => number = Math.random,
): Promise<QueryResult[]> {
  limits.signal.throwIfAborted()
  const round: SearchBatch = {
    provider,
    limits,
    random,
    deadline: AbortSignal.timeout(limits.deadlineMs),
    endsAt: performance.now() + limits.deadlineMs,
    quietUntil: 0,
  }
  const answers: QueryResult[] = []
  const waiting = queries.entries()
  const work = async () => {
    for (const [at, query] of waiting) answers[at] = await searchOne(round, query)
  }
  await Promise.all(Array.from({ length: Math.min(limits.concurrency, queries.length) }, work))
  return answers
}

type SearchBatch = {
  readonly provider: SearchClient
  readonly limits: SearchLimits
  readonly random: () => number
  readonly deadline: AbortSignal
  readonly endsAt: number
  /** The provider asked for a pause until then. All queries respect it. */
  quietUntil: number
}

/** Errors that a retry may fix. */
const RETRYABLE: ReadonlySet<SearchTrouble> = new Set(['timeout', 'limited', 'unavailable'])

async function searchOne(batch: SearchBatch, query: SearchQuery): Promise<QueryResult> {
  let trouble: SearchTrouble | null = null
  let notBefore = 0
  for (let tries = 0; ; ) {
    if (!(await waitForTurn(batch, notBefore)))
      return { query, hits: [], tries, trouble: trouble ?? noTurnReason(batch) }
    const outcome = await searchOnce(batch, query)
    tries += 1
    if ('hits' in outcome) return { query, hits: outcome.hits, tries, trouble: null }
    trouble = outcome.trouble
    if (tries > batch.limits.retries || !RETRYABLE.has(trouble)) return { query, hits: [], tries, trouble }
    notBefore = performance.now() + batch.random() * backoffMs(tries)
    batch.quietUntil = Math.max(batch.quietUntil, performance.now() + outcome.pauseMs)
  }
}

/** False if the turn would come after the deadline. */
async function waitForTurn(batch: SearchBatch, notBefore: number): Promise<boolean> {
  const { signal } = batch.limits
  for (;;) {
    signal.throwIfAborted()
    const until = Math.max(notBefore, batch.quietUntil)
    if (Math.max(until, performance.now()) >= batch.endsAt || batch.deadline.aborted) return false
    const waitMs = until - performance.now()
    if (waitMs <= 0) return true
    // Another query may extend the pause meanwhile.
    await sleep(Math.ceil(waitMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

const noTurnReason = ({ quietUntil, endsAt }: SearchBatch): SearchTrouble =>
  quietUntil >= endsAt ? 'limited' : 'deadline'

type SearchAttempt =
  | { readonly hits: readonly SearchHit[] }
  | { readonly trouble: SearchTrouble; readonly pauseMs: number }

async function searchOnce(
  { provider, limits, deadline }: SearchBatch,
  query: SearchQuery,
): Promise<SearchAttempt> {
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

/** The longest backoff after this many tries. The actual pause is random, so queries do not retry together. */
const backoffMs = (tries: number): number => Math.min(BACKOFF_MS_MAX, FIRST_BACKOFF_MS * 2 ** (tries - 1))
