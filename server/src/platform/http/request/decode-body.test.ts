import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../../../sdk/src/index.ts'
import type { Module } from '../../module.ts'
import { route } from '../route.ts'
import { decodeBody } from './decode-body.ts'

const LIMIT = 64 * 1024

const echo: Module = {
  name: 'echo',
  routes: [
    route('echo.count', 'POST /echo', {
      summary: 'Count the characters of a text.',
      access: 'none',
      rate: 'global',
      bodyLimitBytes: LIMIT,
      body: z.object({ text: z.string() }),
      reply: { 200: z.object({ length: z.int() }) },
      handle: ({ body }) => ({ length: body.text.length }),
    }),
    route('echo.optional', 'POST /echo/optional', {
      summary: 'Count the characters of a text that may be absent.',
      access: 'none',
      rate: 'global',
      body: z.object({ text: z.string().optional() }),
      reply: { 200: z.object({ length: z.int() }) },
      handle: ({ body }) => ({ length: body.text?.length ?? 0 }),
    }),
    route('echo.webhook', 'POST /echo/webhook', {
      summary: 'Accept a signed body.',
      access: { rail: 'echo', proof: () => undefined },
      rate: 'webhook',
      reply: { 200: z.object({ ok: z.literal(true) }) },
      handle: () => ({ ok: true as const }),
    }),
  ],
}

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer({ modules: [echo, probe], tables: PROBE_TABLES })
  person = await server.person()
})
afterAll(() => server.close())

const ENCODERS = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  zstd: zstdCompressSync,
  br: brotliCompressSync,
}
const send = (encoding: string, raw: Buffer, path = '/echo') =>
  server.call('POST', path, { raw, headers: { 'content-encoding': encoding } })

