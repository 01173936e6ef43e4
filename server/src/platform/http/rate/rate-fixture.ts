// Fixtures of the limiter tests: the limits of the contract, and a store that counts and can fail.
import { ManualClock } from '../../../kernel/clock.ts'
import type { BucketName, Lease, LeaseRequest, LeaseStore } from './lease-store.ts'
import { createRateLimiter, type RateLimiter, type RateOptions } from './rate.ts'
import { createMemoryStore } from './stores/memory.ts'

export const limits = {
  auth: { requests: 20, seconds: 60 },
  money: { requests: 60, seconds: 60 },
  webhook: { requests: 600, seconds: 60 },
  global: { requests: 1200, seconds: 60 },
  document: { requests: 300, seconds: 60 },
}

export function setUp(options: Partial<RateOptions> = {}) {
  const clock = new ManualClock()
  const { store, calls, state } = watch(createMemoryStore(clock))
  const failures: unknown[] = []
  const onStoreFailure = (error: unknown) => failures.push(error)
  const limiter = createRateLimiter(store, limits, clock, { onStoreFailure, ...options })
  return { clock, calls, state, failures, limiter }
}

/** The number of admitted requests, sent one after the other. */
export async function admitted(limiter: RateLimiter, bucket: BucketName, address: string, requests: number) {
  let count = 0
  for (let i = 0; i < requests; i++) if ((await limiter.check(bucket, address)).allowed) count++
  return count
}

export async function admittedAtOnce(
  limiters: RateLimiter[],
  bucket: BucketName,
  address: string,
  requests: number,
) {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, (_, i) => limiters[i % limiters.length]?.check(bucket, address)),
  )
  return verdicts.filter((verdict) => verdict?.allowed).length
}

/** A store that counts its calls and can fail or hang. */
function watch(inner: LeaseStore) {
  const calls: LeaseRequest[][] = []
  const state = { failing: false, hanging: false }
  const store: LeaseStore = {
    take(asks) {
      calls.push(asks)
      if (state.failing) return Promise.reject(new Error('store down'))
      return state.hanging ? new Promise<Lease[]>(() => undefined) : inner.take(asks)
    },
    close: () => inner.close(),
  }
  return { store, calls, state }
}
