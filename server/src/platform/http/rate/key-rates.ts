// The rates of API keys: requests and tokens per minute, shared by all replicas. Keys without a rate never come here.
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { KeyId } from '../../../kernel/ids.ts'
import type { KeyRate, LimitedId } from '../actor.ts'
import { createLeaseQueue, type LeaseQueueOptions, within } from './lease-queue.ts'
import type { LeaseRequest, LeaseStore } from './lease-store.ts'
import { createBucket, decide, isLive, newWindow, type RateVerdict, type Window } from './window.ts'

export type KeyRates = {
  /** Counts a request against each of these rates. Throws `key_rate_limited`. */
  countRequest(keyId: LimitedId, rates: readonly KeyRate[]): Promise<void>
  /**
   * Throws `key_rate_limited` once the tokens of the current minute have reached one of these rates. The call that
   * reaches it is completed; later calls are refused until the minute ends.
   */
  requireTokens(keyId: KeyId, rates: readonly KeyRate[]): Promise<void>
  /** Counts the tokens of settled work. A key without a token rate, or unknown to this process, is not counted. */
  countTokens(keyId: KeyId, tokens: number): Promise<void>
  close(): Promise<void>
}

const SECONDS = 60
const KEYS_MAX = 20_000
const REQUESTS = 'key_requests'
const TOKENS = 'key_tokens'

/** While the store is unavailable, requests are counted locally and tokens are not limited. */
export function createKeyRates(store: LeaseStore, clock: Clock, options: LeaseQueueOptions): KeyRates {
  const queue = createLeaseQueue(store, clock, options)
  const windows = new Map<LimitedId, Window>()
  // The token rates of keys, from their last paid request: settled work knows only its key.
  const tokenRates = new Map<LimitedId, readonly KeyRate[]>()
  // Tokens on their way to the store. The next request of the same key waits for them.
  const counting = new Map<LimitedId, Promise<unknown>>()

  function windowOf(keyId: LimitedId, requests: number, nowMs: number): Window {
    const found = windows.get(keyId)
    // A changed limit starts with a new lease, which the store measures against the same count.
    if (found?.bucket.limit.requests === requests && (isLive(found, nowMs) || found.waiters.length > 0))
      return found
    const window = newWindow(createBucket(REQUESTS, { requests, seconds: SECONDS }, true), keyId)
    remember(windows, keyId, window)
    return window
  }

  function take(requests: readonly LeaseRequest[]) {
    return within(options.storeTimeoutMs, store.take([...requests])).catch((error) => {
      options.onStoreFailure(error)
      return []
    })
  }

  return {
    async countRequest(keyId, rates) {
      for (const { keyId: limited, requestsPerMinute: limit } of rates) {
        if (limit === null) continue
        const nowMs = clock.now().getTime()
        const window = windowOf(limited, limit, nowMs)
        const verdict: RateVerdict = await (decide(window, nowMs) ?? queue.wait(window, nowMs))
        if (!verdict.allowed) throw limitReached(limited === keyId, limit, 'requests', verdict.resetSeconds)
      }
    },

    async requireTokens(keyId, rates) {
      const limits = rates.filter(({ tokensPerMinute }) => tokensPerMinute !== null)
      if (limits.length === 0) return
      remember(tokenRates, keyId, limits)
      await Promise.all(limits.map((rate) => counting.get(rate.keyId)))
      const leases = await take(limits.map((rate) => tokenRequest(rate, 0)))
      for (const [i, { used, resetsAtMs }] of leases.entries()) {
        const { keyId: limited, tokensPerMinute } = limits[i] as KeyRate
        const limit = tokensPerMinute ?? 0
        if (used < limit) continue
        const seconds = Math.max(1, Math.ceil((resetsAtMs - clock.now().getTime()) / 1000))
        throw limitReached(limited === keyId, limit, 'tokens', seconds)
      }
    },

    async countTokens(keyId, tokens) {
      const limits = tokenRates.get(keyId)
      if (!limits || tokens <= 0) return
      const counted = take(limits.map((rate) => tokenRequest(rate, tokens)))
      const all = Promise.all([counted, ...limits.map((rate) => counting.get(rate.keyId))])
      for (const rate of limits) counting.set(rate.keyId, all)
      await all
      for (const rate of limits) if (counting.get(rate.keyId) === all) counting.delete(rate.keyId)
    },

    close: () => queue.close(),
  }
}

const tokenRequest = ({ keyId, tokensPerMinute }: KeyRate, want: number): LeaseRequest => ({
  bucket: TOKENS,
  address: keyId,
  want,
  limit: { requests: tokensPerMinute ?? 0, seconds: SECONDS },
})

// A full map is cleared, which costs the rest of some leases.
function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= KEYS_MAX && !map.has(key)) map.clear()
  map.set(key, value)
}

function limitReached(isOwn: boolean, limit: number, unit: string, retryAfter: number): ApiError {
  const key = isOwn ? 'This API key' : 'The API key that created this one'
  return new ApiError('key_rate_limited', {
    error: `${key} is limited to ${limit} ${unit} per minute. Wait for the time in Retry-After, or raise the limit.`,
    retryAfter,
  })
}
