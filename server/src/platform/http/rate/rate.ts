// Rate limits per client address: exact across replicas, and mostly from memory. See decisions/0005.
import type { Clock } from '../../../kernel/clock.ts'
import { bucketAddress } from '../access/client-address.ts'
import type { ResponseHead } from '../reply/headers.ts'
import { createLeaseQueue, type LeaseQueueOptions } from './lease-queue.ts'
import type { BucketName, LeaseStore, Limit } from './lease-store.ts'
import { createBucket, decide, type RateVerdict } from './window.ts'
import { createWindowCache } from './window-cache.ts'

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

export type RateOptions = LeaseQueueOptions & {
  /** Cached windows per bucket. Dropping the oldest loses the rest of its lease. */
  addressesMax: number
}

export const RATE_DEFAULTS: RateOptions = {
  storeTimeoutMs: 1_000,
  storePauseMs: 1_000,
  addressesMax: 50_000,
  waitingMax: 5_000,
  onStoreFailure: (error) => process.emitWarning(`the rate limit store failed: ${error}`),
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
  const settings = { ...RATE_DEFAULTS, ...options }
  const queue = createLeaseQueue(store, clock, settings)
  const createCache = (name: BucketName) =>
    createWindowCache(createBucket(name, limits[name], FAILS_OPEN[name]), settings.addressesMax)
  const windows = {
    auth: createCache('auth'),
    webhook: createCache('webhook'),
    money: createCache('money'),
    global: createCache('global'),
    document: createCache('document'),
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

/** Adds the headers of every limited response, as the contract names them. */
export function addRateHeaders(head: Pick<ResponseHead, 'add'>, verdict: RateVerdict): void {
  const reset = String(verdict.resetSeconds)
  head.add('ratelimit-limit', String(verdict.limit))
  head.add('ratelimit-remaining', String(verdict.remaining))
  head.add('ratelimit-reset', reset)
  head.add('ratelimit-policy', verdict.policy)
  if (!verdict.allowed) head.add('retry-after', reset)
}
