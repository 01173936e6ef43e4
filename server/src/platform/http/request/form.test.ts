import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const FORM = 'application/x-www-form-urlencoded'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
})
afterAll(() => server.close())

const post = (raw: string | Buffer, type = FORM, headers: Record<string, string> = {}) =>
  server.call('POST', '/probe/form', { raw, headers: { 'content-type': type, ...headers } })

describe('a form route', () => {
  test.for([
    ['word=a+b%26%C3%A9', 'a b&é'],
    ['word=x&unknown=y', 'x'],
    // Invalid UTF-8 in an escape becomes replacement characters, which are valid text.
    ['word=%ED%A0%80', '\ufffd\ufffd\ufffd'],
  ])('reads %s', async ([raw = '', word]) => {
    expect(await post(raw)).toMatchObject({ status: 200, body: { word } })
    expect((await post(raw, `${FORM}; charset=UTF-8`)).status).toBe(200)
  })

  test('may accept posts from other websites if its description allows it', async () => {
    const headers = { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' }
    expect((await post('word=x', FORM, headers)).status).toBe(200)
  })

  test('reports a missing field', async () => {
    expect(await post('other=x')).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'word', message: 'is required' }] },
    })
  })

  test.for([
    ['a field sent twice', 'word=x&word=y'],
    ['bytes that are not UTF-8', Buffer.from([0x77, 0xff])],
    ['a NUL character', 'word=%00'],
    ['a prototype pollution name', '__proto__=x&word=y'],
  ] as const)('refuses %s', async ([, raw]) => {
    expect((await post(raw)).status).toBe(400)
  })

  test.for(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'refuses %s',
    async (type) => {
      expect(await post('word=x', type)).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      })
    },
  )
})

test('a JSON route rejects a form', async () => {
  const reply = await server.call('POST', '/auth/dev-login', {
    raw: 'email=ada%40example.com',
    headers: { 'content-type': FORM },
  })
  expect(reply.status).toBe(415)
})