describe('an encoded body', () => {
  test.for(Object.entries(ENCODERS))('in %s is read like a plain one', async ([encoding, encode]) => {
    const reply = await send(encoding, encode(Buffer.from(JSON.stringify({ text: 'a'.repeat(5_000) }))))
    expect(reply).toMatchObject({ status: 200, body: { length: 5_000 } })
  })

  test('with the encoding identity is plain', async () => {
    expect((await send('identity', Buffer.from('{"text":"abc"}'))).body).toEqual({ length: 3 })
  })

  test.for(Object.entries(ENCODERS))(
    'in %s may have the size limit of the route and not a byte more',
    async ([encoding, encode]) => {
      const bodyOf = (bytes: number) => encode(Buffer.from(JSON.stringify({ text: 'a'.repeat(bytes - 11) })))
      expect(await send(encoding, bodyOf(LIMIT))).toMatchObject({ status: 200 })
      expect(await send(encoding, bodyOf(LIMIT + 1))).toMatchObject({
        status: 413,
        body: { code: 'body_too_large' },
      })
    },
  )

  test('is also limited by its encoded length', async () => {
    const noise = gzipSync(randomBytes(LIMIT + 1_000))
    expect(noise.length).toBeGreaterThan(LIMIT)
    expect(await send('gzip', noise)).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  test('in zstd may need a window of at most 8 MB', async () => {
    // The sixth byte requests a window of 64 MiB: 2 to the power of 10 + (0x80 >> 3).
    const wide = Buffer.from('28b52ffd00807000007b2274657874223a22616263227d010000', 'hex')
    expect(zstdDecompressSync(wide).toString()).toBe('{"text":"abc"}')
    expect(await send('zstd', wide)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  })

  const whole = Buffer.from(JSON.stringify({ text: randomBytes(500).toString('hex') }))
  test.for(
    (['gzip', 'zstd', 'br'] as const).flatMap((encoding) => {
      const packed = ENCODERS[encoding](whole)
      return [
        { encoding, it: 'ends too early', raw: packed.subarray(0, -5), says: 'ends too early' },
        { encoding, it: 'is something else', raw: whole, says: /is damaged|ends too early/ },
        {
          encoding,
          it: 'has bytes after its end',
          raw: Buffer.concat([packed, Buffer.from('{}')]),
          says: /after its end|is damaged/,
        },
      ]
    }),
  )('in $encoding that $it is rejected with the reason', async ({ encoding, raw, says }) => {
    const reply = await send(encoding, raw)
    expect(reply).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(reply.body.error).toMatch(says)
    expect(reply.body.error).toContain('send it without Content-Encoding')
  })

  test('that does not contain JSON is malformed JSON', async () => {
    expect(await send('gzip', gzipSync('{"text":'))).toMatchObject({
      status: 400,
      body: { code: 'malformed_json' },
    })
  })
})

describe('an unsupported encoding', () => {
  test.for(['deflate', 'compress', 'gzip, gzip', 'gzip,br', 'aes128gcm', 'constructor', ''])(
    '(%s) is rejected with the supported ones',
    async (encoding) => {
      const reply = await send(encoding, deflateSync('{"text":"abc"}'))
      expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
      expect(reply.headers['accept-encoding']).toBe('gzip, zstd, br')
      expect(reply.body.error).toContain('gzip, zstd, br')
    },
  )

  test.for(['gzip', 'zstd', 'br', 'deflate'])(
    '(%s) is ignored for a request without a body',
    async (encoding) => {
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      const reply = await server.call('POST', '/echo/optional', { raw: Buffer.alloc(0), headers })
      expect(reply).toMatchObject({ status: 200, body: { length: 0 } })
    },
  )

  test.for([
    { path: '/echo/webhook', type: 'application/json' },
    { path: '/probe/form', type: 'application/x-www-form-urlencoded' },
  ])('is every encoding on $path', async ({ path, type }) => {
    const reply = await server.call('POST', path, {
      raw: gzipSync('{}'),
      headers: { 'content-encoding': 'gzip', 'content-type': type },
    })
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    expect(reply.headers['accept-encoding']).toBe('identity')
  })
})

test('the same request in two encodings is one intent: the outcome is replayed', async () => {
  const body = Buffer.from('{"amountMinor":5}')
  const spend = (raw: Buffer, encoding: string) =>
    server.call('POST', '/probe/spend', {
      as: person,
      raw,
      headers: { 'idempotency-key': 'encoded', 'content-encoding': encoding },
    })
  const first = await spend(gzipSync(body), 'gzip')
  const again = await spend(zstdCompressSync(body), 'zstd')
  const plain = await spend(body, 'identity')
  expect(first.status).toBe(200)
  expect([again.text, plain.text]).toEqual([first.text, first.text])
  expect(plain.headers['idempotency-replayed']).toBe('true')
  const other = await spend(gzipSync('{"amountMinor":6}'), 'gzip')
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
})

test('the SDK can send compressed bodies through its fetch', async () => {
  const methods: string[] = []
  const client = createClient({
    baseUrl: await server.listen(),
    key: person.bearer,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('content-encoding', 'gzip')
      methods.push(String(init?.method))
      return fetch(input, { ...init, headers, body: gzipSync(String(init?.body)) })
    },
  })
  await client.me.update({ name: 'Ada Lovelace' })
  expect(methods).toEqual(['PATCH'])
  const [user] = await server.sql.rows<{ name: string }>`select name from users where id = ${person.userId}`
  expect(user?.name).toBe('Ada Lovelace')
})

test('bodies are decoded in turn, all of them', async () => {
  const packed = gzipSync(Buffer.alloc(100_000, 'a'))
  const decoded = await Promise.all(Array.from({ length: 50 }, () => decodeBody(packed, 'gzip', 100_000)))
  expect(decoded.every((body) => body.length === 100_000)).toBe(true)
})

test('bodies beyond the queue limit are rejected, and the next one is decoded', async () => {
  const packed = gzipSync(Buffer.alloc(1_000, 'a'))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 300 }, () => decodeBody(packed, 'gzip', 1_000)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(98)
  expect(refused[0]).toMatchObject({ reason: { code: 'busy' } })
  expect(await decodeBody(packed, 'gzip', 1_000)).toHaveLength(1_000)
})
