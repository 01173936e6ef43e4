import { connect } from 'node:net'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { closeGate, PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let owner: Person
let base: string

beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  owner = await server.person()
  base = await server.listen()
})
afterAll(() => server.close())

describe('every response', () => {
  test.for([
    ['GET', '/health'],
    ['GET', '/nowhere'],
    ['DELETE', '/health'],
    ['GET', '/me'],
    ['GET', '/app/x.js'],
  ])('has the default headers: %s %s', async ([method, path]) => {
    const { headers } = await server.call(method ?? '', path ?? '')
    expect(headers['x-service-version']).toBe('0.4.0+unknown')
    expect(headers['x-request-id']).toMatch(/^req_/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  })

  test('echoes a valid request id and replaces any other', async () => {
    const id = async (given: string) =>
      (await server.call('GET', '/health', { headers: { 'x-request-id': given } })).headers['x-request-id']
    for (const good of ['trace-0123456789', '7', 'x'.repeat(128)]) expect(await id(good)).toBe(good)
    for (const bad of ['', 'x'.repeat(129), 'with space inside', '<script>alert(1)</script>'])
      expect(await id(bad)).toMatch(/^req_/)
  })

  test('rejects too many values before reading them', async () => {
    const many = `{"amountMinor":1,"junk":[${'{},'.repeat(29_998)}{}]}`
    expect((await server.call('POST', '/probe/spend', { as: owner, raw: many })).status).toBe(200)
    const more = many.replace('[{}', '[{},{}')
    expect(await server.call('POST', '/probe/spend', { as: owner, raw: more })).toMatchObject({
      status: 400,
      body: { code: 'malformed_json', error: expect.stringContaining('30000 values') },
    })
  })

  test('reports all invalid fields at once', async () => {
    const reply = await server.call('POST', '/probe/spend', { as: owner, body: { note: 5 } })
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'amountMinor' }, { path: 'note' }] },
    })
  })

  test('hides the details of a bug, which are logged', async () => {
    const reply = await server.call('GET', '/probe/bug', { as: owner })
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal' } })
    expect(reply.text).not.toContain('secret detail')
    expect(server.logged.join('')).toContain('secret detail of a bug')
  })

  test('is in time: a slow handler gets a 503', async () => {
    const open = closeGate('slow')
    const reply = await server.call('GET', '/probe/slow', { as: owner })
    open()
    expect(reply).toMatchObject({ status: 503, body: { code: 'handler_timeout' } })
  })
})

describe('money on the wire', () => {
  const echo = (raw: string) => server.call('POST', '/probe/money', { as: owner, raw })
  test.for(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '-1'])(
    '%s survives a round trip',
    async (digits) => {
      expect((await echo(`{"amountMinor":${digits}}`)).text).toBe(`{"amountMinor":${digits}}`)
    },
  )
  test.for([
    '1.0',
    '1.5',
    '1e3',
    '1E3',
    '"5"',
    '9223372036854775808',
    '-9223372036854775809',
    'null',
    'true',
    '[1]',
    '{}',
    '1e309',
    '123456789012345678901234567890',
  ])('%s is rejected', async (bad) => {
    expect(await echo(`{"amountMinor":${bad}}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'amountMinor' }] },
    })
  })
})

describe('lists', () => {
  test.for([
    ['', 200, 50],
    ['?limit=200', 200, 200],
    ['?limit=0', 400, 0],
    ['?limit=201', 400, 0],
    ['?limit=1e1', 400, 0],
    ['?limit=5&limit=6', 400, 0],
    ['?limit=', 400, 0],
  ] as const)('limit %s', async ([query, status, limit]) => {
    const reply = await server.call('GET', `/probe/items/a${query}`, { as: owner })
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.body.limit).toBe(limit)
  })
})

test('a wrong method is rejected with the allowed ones', async () => {
  const reply = await server.call('POST', '/version')
  expect(reply).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
  expect(reply.headers.allow).toBe('GET, HEAD')
})

test('bodies over the limit are 413, also with a wrong length', async () => {
  expect(
    (await server.call('POST', '/probe/money', { as: owner, raw: ' '.repeat(1024 * 1024 + 1) })).status,
  ).toBe(413)
  const answer = await rawRequest(
    `POST /probe/money HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${owner.bearer}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    // One byte too many. More bytes would be in flight when the server closes, and the client would lose the response.
    `${`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(16)}1\r\nx\r\n`,
  )
  expect(answer).toContain(' 413 ')
})

test('headers over the limit are 431 in the error format, and the connection ends', async () => {
  const answer = await rawRequest(
    `GET /health HTTP/1.1\r\nhost: localhost\r\nx-big: ${'a'.repeat(17_000)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(answer).toContain('"code":"headers_too_large"')
})

test('a URL over 8 KiB is 414', async () => {
  expect((await server.call('GET', `/health?${'a'.repeat(9_000)}`)).status).toBe(414)
})

describe('rate limits', () => {
  test('return their state, reject with a retry delay, and reopen after it', async () => {
    const limited = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_RATE_LIMIT_AUTH: '5/60' },
    })
    const login = () => limited.call('POST', '/auth/dev-login', { body: { email: 'often@example.com' } })
    const replies = []
    for (let i = 0; i < 7; i++) replies.push(await login())
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(replies[0]?.headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '4',
      'ratelimit-policy': '5;w=60',
    })
    const refused = replies[6]
    expect(refused?.body).toMatchObject({ code: 'rate_limited' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
    limited.clock.advance({ seconds: Number(refused?.headers['retry-after']) })
    expect((await login()).status).toBe(200)
    await limited.close()
  })

  test('do not apply to exempt paths, and count unknown ones', async () => {
    const tight = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_RATE_LIMIT_GLOBAL: '3/60' },
    })
    for (let i = 0; i < 10; i++)
      for (const path of ['/health', '/auth/config', '/openapi.json', '/app'])
        expect((await tight.call('GET', path)).status).not.toBe(429)
    for (let i = 0; i < 3; i++) await tight.call('GET', '/nowhere')
    expect((await tight.call('GET', '/nowhere')).status).toBe(429)
    await tight.close()
  })

  test('trust a forwarded address only from configured proxies', async () => {
    const direct = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_RATE_LIMIT_AUTH: '2/60' },
    })
    const proxied = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_RATE_LIMIT_AUTH: '2/60', TRUST_PROXY: '1' },
    })
    server.clock.advance({ minutes: 2 })
    const statuses = async (on: TestServer) => {
      const seen = []
      for (let i = 0; i < 4; i++)
        seen.push(
          (
            await on.call('POST', '/auth/dev-login', {
              body: { email: 'far@example.com' },
              headers: { 'x-forwarded-for': `203.0.113.${i}` },
            })
          ).status,
        )
      return seen
    }
    expect(await statuses(direct)).toEqual([200, 200, 429, 429])
    expect(await statuses(proxied)).toEqual([200, 200, 200, 200])
    await direct.close()
    await proxied.close()
  })
})

