// One client's window in one bucket, as this process knows it. Pure: no clock, no store.
import { assert } from '../../../kernel/assert.ts'
import type { BucketName, Lease, Limit, RateVerdict } from './rate.ts'

export type Bucket = {
  readonly name: BucketName
  readonly limit: Limit
  readonly windowMs: number
  /** Tokens taken from the store at once: few enough that what idle replicas hold back is about 2 % each. */
  readonly leaseSize: number
  readonly policy: string
  /** Goes on with its own count while the store is out of reach. */
  readonly failsOpen: boolean
}

export type Window = {
  readonly bucket: Bucket
  readonly address: string
  /** Leased and not yet spent. */
  tokens: number
  /** Leased by all replicas, as far as we know; the limit once we know that nothing is left. */
  used: number
  resetsAtMs: number
  /** Requests that wait for the store, first come first served. */
  waiters: Waiter[]
}
export type Waiter = { resolve: (verdict: RateVerdict) => void; reject: (error: Error) => void }

const LEASES_PER_WINDOW = 50
const REQUESTS_MAX = 1_000_000_000
const SECONDS_MAX = 86_400

export function createBucket(name: BucketName, limit: Limit, failsOpen: boolean): Bucket {
  const { requests, seconds } = limit
  assert(
    isWhole(requests, REQUESTS_MAX) && isWhole(seconds, SECONDS_MAX),
    `the ${name} limit is whole and positive`,
  )
  return {
    name,
    limit,
    windowMs: seconds * 1000,
    leaseSize: Math.max(1, Math.floor(requests / LEASES_PER_WINDOW)),
    policy: `${requests};w=${seconds}`,
    failsOpen,
  }
}

/** A window that has not begun: only the store, or a lease of our own, can open it. */
export const newWindow = (bucket: Bucket, address: string): Window => ({
  bucket,
  address,
  tokens: 0,
  used: 0,
  resetsAtMs: 0,
  waiters: [],
})

/** False before it begins, after its end, and when it ends impossibly late because the clock was set back. */
export function isLive({ resetsAtMs, bucket }: Window, nowMs: number): boolean {
  return nowMs < resetsAtMs && resetsAtMs <= nowMs + bucket.windowMs
}

/** Spends a token or refuses, where this process can tell; null where only the store can. */
export function decide(window: Window, nowMs: number): RateVerdict | null {
  if (!isLive(window, nowMs)) return null
  if (window.tokens > 0) return spend(window, nowMs)
  return window.used >= window.bucket.limit.requests ? verdict(window, nowMs, false) : null
}

/** What to ask the store for: a lease, or more when more are waiting. */
export function leaseSizeFor({ bucket, waiters }: Window): number {
  return Math.min(bucket.limit.requests, Math.max(bucket.leaseSize, waiters.length))
}

/**
 * Takes in what the store gave and serves those who wait. True when some still wait and the store should be
 * asked again: they came while it was answering, and it had as much as we asked for or the window has ended.
 */
export function receive(window: Window, lease: Lease, want: number, nowMs: number): boolean {
  window.tokens = lease.granted
  window.used = lease.granted < want ? window.bucket.limit.requests : lease.used
  window.resetsAtMs = lease.resetsAtMs

  const served = window.waiters.splice(0, lease.granted)
  for (const waiter of served) waiter.resolve(spend(window, nowMs))
  if (window.waiters.length === 0) return false
  if (window.used < window.bucket.limit.requests || !isLive(window, nowMs)) return true

  for (const waiter of window.waiters.splice(0)) waiter.resolve(verdict(window, nowMs, false))
  return false
}

/** A lease from ourselves while the store is out of reach, within the limit as this process has counted it. */
export function leaseLocally(window: Window, nowMs: number): void {
  const { limit, leaseSize, windowMs } = window.bucket
  if (!isLive(window, nowMs)) {
    window.used = 0
    window.tokens = 0
    window.resetsAtMs = nowMs + windowMs
  }
  const granted = Math.max(0, Math.min(leaseSize, limit.requests - window.used))
  window.tokens += granted
  window.used += granted
}

function spend(window: Window, nowMs: number): RateVerdict {
  window.tokens--
  return verdict(window, nowMs, true)
}

function verdict({ bucket, used, tokens, resetsAtMs }: Window, nowMs: number, allowed: boolean): RateVerdict {
  return {
    allowed,
    limit: bucket.limit.requests,
    remaining: Math.max(0, bucket.limit.requests - used + tokens),
    resetSeconds: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)),
    policy: bucket.policy,
  }
}

const isWhole = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= most
