import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  createPasswordUser,
  FROM_PAGE,
  from,
  login,
  NAVIGATING,
  newAddress,
  PASSWORD,
  PROXIED,
  register,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const HOME = from('198.51.100.7')
const ELSEWHERE = from('52.1.2.3')
const SCANNER = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (compatible; scanner)' }
const NOTHING_USED = { status: 200, body: { ok: false, confirm: true } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ variables: PROXIED })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

type Client = Pick<Visitor, 'call'>
type Headers = Record<string, string>

const KINDS = ['verify', 'magic'] as const
type Kind = (typeof KINDS)[number]
const PATHS = { verify: '/auth/verify', magic: '/auth/magic/consume' }

/** Requests a link and returns its user. */
async function ask(kind: Kind, client: Client, headers: Headers) {
  const email = kind === 'magic' ? (await createPasswordUser(server)).email : newAddress()
  const reply =
    kind === 'magic'
      ? await client.call('POST', '/auth/magic/request', { body: { email }, headers })
      : await register(client, email, PASSWORD, { headers })
  return { email, reply, token: await tokenTo(server, email) }
}
const open = (kind: Kind, token: string, client: Client, headers: Headers) =>
  client.call('GET', PATHS[kind], { query: { token }, headers })

describe.for(KINDS)('a %s link that a program asked for', (kind) => {
  test('is used up by a program in the same network, with or without cookies', async () => {
    const { reply, token } = await ask(kind, server, HOME)
    expect(String(reply.headers['set-cookie'])).toMatch(/^service_device=/)
    expect(await open(kind, token, server, { ...SCANNER, ...HOME })).toMatchObject({
      status: 200,
      body: { ok: true },
    })
  })

  test('is consumed with the cookie from any network', async () => {
    const program = server.visitor()
    const { token } = await ask(kind, program, HOME)
    expect((await open(kind, token, program, { ...SCANNER, ...ELSEWHERE })).body).toMatchObject({ ok: true })
  })

  test('is left alone by a scanner elsewhere, a browser and a picture in a page', async () => {
    const { email, token } = await ask(kind, server, HOME)
    const picture = {
      accept: 'image/webp,*/*;q=0.8',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'image',
    }
    expect(await open(kind, token, server, { ...SCANNER, ...ELSEWHERE })).toMatchObject(NOTHING_USED)
    expect(await open(kind, token, server, { ...picture, ...HOME })).toMatchObject(NOTHING_USED)
    expect(await open(kind, token, server, { ...SCANNER, ...HOME, purpose: 'prefetch' })).toMatchObject(
      NOTHING_USED,
    )
    for (const headers of [NAVIGATING, { accept: 'text/html' }])
      expect((await open(kind, token, server, { ...headers, ...HOME })).headers.location).toBe(
        `/app/sign-in/link#token=${token}&kind=${kind}`,
      )
    if (kind === 'verify') expect((await login(server, email)).status).toBe(403)
    expect((await server.call('POST', PATHS[kind], { body: { token } })).status).toBe(200)
  })
})

describe.for(KINDS)('a %s link that a browser asked for', (kind) => {
  test('is used up by that browser, on a page and without; a page confirms an address itself', async () => {
    for (const [headers, status] of [
      [NAVIGATING, 302],
      [{ ...SCANNER, 'sec-fetch-site': 'none' }, 200],
    ] as const) {
      const browser = server.visitor()
      const { token } = await ask(kind, browser, { ...FROM_PAGE, ...HOME })
      const reply = await open(kind, token, browser, { ...headers, ...ELSEWHERE })
      expect(reply.status).toBe(status)
      if (status === 302 && kind === 'verify')
        expect(reply.headers.location).toBe(`/app/sign-in/link#token=${token}&kind=verify&own=1`)
      else if (status === 302) expect(reply.headers.location).toBe('/app')
      else expect(reply.body).toMatchObject({ ok: true })
    }
  })

  test('is left alone by programs, also in the same network', async () => {
    const { token } = await ask(kind, server.visitor(), { ...FROM_PAGE, ...HOME })
    expect(await open(kind, token, server, { ...SCANNER, ...HOME })).toMatchObject(NOTHING_USED)
  })

  test('is not made easier to use by a program that asks again', async () => {
    const { email, token: first } = await ask(kind, server.visitor(), { ...FROM_PAGE, ...HOME })
    const again = kind === 'verify' ? '/auth/verify/resend' : '/auth/magic/request'
    server.clock.advance({ seconds: 1 })
    await server.call('POST', again, { body: { email }, headers: HOME })
    const token = await tokenTo(server, email)
    expect(token).not.toBe(first)
    expect(await open(kind, token, server, { ...SCANNER, ...HOME })).toMatchObject(NOTHING_USED)
    if (kind === 'magic') return
    server.clock.advance({ seconds: 1 })
    await register(server, email, PASSWORD, { headers: HOME })
    const third = await tokenTo(server, email)
    expect(third).not.toBe(token)
    expect(await open(kind, third, server, { ...SCANNER, ...HOME })).toMatchObject(NOTHING_USED)
  })
})
