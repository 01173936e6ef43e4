import { describe, expect, test } from 'vitest'
import { CowrieError } from './errors.ts'
import { readRetryAfter, wait, waitBeforeRetry } from './retry.ts'

const failure = (status: number, code: string, retryAfter: number | null = null) =>
  new CowrieError({ status, code, message: '', retryAfter })
const most = () => 1
const least = () => 0

describe('a failed attempt', () => {
  test.for([
    { it: 'is retried when the service could not be reached', of: failure(0, 'network_error'), ms: 500 },
    { it: 'is retried when no answer came in time', of: failure(0, 'timeout'), ms: 500 },
    { it: 'is retried when the service is busy', of: failure(503, 'busy'), ms: 500 },
    { it: 'is retried when a proxy failed', of: failure(502, 'malformed_reply'), ms: 500 },
    {
      it: 'is retried while the first request with its key is running',
      of: failure(409, 'idempotency_in_progress', 1),
      ms: 1_500,
    },
    { it: 'waits as long as the service asks', of: failure(429, 'rate_limited', 20), ms: 20_500 },
    {
      it: 'is final when the service asks for more than half a minute',
      of: failure(429, 'rate_limited', 31),
      ms: null,
    },
    { it: 'is final after a refusal', of: failure(402, 'insufficient_funds'), ms: null },
    { it: 'is final after another conflict', of: failure(409, 'other'), ms: null },
    { it: 'is final when the service has a bug', of: failure(500, 'internal'), ms: null },
    { it: 'is final when a stream broke', of: failure(0, 'stream_cut'), ms: null },
  ])('$it', ({ of, ms }) => {
    expect(waitBeforeRetry(of, 1, most)).toBe(ms)
  })

  test('waits longer each time, up to a limit, with jitter', () => {
    const waits = (random: () => number) =>
      [1, 2, 3, 4, 5, 6, 10].map((attempt) => waitBeforeRetry(failure(503, 'busy'), attempt, random))
    expect(waits(most)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    expect(waits(least)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
  })

  test('never retries before Retry-After', () => {
    expect(waitBeforeRetry(failure(503, 'busy', 2), 1, least)).toBe(2_000)
  })
})

test.for([
  { header: '7', seconds: 7 },
  { header: '0', seconds: 0 },
  { header: 'Sun, 15 Nov 2026 09:00:10 GMT', seconds: 10 },
  { header: 'Sun, 15 Nov 2026 08:00:00 GMT', seconds: 0 },
  { header: 'soon', seconds: null },
  { header: null, seconds: null },
])('Retry-After "$header" is $seconds seconds', ({ header, seconds }) => {
  expect(readRetryAfter(header, Date.parse('2026-11-15T09:00:00Z'))).toBe(seconds)
})

test('an abort ends the wait immediately', async () => {
  const caller = new AbortController()
  const waiting = wait(60_000, caller.signal)
  caller.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow('no longer wanted')
  await expect(wait(60_000, caller.signal)).rejects.toThrow('no longer wanted')
})
