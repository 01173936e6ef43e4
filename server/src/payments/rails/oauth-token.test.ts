import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { type HttpClient, type HttpResponse, NoResponse } from './http-client.ts'
import { type AccessToken, cachedToken, failureReason, readToken, TokenError } from './oauth-token.ts'

const answer = (status: number, json: unknown = {}): HttpResponse => ({
  status,
  json,
  text: JSON.stringify(json),
})

/** A provider that issues `t1`, `t2` and so on, and rejects those in `refused`. */
function tokenProvider(seconds = 3600) {
  const clock = new ManualClock()
  const http: HttpClient = { clock, call: () => Promise.reject(new Error('this client must not be called')) }
  const refused = new Set<string>()
  const used: string[] = []
  let issued = 0
  const usual = async (): Promise<AccessToken> => ({ token: `t${++issued}`, seconds })
  let requestToken = usual
  const withToken = cachedToken(
    () => requestToken(),
    ({ status }) => status === 401,
  )
  return {
    clock,
    refused,
    used,
    issued: () => issued,
    fail: (error: Error | null) => {
      requestToken = error ? () => Promise.reject(error) : usual
    },
    /** Calls with the first token wait for `until`. */
    call: (until?: Promise<void>) =>
      withToken(http, async (token) => {
        used.push(token)
        if (token === 't1') await until
        return answer(refused.has(token) ? 401 : 200)
      }),
  }
}

describe('an access token', () => {
  test('is reused until a minute before it expires', async () => {
    const { clock, call, used } = tokenProvider()
    await call()
    clock.advance({ minutes: 58, seconds: 59 })
    await call()
    clock.advance({ seconds: 1 })
    await call()
    expect(used).toEqual(['t1', 't1', 't2'])
  })

  test('is requested once for concurrent calls', async () => {
    const { call, used, issued } = tokenProvider()
    await Promise.all([call(), call(), call()])
    expect(used).toEqual(['t1', 't1', 't1'])
    expect(issued()).toBe(1)
  })

  test('that is rejected is replaced once for all rejected calls', async () => {
    const { call, used, refused, issued } = tokenProvider()
    await call()
    refused.add('t1')
    const answers = await Promise.all([call(), call()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(used).toEqual(['t1', 't1', 't1', 't2', 't2'])
    expect(issued()).toBe(2)
  })

  test('that is rejected late does not invalidate its replacement', async () => {
    const { call, refused, issued } = tokenProvider()
    refused.add('t1')
    const gate = Promise.withResolvers<void>()
    const late = call(gate.promise)
    await call()
    gate.resolve()
    expect(await late).toMatchObject({ status: 200 })
    expect(issued()).toBe(2)
  })

  test('is not replaced a second time', async () => {
    const { call, used, refused } = tokenProvider()
    refused.add('t1').add('t2')
    expect(await call()).toMatchObject({ status: 401 })
    expect(used).toEqual(['t1', 't2'])
  })

  test('with no lifetime serves one call', async () => {
    const { call, used } = tokenProvider(0)
    await call()
    await call()
    expect(used).toEqual(['t1', 't2'])
  })

  test('that could not be fetched is requested again by the next call', async () => {
    const { call, fail, used } = tokenProvider()
    fail(new TokenError(false, 'out of order'))
    await expect(call()).rejects.toThrow(TokenError)
    fail(null)
    expect(await call()).toMatchObject({ status: 200 })
    expect(used).toEqual(['t1'])
  })
})

describe('the token reply', () => {
  test.for([
    { it: 'a number of seconds', json: { access_token: 'abc', expires_in: 3600 }, seconds: 3600 },
    { it: 'a text of seconds', json: { access_token: 'abc', expires_in: '3599' }, seconds: 3599 },
    { it: 'no time', json: { access_token: 'abc' }, seconds: 0 },
    { it: 'a time without end', json: { access_token: 'abc', expires_in: 1e12 }, seconds: 0 },
  ])('has a token with $it', ({ json, seconds }) => {
    expect(readToken(answer(200, json))).toEqual({ token: 'abc', seconds })
  })

  test.for([
    { status: 400, refused: true },
    { status: 401, refused: true },
    { status: 403, refused: true },
    { status: 429, refused: false },
    { status: 500, refused: false },
    { status: 503, refused: false },
  ])('with status $status has no token, and rejects the keys: $refused', ({ status, refused }) => {
    const read = () => readToken(answer(status, { access_token: 'abc', expires_in: 3600 }))
    expect(read).toThrow(expect.objectContaining({ name: 'TokenError', refused }))
  })

  test.for([undefined, {}, { access_token: '' }, { access_token: 7 }, { access_token: 'two\r\nlines' }])(
    'with the invalid token %j is an error',
    (json) => {
      expect(() => readToken(answer(200, json))).toThrow(TokenError)
    },
  )
})

test('only provider and network errors become reasons: other errors are thrown', () => {
  expect(failureReason(new NoResponse(true, 'cut off'))).toBe('cut off')
  expect(failureReason(new TokenError(false, 'no token'))).toBe('no token')
  expect(() => failureReason(new TypeError('a bug'))).toThrow('a bug')
})
