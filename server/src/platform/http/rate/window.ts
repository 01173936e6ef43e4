// The window of one client in one bucket, as known to this process. Pure: no clock, no store.
import { assert } from '../../../kernel/assert.ts'
import type { Lease, Limit } from './lease-store.ts'

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

export type Bucket = {
  readonly name: string
  readonly limit: Limit
  readonly windowMs: number
  /** Tokens per lease: small enough that an idle replica holds back about 2 % of the limit. */
  readonly leaseSize: number
  readonly policy: string
  /** Continues with local counts while the store is unavailable. */
  readonly failsOpen: boolean
}

export type Window = {
  readonly bucket: Bucket
  readonly address: string
  /** Leased and not yet spent. */
  tokens: number
  /** Tokens leased by all replicas, as far as known; the limit once none are left. */
  used: number
  resetsAtMs: number
  /** Requests that wait for the store, in order of arrival. */
  waiters: Waiter[]
}
export type Waiter = { resolve: (verdict: RateVerdict) => void; reject: (error: Error) => void }

const LEASES_PER_WINDOW = 50
const REQUESTS_MAX = 1_000_000_000
const SECONDS_MAX = 86_400

export function createBucket(name: string, limit: Limit, failsOpen: boolean): Bucket {
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

/** A window that has not started: a lease of the store, or a local one, starts it. */
export const newWindow = (bucket: Bucket, address: string): Window => ({
  bucket,
  address,
  tokens: 0,
  used: 0,
  resetsAtMs: 0,
  waiters: [],
})

/** False before the start, after the end, and when the end is too far away because the clock was set back. */
export function isLive({ resetsAtMs, bucket }: Window, nowMs: number): boolean {
  return nowMs < resetsAtMs && resetsAtMs <= nowMs + bucket.windowMs
}

/** Spends a token or rejects; null where only the store can decide. */
export function decide(window: Window, nowMs: number): RateVerdict | null {
  if (!isLive(window, nowMs)) return null
  if (window.tokens > 0) return spend(window, nowMs)
  return window.used >= window.bucket.limit.requests ? verdict(window, nowMs, false) : null
}

/** The tokens to request: one lease, or more when more requests wait. */
export function leaseSizeFor({ bucket, waiters }: Window): number {
  return Math.min(bucket.limit.requests, Math.max(bucket.leaseSize, waiters.length))
}

/**
 * Applies a lease and serves waiting requests. True when some arrived meanwhile and another lease must be requested,
 * because the store granted the full lease or the window has ended.
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

/** A local lease while the store is unavailable, within the limit as counted by this process. */
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
