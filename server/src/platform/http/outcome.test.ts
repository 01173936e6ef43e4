// The documented outcome of each error code matches a retry under the same key.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError, ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { modules } from '../../modules.ts'
import type { Module } from '../module.ts'
import { isFinalError } from './idempotency/idempotency.ts'
import { errorCodesOf } from './reply/error-response.ts'
import { route } from './route.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]
const PAID_CODES = [
  ...new Set(modules.flatMap(({ routes = [] }) => routes.filter(({ paid }) => paid).flatMap(errorCodesOf))),
]

let attempts = 0
const failing: Module = {
  name: 'failing',
  routes: [
    route('failing.fail', 'POST /failing', {
      summary: 'Fail with the given code.',
      access: { scope: 'agent:run' },
      rate: null,
      idempotency: 'required',
      body: z.object({ code: z.enum(CODES) }),
      errors: CODES,
      reply: { 200: z.object({}) },
      handle: async ({ body }) => {
        attempts++
        throw new ApiError(body.code)
      },
    }),
  ],
}

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer({ modules: [failing] })
  owner = await server.person()
})
afterAll(() => server.close())

describe('a retry after an error of a paid call', () => {
  test.for(PAID_CODES)('%s', async (code) => {
    const fail = () =>
      server.call('POST', '/failing', { as: owner, body: { code }, headers: { 'idempotency-key': code } })
    attempts = 0
    const first = await fail()
    const retry = await fail()
    expect([first.status, retry.status]).toEqual([ERRORS[code].status, ERRORS[code].status])
    const isReplayed = retry.headers['idempotency-replayed'] === 'true'
    expect(isReplayed).toBe(isFinalError(new ApiError(code)))
    expect(attempts).toBe(isReplayed ? 1 : 2)
    // A stored reply never changes, so its error must be decided.
    if (isReplayed) expect(ERRORS[code].outcome).toBe('decided')
  })
})

test('a paid call stores these errors under its key', () => {
  expect(PAID_CODES.filter((code) => isFinalError(new ApiError(code))).sort()).toEqual([
    'bad_request',
    'budget_too_low',
    'card_declined',
    'idempotency_key_invalid',
    'idempotency_key_required',
    'insufficient_funds',
    'key_budget_exceeded',
    'malformed_json',
    'member_cap_reached',
    'no_payment_method',
    'no_subscription',
    'not_found',
    'payment_refused',
    'plan_not_found',
    'retrieval_not_vector',
    'seats_below_occupied',
    'seats_not_sold',
  ])
})

test('only errors with an undecided outcome have a retry delay', () => {
  expect(CODES.filter((code) => ERRORS[code].outcome === 'decided' && ERRORS[code].retryAfter)).toEqual([])
})

test.for(CODES.filter((code) => ERRORS[code].outcome === 'unknown'))(
  '%s tells the caller to retry',
  (code) => {
    expect(ERRORS[code].message).toMatch(/same (Idempotency-Key|key)|again/)
  },
)
