import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { type HttpClient, type HttpResponse, NoResponse } from './http-client.ts'
import { type AccessToken, cachedToken, failureReason, readToken, TokenError } from './oauth-token.ts'

const answer = (status: number, json: unknown = {}): HttpResponse => ({
  status,
  json,
  text: JSON.stringify(json),
})

/** A provider that lends `t1`, `t2` and so on, and refuses those it is told to. */
function lender(seconds = 3600) {
  const clock = new ManualClock()
  const http: HttpClient = { clock, call: () => Promise.reject(new Error('nobody calls here')) }
  const refused = new Set<string>()
  const used: string[] = []
  let lent = 0
  const usual = async (): Promise<AccessToken> => ({ token: `t${++lent}`, seconds })
  let borrow = usual
  const withToken = cachedToken(
    () => borrow(),
    ({ status }) => status === 401,
  )
  return {
    clock,
    refused,
    used,
    lent: () => lent,
    fail: (error: Error | null) => {
      borrow = error ? () => Promise.reject(error) : usual
    },
    /** Its first token is answered for when `until` says so. */
    call: (until?: Promise<void>) =>
      withToken(http, async (token) => {
        used.push(token)
        if (token === 't1') await until
        return answer(refused.has(token) ? 401 : 200)
      }),
  }
}

describe('a lent token', () => {
  test('is used again until a minute before it ends', async () => {
    const { clock, call, used } = lender()
    await call()
    clock.advance({ minutes: 58, seconds: 59 })
    await call()
    clock.advance({ seconds: 1 })
    await call()
    expect(used).toEqual(['t1', 't1', 't2'])
  })

  test('is borrowed once for all that wait for it', async () => {
    const { call, used, lent } = lender()
    await Promise.all([call(), call(), call()])
    expect(used).toEqual(['t1', 't1', 't1'])
    expect(lent()).toBe(1)
  })

  test('that is refused is replaced once, for all that were refused', async () => {
    const { call, used, refused, lent } = lender()
    await call()
    refused.add('t1')
    const answers = await Promise.all([call(), call()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(used).toEqual(['t1', 't1', 't1', 't2', 't2'])
    expect(lent()).toBe(2)
  })

  test('that is refused late does not cost the one that replaced it', async () => {
    const { call, refused, lent } = lender()
    refused.add('t1')
    const gate = Promise.withResolvers<void>()
    const late = call(gate.promise)
    await call()
    gate.resolve()
    expect(await late).toMatchObject({ status: 200 })
    expect(lent()).toBe(2)
  })

  test('is not replaced a second time', async () => {
    const { call, used, refused } = lender()
    refused.add('t1').add('t2')
    expect(await call()).toMatchObject({ status: 401 })
    expect(used).toEqual(['t1', 't2'])
  })

  test('that ends at once serves one call', async () => {
    const { call, used } = lender(0)
    await call()
    await call()
    expect(used).toEqual(['t1', 't2'])
  })

  test('that could not be had is asked for again by the next call', async () => {
    const { call, fail, used } = lender()
    fail(new TokenError(false, 'out of order'))
    await expect(call()).rejects.toThrow(TokenError)
    fail(null)
    expect(await call()).toMatchObject({ status: 200 })
    expect(used).toEqual(['t1'])
  })
})

describe('an answer to our keys', () => {
  test.for([
    { it: 'a number of seconds', json: { access_token: 'abc', expires_in: 3600 }, seconds: 3600 },
    { it: 'a text of seconds', json: { access_token: 'abc', expires_in: '3599' }, seconds: 3599 },
    { it: 'no time', json: { access_token: 'abc' }, seconds: 0 },
    { it: 'a time without end', json: { access_token: 'abc', expires_in: 1e12 }, seconds: 0 },
  ])('lends a token with $it', ({ json, seconds }) => {
    expect(readToken(answer(200, json))).toEqual({ token: 'abc', seconds })
  })

  test.for([
    { status: 400, refused: true },
    { status: 401, refused: true },
    { status: 403, refused: true },
    { status: 429, refused: false },
    { status: 500, refused: false },
    { status: 503, refused: false },
  ])('with status $status lends nothing, and refuses the keys: $refused', ({ status, refused }) => {
    const read = () => readToken(answer(status, { access_token: 'abc', expires_in: 3600 }))
    expect(read).toThrow(expect.objectContaining({ name: 'TokenError', refused }))
  })

  test.for([undefined, {}, { access_token: '' }, { access_token: 7 }, { access_token: 'two\r\nlines' }])(
    'without a token that fits a header, %j, lends nothing',
    (json) => {
      expect(() => readToken(answer(200, json))).toThrow(TokenError)
    },
  )
})

test('only what the provider or the network did is silence: a bug is heard of', () => {
  expect(failureReason(new NoResponse(true, 'cut off'))).toBe('cut off')
  expect(failureReason(new TokenError(false, 'no token'))).toBe('no token')
  expect(() => failureReason(new TypeError('a bug'))).toThrow('a bug')
})
