import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { route } from '../route.ts'
import { queryFlag, queryInteger, text } from '../shapes.ts'
import { acceptedEncoding, COMPRESSED_ABOVE, compress } from './content-encoding.ts'

const Sized = z.object({ text: z.string() })
const Query = z.object({ length: queryInteger(0, 5_000_000), cookie: queryFlag.optional() })
// Text that does not compress to almost nothing.
const textOf = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join('')

const sized: Module = {
  name: 'sized',
  routes: [
    route('sized.get', 'GET /sized', {
      summary: 'Return a text of the given length.',
      access: 'none',
      rate: 'global',
      query: Query,
      reply: { 200: Sized },
      handle: ({ query, request }) => {
        if (query.cookie) request.setCookie('session=1')
        return { text: textOf(query.length) }
      },
    }),
    route('sized.secret', 'GET /sized/secret', {
      summary: 'Return a secret.',
      access: 'none',
      rate: 'global',
      query: Query,
      carriesSecret: true,
      reply: { 200: Sized },
      handle: ({ query }) => ({ text: textOf(query.length) }),
    }),
    route('sized.once', 'POST /sized', {
      summary: 'Return a text that is stored under the key.',
      access: { scope: 'agent:run' },
      rate: 'global',
      idempotency: 'required',
      body: z.object({ length: z.int(), items: z.array(text(10)).optional() }),
      reply: { 200: Sized },
      handle: ({ actor, body, once }) =>
        once.commit(actor.orgId, async (tx) => {
          await tx.rows`select 1 as one`
          return { text: `${textOf(body.length)} ${once.id}` }
        }),
    }),
  ],
}

let server: TestServer
let base: string
beforeAll(async () => {
  server = await startTestServer({ modules: [sized, probe], tables: PROBE_TABLES })
  base = await server.listen()
})
afterAll(() => server.close())

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** The raw response, without decoding. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${base}${path}`, { method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(pieces),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
const accepting = (encoding: string) => ({ 'accept-encoding': encoding })
const DECODE: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}
const decoded = ({ headers, bytes }: Raw): string =>
  (DECODE[String(headers['content-encoding'])]?.(bytes) ?? bytes).toString()

describe('the encoding of a response', () => {
  test.for([
    { accepts: 'br', encoding: 'br' },
    { accepts: 'gzip', encoding: 'gzip' },
    { accepts: 'x-gzip', encoding: 'gzip' },
    { accepts: 'ZSTD', encoding: 'zstd' },
    { accepts: 'gzip, deflate, br, zstd', encoding: 'zstd' },
    { accepts: 'gzip, deflate, br', encoding: 'br' },
    { accepts: 'gzip;q=1.0, br;q=0.5', encoding: 'gzip' },
    { accepts: 'br;q=0, gzip;q=0.001', encoding: 'gzip' },
    { accepts: '*', encoding: 'zstd' },
    { accepts: 'zstd;q=0, *;q=0.5', encoding: 'br' },
    { accepts: '*;q=0', encoding: null },
    { accepts: 'identity', encoding: null },
    { accepts: 'identity, gzip;q=0.5', encoding: null },
    { accepts: 'identity;q=0.5, gzip', encoding: 'gzip' },
    { accepts: 'gzip;q=0', encoding: null },
    { accepts: 'deflate, compress', encoding: null },
    { accepts: '', encoding: null },
    { accepts: 'br;q=9, gzip;level=1, ,;', encoding: null },
  ])('for a client that accepts "$accepts" is $encoding', ({ accepts, encoding }) => {
    expect(acceptedEncoding(accepts)).toBe(encoding)
  })

  test('is none for a client without Accept-Encoding', () => {
    expect(acceptedEncoding(undefined)).toBeNull()
  })
})

describe('a response above 1 kB', () => {
  // One below and one above the length that is compressed on another thread.
  test.for(
    ['br', 'gzip', 'zstd'].flatMap((encoding) => [2_000, 200_000].map((length) => ({ encoding, length }))),
  )(
    'of $length characters is compressed with $encoding, with the compressed length',
    async ({ encoding, length }) => {
      const plain = await send('GET', `/sized?length=${length}`)
      const packed = await send('GET', `/sized?length=${length}`, accepting(encoding))
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(packed.bytes.length),
        'content-type': plain.headers['content-type'],
        vary: 'accept-encoding',
      })
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(decoded(packed)).toBe(plain.bytes.toString())
    },
  )

  test('has a Vary header also for a client without encodings', async () => {
    const { headers } = await send('GET', '/sized?length=2000')
    expect(headers.vary).toBe('accept-encoding')
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('has the same headers for HEAD as for GET, and no body', async () => {
    for (const length of [2_000, 200_000]) {
      const get = await send('GET', `/sized?length=${length}`, accepting('br'))
      const head = await send('HEAD', `/sized?length=${length}`, accepting('br'))
      expect(head.bytes).toHaveLength(0)
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
        expect(head.headers[name], name).toBe(get.headers[name])
    }
  })

  test('is compressed also when it is an error', async () => {
    const person = await server.person()
    const body = JSON.stringify({ length: 1, items: Array.from({ length: 40 }, () => 'far too long a text') })
    const refused = await send(
      'POST',
      '/sized',
      {
        ...accepting('gzip'),
        authorization: `Bearer ${person.bearer}`,
        'content-type': 'application/json',
        'idempotency-key': 'refused',
      },
      body,
    )
    expect(refused.status).toBe(400)
    expect(refused.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-language, accept-encoding',
    })
    expect(JSON.parse(decoded(refused))).toMatchObject({ code: 'invalid_fields' })
  })

  test('is read by an ordinary client', async () => {
    const response = await fetch(`${base}/sized?length=50000`)
    expect(response.headers.get('content-encoding')).not.toBeNull()
    expect(((await response.json()) as { text: string }).text).toBe(textOf(50_000))
  })
})

describe('a response is not compressed', () => {
  test.for([
    { it: 'when it is short', path: '/sized?length=900' },
    { it: 'when it carries a secret', path: '/sized/secret?length=5000' },
    { it: 'when it sets a cookie', path: '/sized?length=5000&cookie=true' },
  ])('$it', async ({ path }) => {
    const { status, headers, bytes } = await send('GET', path, accepting('br, gzip, zstd'))
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toBeUndefined()
    expect(JSON.parse(bytes.toString())).toHaveProperty('text')
  })

  test('when it is a stream', async () => {
    const person = await server.person()
    const { headers, bytes } = await send(
      'POST',
      '/probe/stream',
      {
        ...accepting('br, gzip, zstd'),
        authorization: `Bearer ${person.bearer}`,
        'content-type': 'application/json',
      },
      JSON.stringify({ frames: 2, size: 5_000 }),
    )
    expect(headers['content-type']).toContain('text/event-stream')
    expect(headers['content-encoding']).toBeUndefined()
    expect(bytes.toString()).toContain('data: {"delta":"xxxxx')
  })

  test('when too many others are being compressed on other threads', async () => {
    const body = textOf(500_000)
    const first = [compress(body, 'gzip'), compress(body, 'gzip')]
    expect(compress(body, 'gzip')).toBeNull()
    await Promise.all(first)
    expect(await compress(body, 'gzip')).toBeInstanceOf(Buffer)
  })
})

test('a replay has the bytes of the first reply, compressed for its client', async () => {
  const person = await server.person()
  const ask = (encoding: string) =>
    send(
      'POST',
      '/sized',
      {
        ...accepting(encoding),
        authorization: `Bearer ${person.bearer}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      '{"length":3000}',
    )
  const first = await ask('gzip')
  expect(first).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } })
  for (const encoding of ['br', 'zstd', 'identity']) {
    const replay = await ask(encoding)
    expect(replay.headers['idempotency-replayed']).toBe('true')
    expect(replay.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
    expect(decoded(replay)).toBe(decoded(first))
  }
})

