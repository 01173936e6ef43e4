import { readFileSync } from 'node:fs'
import {
  breakOff,
  drop,
  type FakeService,
  json,
  never,
  page,
  type ReplyWriter,
  startFakeService,
} from '@cowrie/testkit/fakes/service.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { bindOperations } from './client.ts'
import { CowrieError } from './errors.ts'
import { createClient } from './full-client.ts'
import type { CallOptions } from './operation.ts'
import { type ClientOptions, createTransport } from './transport.ts'

/** A table as the generator prints it, with one operation of each relevant kind. */
type Sample = {
  wallet: {
    get(options?: CallOptions): Promise<{ balanceMinor: bigint }>
    topup(body: { amountMinor: bigint }, options?: CallOptions): Promise<{ reference: string }>
    rename(id: string, body: { name: string }, options?: CallOptions): Promise<{ ok: true }>
    list(query?: Record<string, unknown>): Promise<unknown>
    receipt(): Promise<string>
    file(): Promise<Uint8Array>
  }
}
const TABLE = {
  'wallet.get': { method: 'GET', path: '/wallet', reply: 'json' },
  'wallet.topup': { method: 'POST', path: '/wallet/topup', body: true, idempotent: true, reply: 'json' },
  'wallet.rename': { method: 'PUT', path: '/wallets/{id}', body: true, reply: 'json' },
  'wallet.list': { method: 'GET', path: '/wallets', query: true, reply: 'json' },
  'wallet.receipt': { method: 'GET', path: '/receipt', reply: 'text' },
  'wallet.file': { method: 'GET', path: '/file', reply: 'bytes' },
} as const

let fakeService: FakeService
afterEach(() => fakeService.close())

async function sample(answers: ReplyWriter[], options: Partial<ClientOptions> = {}) {
  fakeService = await startFakeService(...answers)
  return bindOperations<Sample>(TABLE, createTransport({ baseUrl: fakeService.url, ...options })).wallet
}

const refusalBy = async (call: Promise<unknown>): Promise<CowrieError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(CowrieError)
  return error as CowrieError
}

const BUSY = json(503, { error: 'The service is at its limit.', code: 'busy', requestId: 'req_1' })

describe('a call', () => {
  test('sends the SDK version as user agent, unless the program sets one', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    await (await sample([json(200, { balanceMinor: 0 })])).get()
    expect(fakeService.requests[0]?.headers['user-agent']).toBe(`cowrie-sdk/${version}`)
    await fakeService.close()
    await (await sample([json(200, { balanceMinor: 0 })], { headers: { 'User-Agent': 'shop/1' } })).get()
    expect(fakeService.requests[0]?.headers['user-agent']).toBe('shop/1')
  })

  test('returns exact amounts', async () => {
    const wallet = await sample([json(200, '{"balanceMinor":9223372036854775807}')])
    expect(await wallet.get()).toEqual({ balanceMinor: 9223372036854775807n })
  })

  test('sends exact amounts as JSON, with the key', async () => {
    const wallet = await sample([json(200, { reference: 'r' })], {
      key: 'csk_test',
      headers: { 'x-app': 'test' },
    })
    await wallet.topup({ amountMinor: 9007199254740993n })
    expect(fakeService.requests[0]).toMatchObject({
      method: 'POST',
      url: '/wallet/topup',
      body: '{"amountMinor":9007199254740993}',
      headers: {
        authorization: 'Bearer csk_test',
        'content-type': 'application/json',
        accept: 'application/json',
        'x-app': 'test',
      },
    })
  })

  test('escapes path and query parameters', async () => {
    const wallet = await sample([json(200, { ok: true }), json(200, {})])
    await wallet.rename('a/b ?$&', { name: 'x' })
    await wallet.list({
      limit: 5,
      capMinor: 9007199254740993n,
      tag: ['a', 'b&c'],
      none: undefined,
      deep: true,
    })
    expect(fakeService.requests.map(({ url }) => url)).toEqual([
      '/wallets/a%2Fb%20%3F%24%26',
      '/wallets?limit=5&capMinor=9007199254740993&tag=a&tag=b%26c&deep=true',
    ])
  })

  test.for(['', '.', '..'])(
    'with the path parameter "%s", which would change the path, is refused before it is sent',
    async (id) => {
      const wallet = await sample([])
      await expect(wallet.rename(id, { name: 'x' })).rejects.toThrow(TypeError)
      expect(fakeService.requests).toHaveLength(0)
    },
  )

  test('returns text as text and files as bytes', async () => {
    const wallet = await sample([
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>₦5</p>'),
      (response) =>
        response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from([1, 0, 255])),
    ])
    expect(await wallet.receipt()).toBe('<p>₦5</p>')
    expect([...(await wallet.file())]).toEqual([1, 0, 255])
  })
})

