// Requests that are rejected before routing: ambiguous headers and unknown hosts.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { exchange } from '@cowrie/testkit/harness/raw-http.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let owner: Person
let port: number

beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  owner = await server.person()
  port = Number(new URL(await server.listen()).port)
})
afterAll(() => server.close())

async function send(headers: readonly string[], body = '{"amountMinor":1}') {
  const lines = [
    'POST /probe/money HTTP/1.1',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  const { replies } = await exchange(port, `${lines.join('\r\n')}\r\n\r\n${body}`)
  return { status: replies[0]?.status, body: JSON.parse(String(replies[0]?.body)) as Record<string, unknown> }
}
const HOST = 'host: localhost'
const JSON_TYPE = 'content-type: application/json'
const bearer = () => `authorization: Bearer ${owner.bearer}`

describe('a header that must be unique', () => {
  test.for([
    ['Host', ['Host: localhost', 'Host: localhost']],
    ['Host', ['host: localhost', 'HOST: cowrie.test']],
    ['Authorization', [HOST, 'authorization: Bearer x']],
    ['Idempotency-Key', [HOST, 'idempotency-key: a', 'idempotency-key: a']],
    ['Content-Type', [HOST, JSON_TYPE]],
    ['X-Internal-Secret', [HOST, 'x-internal-secret: a', 'x-internal-secret: b']],
  ] as const)('is rejected with 400 when %s is sent twice: %j', async ([name, headers]) => {
    expect(await send([...headers, JSON_TYPE, bearer()])).toMatchObject({
      status: 400,
      body: { code: 'bad_request', error: `The header ${name} was sent more than once; send it once.` },
    })
  })

  test('may not be repeated, but others may', async () => {
    const lists = ['accept: a/b', 'accept: c/d', 'x-forwarded-for: 1.2.3.4', 'x-forwarded-for: 5.6.7.8']
    expect((await send([HOST, JSON_TYPE, bearer(), ...lists])).status).toBe(200)
  })
})

test('more than 100 headers are 431, and 100 are allowed', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `x-${i}: x`)
  // Includes the five headers of every request here.
  expect((await send([HOST, JSON_TYPE, bearer(), ...many(95)])).status).toBe(200)
  expect(await send([HOST, JSON_TYPE, bearer(), ...many(96)])).toMatchObject({
    status: 431,
    body: { code: 'headers_too_large', error: expect.stringContaining('100') },
  })
})

test.for([
  'application/json;',
  'application/json; ',
  'application/json ;charset=utf-8;',
  'Application/JSON;;charset="UTF-8"',
])('a body of type "%s" is JSON', async (type) => {
  expect((await send([HOST, `content-type: ${type}`, bearer()])).status).toBe(200)
})

describe('a duplicate key in a body', () => {
  test.for([
    ['amountMinor', '{"amountMinor":1,"amountMinor":2}'],
    ['amountMinor', '{"amountMinor":1,"amount\\u004dinor":1}'],
    ['b', '{"amountMinor":1,"a":[{"b":1},{"b":1,"c":{},"b":2}]}'],
    ['', '{"amountMinor":1,"":1,"":1}'],
    ['__proto__', '{"amountMinor":1,"__proto__":1,"__proto__":2}'],
  ] as const)('is rejected by its name: %s in %s', async ([key, body]) => {
    expect(await send([HOST, JSON_TYPE, bearer()], body)).toMatchObject({
      status: 400,
      body: {
        code: 'malformed_json',
        error: `The body has the key "${key}" more than once in one object; send it once.`,
      },
    })
  })

  test('is allowed in another object or in a string', async () => {
    const body =
      '{"amountMinor":1,"capNaira":1.50,"a":{"amountMinor":1.5,"capNaira":2},"text":"\\"b\\":1,\\"b\\":2","b":[{"b":1},{"b":2}]}'
    expect((await send([HOST, JSON_TYPE, bearer()], body)).status).toBe(200)
  })
})

describe('the host of a request', () => {
  test.for([
    'localhost',
    'LOCALHOST:8080',
    'localhost.:1',
    'app.localhost',
    '127.0.0.1:9',
    '127.8.9.10',
    '[::1]:8080',
    'cowrie.test',
    'cowrie.test:443',
  ])('is accepted outside production: %s', async (host) => {
    expect((await server.call('GET', '/dev/outbox?to=a@b.cd', { headers: { host } })).status).toBe(200)
  })

  test.for([
    'evil.example',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    '0.0.0.0',
    '[::2]',
    'cowrie.test.evil.example',
    'localhost@evil.example',
    'localhost, evil.example',
    'localhost:80:80',
  ])('is rejected outside production on every path: "%s"', async (host) => {
    for (const path of ['/dev/outbox?to=a@b.cd', '/health', '/app', '/nowhere'])
      expect(await server.call('GET', path, { headers: { host } }), path).toMatchObject({
        status: 421,
        body: { code: 'misdirected_request' },
      })
  })

  test('is rejected when it is empty', async () => {
    expect(await send(['host:', JSON_TYPE, bearer()])).toMatchObject({ status: 421 })
  })

  test('is not checked in production, where probes and proxies use addresses', async () => {
    const production = await startTestServer({
      url: server.url,
      variables: {
        SERVICE_ENV: 'production',
        SERVICE_BASE_URL: 'https://cowrie.test',
        SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
        SERVICE_MAIL_FROM: 'Cowrie <hello@cowrie.test>',
      },
    })
    expect((await production.call('GET', '/health', { headers: { host: '10.1.2.3:8080' } })).status).toBe(200)
    await production.close()
  })
})