test('many concurrent clients receive the whole response, compressed or not', async () => {
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => send('GET', '/sized?length=100000', accepting('br'))),
  )
  for (const reply of replies) expect(JSON.parse(decoded(reply))).toEqual({ text: textOf(100_000) })
})

describe('the API document', () => {
  const read = (headers: Record<string, string> = {}) => send('GET', '/openapi.json', headers)

  test('is sent in the encoding of the client, with one ETag for all encodings', async () => {
    const plain = await read()
    expect(plain.bytes.length).toBeGreaterThan(COMPRESSED_ABOVE)
    for (const encoding of ['br', 'gzip', 'zstd']) {
      const packed = await read(accepting(encoding))
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(packed.bytes.length),
        etag: plain.headers.etag,
        vary: 'accept-encoding',
        'cache-control': 'no-cache',
      })
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5)
      expect(decoded(packed)).toBe(plain.bytes.toString())
    }
  })

  test.for([
    { it: 'the same tag', tag: (etag: string) => etag },
    { it: 'its strong form', tag: (etag: string) => etag.replace('W/', '') },
    { it: 'one of several', tag: (etag: string) => `"other", ${etag}` },
    { it: 'any copy', tag: () => '*' },
  ])('is not sent again to a client that has $it', async ({ tag }) => {
    const { etag = '' } = (await read()).headers
    const current = await read({ ...accepting('br'), 'if-none-match': tag(etag) })
    expect(current.status).toBe(304)
    expect(current.bytes).toHaveLength(0)
    expect(current.headers).toMatchObject({ etag, vary: 'accept-encoding' })
    for (const name of ['content-length', 'content-encoding', 'content-type', 'transfer-encoding'])
      expect(current.headers[name], name).toBeUndefined()
  })

  test('is sent to a client with another copy', async () => {
    expect((await read({ 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('has a separate rate limit', async () => {
    const { headers } = await read()
    expect(headers['ratelimit-policy']).toBe('300;w=60')
    const ask = () => server.call('GET', '/openapi.json', { headers: { 'if-none-match': '*' } })
    for (let count = 0; count < 300; count++) await ask()
    expect(await ask()).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    })
    expect((await server.call('GET', '/version')).status).toBe(200)
  })
})