describe('an error answer', () => {
  test('has the fields of the error body', async () => {
    const body = {
      error: 'Not enough.',
      code: 'insufficient_funds',
      requestId: 'req_7',
      requiredMinor: 12,
      fields: [{ path: 'amountMinor', message: 'too much' }, 'odd'],
    }
    const wallet = await sample([json(402, body)])
    expect(await refusalBy(wallet.get())).toMatchObject({
      status: 402,
      code: 'insufficient_funds',
      message: 'Not enough.',
      requestId: 'req_7',
      fields: [{ path: 'amountMinor', message: 'too much' }],
      retryAfter: null,
      detail: { requiredMinor: 12n },
    })
  })

  test.for([
    { it: 'a proxy page', answer: page(403, '<h1>no</h1>'), status: 403, code: 'malformed_reply' },
    {
      it: 'a 200 with an HTML page',
      answer: page(200, '<h1>sign in to the hotel</h1>'),
      status: 200,
      code: 'malformed_reply',
    },
    { it: 'broken JSON', answer: json(200, '{"balanceMinor":'), status: 200, code: 'malformed_reply' },
    {
      it: 'a fractional amount',
      answer: json(200, '{"balanceMinor":1.5}'),
      status: 200,
      code: 'malformed_reply',
    },
    {
      it: 'a redirect',
      answer: ((response) =>
        response.writeHead(302, { location: 'https://elsewhere.example' }).end()) as ReplyWriter,
      status: 302,
      code: 'unexpected_redirect',
    },
  ])('is thrown for $it', async ({ answer, status, code }) => {
    const wallet = await sample([answer])
    expect(await refusalBy(wallet.get())).toMatchObject({ status, code })
    expect(fakeService.requests).toHaveLength(1)
  })
})

