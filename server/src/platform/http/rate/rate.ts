// Rate limits per client address: exact across replicas, and mostly from memory. See decisions/0005.
import type { Clock } from '../../../kernel/clock.ts'
import { bucketAddress } from '../access/client-address.ts'
import { createLeaseQueue } from './lease-queue.ts'
import { createBucket, decide } from './window.ts'
import { createWindowMemory } from './window-memory.ts'

/** `document` counts readers of the API document alone: the contract exempts them from the other four. */
export type BucketName = 'auth' | 'webhook' | 'money' | 'global' | 'document'
export type Limit = { requests: number; seconds: number }

export type RateVerdict = {
  readonly allowed: boolean
  readonly limit: number
  /** The best this process knows: other replicas may hold or have spent some of it. Never negative. */
  readonly remaining: number
  /** After so many seconds the window is over for sure. At least 1. */
  readonly resetSeconds: number
  /** As the header wants it: `1200;w=60`. */
  readonly policy: string
}

export type LeaseRequest = { bucket: string; address: string; want: number; limit: Limit }
export type Lease = { granted: number; used: number; resetsAtMs: number }

/**
 * Where the replicas count together. `take` gives each ask, whose keys are distinct, as many tokens as it wants
 * and the window has left; less than it wants means that the window is used up. A token counts as used when it
 * is given. A window starts with the first take after the end of the one before.
 */
export type LeaseStore = {
  take(asks: LeaseRequest[]): Promise<Lease[]>
  /** Forgets windows long past, a bounded number per call; says how many. */
  sweep?(): Promise<number>
  close(): Promise<void>
}

export type RateLimiter = {
  /**
   * Counts one request of a client address, and says whether it may go on. Synchronous as long as this process
   * holds a lease or knows the window to be used up: no promise is made on the hot path.
   *
   * While the store is out of reach, `auth` and `money` reject with a 503 (guessing passwords or moving money
   * uncounted is worse than a pause); `global` and `webhook` go on with this process's own count, so that each
   * replica lets through at most one limit per window.
   */
  check(bucket: BucketName, address: string): RateVerdict | Promise<RateVerdict>
  /** To be called every minute or so by one replica. */
  sweep(): Promise<number>
  close(): Promise<void>
}

export type RateOptions = {
  /** A store that answers later than this counts as out of reach. */
  storeTimeoutMs: number
  /** After a failure the store is left alone for so long. */
  storePauseMs: number
  /** Windows remembered per bucket; the oldest are dropped, which costs their clients the rest of a lease. */
  addressesMax: number
  /** Requests that may wait for the store; one more is treated as if the store were out of reach. */
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
    createWindowMemory(createBucket(name, limits[name], FAILS_OPEN[name]), settings.addressesMax)
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