describe('a stream', () => {
  const open = (path: string, body: object | undefined, signal?: AbortSignal) =>
    fetch(`${base}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${owner.bearer}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    })

  test('sends its frames as they come and then ends', async () => {
    const reply = await open('/probe/stream', { frames: 3 })
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/)
    expect(reply.headers.get('ratelimit-limit')).toBeTruthy()
    expect(await reply.text()).toMatch(
      /^(data: {"delta":"xxxxx"}\n\n){3}data: {"done":true,"spends":\d+}\n\n$/,
    )
  })

  test('aborts its handler when the client disconnects', async () => {
    const leave = new AbortController()
    const reply = await open('/probe/stream', { frames: 100_000, size: 2_000 }, leave.signal)
    await reply.body?.getReader().read()
    leave.abort()
    await expect.poll(() => openStreams()).toBe(0)
  })

  test('sends a frame larger than the buffer limit whole to a reader that reads', async () => {
    const reply = await open('/probe/stream', { frames: 2, size: 1_500_000 })
    const [first = '', second = '', last = ''] = (await reply.text()).split('\n\n')
    expect(first).toHaveLength('data: {"delta":""}'.length + 1_500_000)
    expect(second).toBe(first)
    expect(last).toContain('"done":true')
  })

  test('is limited to twenty per caller, and closing one makes room', async () => {
    const release = closeGate('twenty')
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => open('/probe/stream', { frames: 0, wait: 'twenty' })),
    )
    const surplus = await open('/probe/stream', { frames: 0, wait: 'twenty' })
    expect(surplus.status).toBe(429)
    expect(await surplus.json()).toMatchObject({ code: 'too_many_streams' })
    release()
    await Promise.all(streams.map((stream) => stream.text()))
    expect((await open('/probe/stream', { frames: 0 })).status).toBe(200)
  })

  async function openStreams(): Promise<number> {
    return Number(/cowrie_streams_open (\d+)/.exec(await server.app.metrics.exposition())?.[1])
  }
})

test('ends with a restart frame when the server shuts down', async () => {
  const closing = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
  const address = await closing.listen()
  const open = closeGate('forever')
  const reply = await fetch(`${address}/probe/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.bearer}`, 'content-type': 'application/json' },
    body: '{"frames":1,"wait":"forever"}',
  })
  const text = reply.text()
  const closed = closing.close()
  expect(await text).toContain('"code":"restarting"')
  open()
  await closed
})

/** Sends raw HTTP that no client would produce. */
function rawRequest(head: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    let answer = ''
    socket.setTimeout(30_000, () => reject(new Error('no answer in time')))
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
    socket.write(head + body)
    if (body !== '') socket.on('data', () => socket.end())
  })
}