describe('retried:', () => {
  test('a read after a 503, until it succeeds', async () => {
    const wallet = await sample([BUSY, json(200, { balanceMinor: 5 })])
    expect(await wallet.get()).toEqual({ balanceMinor: 5n })
    expect(fakeService.requests).toHaveLength(2)
  })

  test('a read after a 429, not before Retry-After', async () => {
    const wallet = await sample([
      json(429, { error: 'Slow down.', code: 'rate_limited' }, { 'retry-after': '1' }),
      json(200, { balanceMinor: 5 }),
    ])
    await wallet.get()
    const [first, second] = fakeService.requests.map(({ atMs }) => atMs)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('a read whose connection broke before or during the answer', async () => {
    const wallet = await sample([
      drop,
      breakOff('application/json', '{"balanceMin'),
      json(200, { balanceMinor: 5 }),
    ])
    expect(await wallet.get()).toEqual({ balanceMinor: 5n })
  })

  test('a payment, with the same key per call and a new key for each call', async () => {
    const wallet = await sample([drop, json(200, { reference: 'a' }), json(200, { reference: 'b' })])
    await wallet.topup({ amountMinor: 1n })
    await wallet.topup({ amountMinor: 1n })
    const keys = fakeService.requests.map(({ headers }) => String(headers['idempotency-key']))
    expect(keys[0]).toMatch(/^auto_[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('a payment that is still in progress after its first answer was lost', async () => {
    const inProgress = json(
      409,
      { error: 'Still running.', code: 'idempotency_in_progress' },
      { 'retry-after': '0' },
    )
    const wallet = await sample([drop, inProgress, json(200, { reference: 'a' })])
    expect(await wallet.topup({ amountMinor: 1n })).toEqual({ reference: 'a' })
  })
})

describe('not retried:', () => {
  test('a change without a key, which could take effect twice', async () => {
    const wallet = await sample([drop])
    expect(await refusalBy(wallet.rename('w', { name: 'x' }))).toMatchObject({
      status: 0,
      code: 'network_error',
      idempotencyKey: null,
    })
    expect(fakeService.requests).toHaveLength(1)
  })

  test('any call with retries set to 0', async () => {
    const wallet = await sample([BUSY], { retries: 0 })
    expect(await refusalBy(wallet.get())).toMatchObject({ status: 503, code: 'busy', requestId: 'req_1' })
    expect(fakeService.requests).toHaveLength(1)
  })

  test('any call more often than configured; the last error has the key to continue with', async () => {
    const wallet = await sample([BUSY, BUSY], { retries: 1 })
    const refusal = await refusalBy(wallet.topup({ amountMinor: 1n }, { idempotencyKey: 'order-17' }))
    expect(refusal).toMatchObject({ status: 503, idempotencyKey: 'order-17' })
    expect(fakeService.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'order-17',
      'order-17',
    ])
  })

  test('any call with a long Retry-After', async () => {
    const wallet = await sample([
      json(503, { error: 'Maintenance.', code: 'maintenance' }, { 'retry-after': '60' }),
    ])
    expect(await refusalBy(wallet.get())).toMatchObject({ code: 'maintenance', retryAfter: 60 })
    expect(fakeService.requests).toHaveLength(1)
  })
})

describe('the timeout', () => {
  test('ends a call without an answer', async () => {
    const wallet = await sample([never], { timeoutMs: 50, retries: 0 })
    expect(await refusalBy(wallet.get())).toMatchObject({ status: 0, code: 'timeout' })
    await fakeService.requests[0]?.closed
  })

  test('ends a call with an incomplete answer', async () => {
    const wallet = await sample([
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ])
    expect(await refusalBy(wallet.get({ timeoutMs: 50, retries: 0 }))).toMatchObject({
      status: 0,
      code: 'timeout',
    })
  })
})

describe('an abort by the caller', () => {
  const reason = new Error('changed my mind')

  test('throws the abort reason during the call', async () => {
    const caller = new AbortController()
    const wallet = await sample([() => caller.abort(reason)])
    await expect(wallet.get({ signal: caller.signal, retries: 0 })).rejects.toBe(reason)
    await fakeService.requests[0]?.closed
  })

  test('ends the wait between two attempts', async () => {
    const caller = new AbortController()
    const wallet = await sample([
      (response, seen) => {
        json(503, { error: 'Busy.', code: 'busy' }, { 'retry-after': '30' })(response, seen)
        response.on('close', () => setTimeout(() => caller.abort(reason), 100))
      },
    ])
    await expect(wallet.get({ signal: caller.signal })).rejects.toBe(reason)
    expect(fakeService.requests).toHaveLength(1)
  })

  test('before the call sends nothing', async () => {
    const wallet = await sample([])
    await expect(wallet.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(fakeService.requests).toHaveLength(0)
  })
})

describe('misuse is refused immediately:', () => {
  test.for([
    { it: 'an invalid base URL', options: { baseUrl: 'cowrie.example' } },
    { it: 'a base URL with a query', options: { baseUrl: 'https://cowrie.example?x=1' } },
    { it: 'a key with a line break', options: { baseUrl: 'https://cowrie.example', key: 'csk_a\nx' } },
  ])('$it', async ({ options }) => {
    fakeService = await startFakeService()
    expect(() => createClient(options)).toThrow(TypeError)
  })

  test('a key for an operation without idempotency', async () => {
    const wallet = await sample([])
    await expect(wallet.rename('w', { name: 'x' }, { idempotencyKey: 'k' })).rejects.toThrow(
      'does not accept an Idempotency-Key',
    )
  })

  test.for([{ retries: 11 }, { retries: -1 }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }])(
    'options out of range: %o',
    async (options) => {
      const wallet = await sample([])
      await expect(wallet.get(options)).rejects.toThrow(RangeError)
      expect(fakeService.requests).toHaveLength(0)
    },
  )
})

test('an unreachable service is a network error that names its address', async () => {
  fakeService = await startFakeService()
  const { url } = fakeService
  await fakeService.close()
  const refusal = await refusalBy(createClient({ baseUrl: url, retries: 0 }).system.health())
  expect(refusal).toMatchObject({ status: 0, code: 'network_error' })
  expect(refusal.message).toContain(url)
  expect(refusal.message).toContain('ECONNREFUSED')
})

test('request() makes any call and returns the whole answer', async () => {
  fakeService = await startFakeService(
    (response) => response.writeHead(200, { 'content-type': 'text/csv', 'x-next-cursor': 'c' }).end('a,b'),
    json(201, '{"amountMinor":9007199254740993}'),
  )
  const client = createClient({ baseUrl: `${fakeService.url}/` })
  const csv = await client.request('get', '/audit', { query: { limit: 1 }, headers: { accept: 'text/csv' } })
  expect([csv.status, csv.headers.get('x-next-cursor'), csv.text(), csv.frames]).toEqual([
    200,
    'c',
    'a,b',
    null,
  ])
  const made = await client.request('POST', '/x', { bodyText: '{"n":9007199254740993}' })
  expect([made.status, made.json()]).toEqual([201, { amountMinor: 9007199254740993n }])
  expect(
    fakeService.requests.map(({ method, url, body, headers }) => [method, url, body, headers.accept]),
  ).toEqual([
    ['GET', '/audit?limit=1', '', 'text/csv'],
    ['POST', '/x', '{"n":9007199254740993}', 'application/json, */*'],
  ])
})
