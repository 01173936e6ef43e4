// Rate limits per client address: exact across replicas, and mostly from memory. See decisions/0005.
import type { Clock } from '../../../kernel/clock.ts'
import { bucketAddress } from '../access/client-address.ts'
import { createLeaseQueue } from './lease-queue.ts'
import { createBucket, decide } from './window.ts'
import { createWindowCache } from './window-cache.ts'

/** `document` is only for the API document, which the contract exempts from the other four. */
export type BucketName = 'auth' | 'webhook' | 'money' | 'global' | 'document'
export type Limit = { requests: number; seconds: number }

export type RateVerdict = {
  readonly allowed: boolean
  readonly limit: number
  /** As known to this process: other replicas may have leased or spent some of it. Never negative. */
  readonly remaining: number
  /** The window has ended after this many seconds. At least 1. */
  readonly resetSeconds: number
  /** In the format of the header: `1200;w=60`. */
  readonly policy: string
}

export type LeaseRequest = { bucket: string; address: string; want: number; limit: Limit }
export type Lease = { granted: number; used: number; resetsAtMs: number }

/**
 * The shared counters of all replicas. `take` grants each request, whose keys are distinct, the tokens it wants, or
 * those that the window has left. A smaller grant means that the window is used up. A token counts as used when it is
 * granted. A window starts with the first take after the end of the previous one.
 */
export type LeaseStore = {
  take(asks: LeaseRequest[]): Promise<Lease[]>
  /** Deletes a bounded number of old windows and returns that number. */
  sweep?(): Promise<number>
  close(): Promise<void>
}

export type RateLimiter = {
  /**
   * Counts one request of a client address. Synchronous while this process has leased tokens or knows that the window is
   * used up: the hot path creates no promise.
   *
   * While the store is unavailable, `auth` and `money` reject with a 503, because uncounted password guesses or payments
   * are worse than a pause. Other buckets continue with local counts, so that each replica admits at most one limit per
   * window.
   */
  check(bucket: BucketName, address: string): RateVerdict | Promise<RateVerdict>
  /** One replica calls this about every minute. */
  sweep(): Promise<number>
  close(): Promise<void>
}

export type RateOptions = {
  /** A store that takes longer counts as unavailable. */
  storeTimeoutMs: number
  /** No store calls for this long after a failure. */
  storePauseMs: number
  /** Cached windows per bucket. Dropping the oldest loses the rest of its lease. */
  addressesMax: number
  /** Requests that may wait for the store. Further ones are treated as if the store were unavailable. */
  waitingMax: number
  onStoreFailure: (error: unknown) => void
}

const DEFAULTS: RateOptions = {
  storeTimeoutMs: 1_000,
  storePauseMs: 1_000,
  addressesMax: 50_000,
  waitingMax: 5_000,
  onStoreFailure: (error) => process.emitWarning(`the store of the rate limits failed: ${error}`),
}

const FAILS_OPEN: Record<BucketName, boolean> = {
  auth: false,
  money: false,
  webhook: true,
  global: true,
  document: true,
}

export function createRateLimiter(
  store: LeaseStore,
  limits: Record<BucketName, Limit>,
  clock: Clock,
  options: Partial<RateOptions> = {},
): RateLimiter {
  const settings = { ...DEFAULTS, ...options }
  const queue = createLeaseQueue(store, clock, settings)
  const remember = (name: BucketName) =>
    createWindowCache(createBucket(name, limits[name], FAILS_OPEN[name]), settings.addressesMax)
  const windows = {
    auth: remember('auth'),
    webhook: remember('webhook'),
    money: remember('money'),
    global: remember('global'),
    document: remember('document'),
  }

  return {
    check(name, address) {
      const nowMs = clock.now().getTime()
      const window = windows[name].windowOf(bucketAddress(address), nowMs)
      return decide(window, nowMs) ?? queue.wait(window, nowMs)
    },
    sweep: async () => (await store.sweep?.()) ?? 0,
    async close() {
      await queue.close()
      await store.close()
    },
  }
}

/** The headers of every limited response, as the contract names them. */
export function rateHeaders(verdict: RateVerdict): Record<string, string> {
  const headers: Record<string, string> = {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetSeconds),
    'ratelimit-policy': verdict.policy,
  }
  if (!verdict.allowed) headers['retry-after'] = headers['ratelimit-reset'] ?? '1'
  return headers
}
