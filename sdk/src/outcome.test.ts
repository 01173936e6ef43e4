import { describe, expect, test } from 'vitest'
import { CowrieError } from './errors.ts'
import { outcomeOf, resumable, retryable } from './outcome.ts'

const failure = (status: number, code: string, retryAfter: number | null = null) =>
  new CowrieError({ status, code, message: '', retryAfter })

const DECIDED = { outcome: 'decided', keepsKey: false, first: false, retried: false }
const NO_ACCESS = { ...DECIDED, keepsKey: true }
const RETRY = { outcome: 'retry', keepsKey: true, first: false, retried: true }
const UNKNOWN = { outcome: 'unknown', keepsKey: true, first: true, retried: true }
const UNKNOWN_AND_LASTING = { ...UNKNOWN, retried: false }

describe('an error code of the service', () => {
  test.for([
    [failure(402, 'insufficient_funds'), DECIDED],
    [failure(409, 'price_changed'), DECIDED],
    [failure(422, 'idempotency_key_reused'), DECIDED],
    [failure(503, 'inference_not_configured'), DECIDED],
    [failure(401, 'unauthenticated'), NO_ACCESS],
    [failure(403, 'org_suspended'), NO_ACCESS],
    [failure(451, 'residency_blocked'), NO_ACCESS],
    [failure(408, 'request_timeout'), RETRY],
    [failure(409, 'thread_busy', 2), RETRY],
    [failure(429, 'rate_limited', 1), RETRY],
    [failure(502, 'upstream_failed'), RETRY],
    [failure(503, 'busy', 2), RETRY],
    [failure(409, 'idempotency_in_progress', 1), UNKNOWN],
    [failure(409, 'work_ended'), UNKNOWN],
    [failure(502, 'answer_lost', 1), UNKNOWN],
    [failure(503, 'rail_unavailable', 5), UNKNOWN],
    [failure(503, 'stream_expired'), UNKNOWN],
    [failure(402, 'card_challenged'), UNKNOWN_AND_LASTING],
    [failure(500, 'internal'), UNKNOWN_AND_LASTING],
  ] as const)('%o', ([error, expected]) => expect(judged(error)).toEqual(expected))
})

describe('a failure without an error code', () => {
  test.for([
    [failure(0, 'network_error'), UNKNOWN],
    [failure(0, 'timeout'), UNKNOWN],
    [failure(0, 'stream_cut'), UNKNOWN],
    [failure(200, 'malformed_reply'), UNKNOWN],
    [failure(403, 'malformed_reply'), UNKNOWN],
    [failure(502, 'malformed_reply'), UNKNOWN],
    [failure(302, 'unexpected_redirect'), UNKNOWN],
    [failure(200, 'reply_too_large'), UNKNOWN_AND_LASTING],
  ] as const)('%o', ([error, expected]) => expect(judged(error)).toEqual(expected))
})

describe('an unknown code is judged by its status', () => {
  test.for([
    [failure(400, 'brand_new'), DECIDED],
    [failure(409, 'brand_new'), DECIDED],
    [failure(403, 'brand_new'), NO_ACCESS],
    [failure(409, 'brand_new', 5), RETRY],
    [failure(408, 'brand_new'), RETRY],
    [failure(429, 'brand_new'), RETRY],
    [failure(503, 'brand_new', 5), UNKNOWN],
    [failure(503, 'brand_new'), UNKNOWN_AND_LASTING],
    [failure(500, 'brand_new'), UNKNOWN_AND_LASTING],
  ] as const)('%o', ([error, expected]) => expect(judged(error)).toEqual(expected))
})

test('an abort leaves the outcome unknown', () => {
  const abort = new DOMException('stopped', 'AbortError')
  expect(resumable(abort)).toBe(true)
  expect(resumable(abort, { isFirst: true })).toBe(true)
})

const judged = (error: CowrieError) => ({
  outcome: outcomeOf(error),
  keepsKey: resumable(error),
  first: resumable(error, { isFirst: true }),
  retried: retryable(error),
})
