import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Listed = { id: string; current: boolean; lastSeenAt: string } & Record<string, unknown>

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

let people = 0
const someone = () => `person${++people}@example.com`
async function signIn(email: string, on = server): Promise<Visitor> {
  const visitor = on.visitor()
  const reply = await visitor.call('POST', '/auth/dev-login', {
    body: { email },
    headers: { 'user-agent': 'Netscape/4' },
  })
  expect(reply.status).toBe(200)
  return visitor
}
const listOf = async (visitor: Visitor) =>
  (await visitor.call<{ sessions: Listed[] }>('GET', '/me/sessions')).body.sessions
const currentOf = async (visitor: Visitor) =>
  (await listOf(visitor)).find(({ current }) => current)?.id ?? 'none'
const statusOf = async (visitor: Visitor) => (await visitor.call('GET', '/me')).status
/** The same cookies at the other replica. */
const elsewhere = async (visitor: Visitor) =>
  (
    await replica.call('GET', '/me', {
      headers: { cookie: `service_session=${visitor.cookies.get('service_session')}` },
    })
  ).status
const trailOf = (action: string) =>
  server.sql.rows<{ target: string; metadata: object }>`
    select target, metadata from audit_entries where action = ${action} order by created_at desc, id desc`

describe('GET /me/sessions 200', () => {
  test('lists open sessions, last seen first, and marks the current one', async () => {
    const email = someone()
    const first = await signIn(email)
    server.clock.advance({ minutes: 1 })
    const second = await signIn(email)
    const now = server.clock.now()
    const sessions = await listOf(second)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^ses_/),
      createdAt: now.toISOString(),
      lastSeenAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
      ip: '127.0.0.1',
      userAgent: 'Netscape/4',
      method: 'dev',
      current: true,
    })
    expect(sessions[1]?.current).toBe(false)
    expect((await listOf(first)).map(({ current }) => current)).toEqual([false, true])
  })

  test('omits revoked, expired and idle sessions and those of other users', async () => {
    const email = someone()
    await signIn(someone())
    const revoked = await signIn(email)
    await revoked.call('POST', '/auth/logout')
    const expired = await currentOf(await signIn(email))
    await server.sql.rows`update sessions set expires_at = ${server.clock.now()} where id = ${expired}`
    const idle = await currentOf(await signIn(email))
    server.clock.advance({ days: 6, hours: 23, minutes: 59 })
    const here = await signIn(email)
    expect((await listOf(here)).map(({ id }) => id)).toEqual([await currentOf(here), idle])
    server.clock.advance({ minutes: 1 })
    expect((await listOf(here)).map(({ id }) => id)).toEqual([await currentOf(here)])
  })
})

describe('DELETE /me/sessions/{id} 200', () => {
  test('ends another session at once on every replica and writes an audit event', async () => {
    const email = someone()
    const [here, there] = [await signIn(email), await signIn(email)]
    const id = await currentOf(there)
    expect(await elsewhere(there)).toBe(200)
    expect(await here.call('DELETE', `/me/sessions/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await statusOf(there), await elsewhere(there)]).toEqual([401, 401])
    expect(await statusOf(here)).toBe(200)
    expect((await trailOf('me.sessions.end'))[0]).toMatchObject({ target: id })
  })

  test('ends the current one like signing out and clears the cookies', async () => {
    const here = await signIn(someone())
    const cookie = `service_session=${here.cookies.get('service_session')}`
    const id = await currentOf(here)
    expect((await here.call('DELETE', `/me/sessions/${id}`)).status).toBe(200)
    expect([...here.cookies.keys()]).toEqual(['service_device'])
    expect((await server.call('GET', '/me', { headers: { cookie } })).status).toBe(401)
    expect((await trailOf('auth.logout'))[0]).toMatchObject({ target: id })
  })
})

describe('DELETE /me/sessions/{id} 404', () => {
  test('is the same for unknown, foreign, ended and expired sessions', async () => {
    const email = someone()
    const here = await signIn(email)
    const others = await signIn(someone())
    const gone = await signIn(email)
    const goneId = await currentOf(gone)
    await gone.call('POST', '/auth/logout')
    const expired = await currentOf(await signIn(email))
    await server.sql.rows`update sessions set expires_at = ${server.clock.now()} where id = ${expired}`
    const ids = ['nonsense', 'ses_00000000000000000000000000', await currentOf(others), goneId, expired]
    const bodies: string[] = []
    for (const id of ids) {
      const { status, body } = await here.call('DELETE', `/me/sessions/${id}`)
      const { requestId: _, ...rest } = body
      bodies.push(JSON.stringify({ status, ...rest }))
    }
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"status":404')
    expect(await statusOf(others)).toBe(200)
  })
})

describe('DELETE /me/sessions 200', () => {
  test('ends all other sessions of the user and returns their number', async () => {
    const email = someone()
    const bystander = await signIn(someone())
    const [here, second, third] = [await signIn(email), await signIn(email), await signIn(email)]
    const expired = await currentOf(await signIn(email))
    await server.sql.rows`update sessions set expires_at = ${server.clock.now()} where id = ${expired}`
    expect((await here.call('DELETE', '/me/sessions')).body).toEqual({ ok: true, ended: 2 })
    const visitors = [here, second, third, bystander]
    expect(await Promise.all(visitors.map(statusOf))).toEqual([200, 401, 401, 200])
    expect(await Promise.all(visitors.map(elsewhere))).toEqual([200, 401, 401, 200])
    expect((await trailOf('me.sessions.endOthers'))[0]).toMatchObject({ metadata: { ended: 2 } })
    expect((await here.call('DELETE', '/me/sessions')).body).toEqual({ ok: true, ended: 0 })
  })
})

describe('the session routes 403', () => {
  test.for([
    ['GET', '/me/sessions'],
    ['DELETE', '/me/sessions'],
    ['DELETE', '/me/sessions/ses_00000000000000000000000000'],
  ])('to a key at %s %s, and its holder’s sessions stay', async ([method = '', path = '']) => {
    const holder = await server.person()
    const visitor = await signIn(holder.email)
    const key = await server.key(holder, ['keys:manage'])
    expect((await server.call(method, path, { as: key })).body).toMatchObject({ code: 'session_required' })
    expect(await statusOf(visitor)).toBe(200)
  })
})

describe('PATCH /me', () => {
  test('200 changes the name and nothing else of the account', async () => {
    const person = await server.person()
    const row = () =>
      server.sql.one<{ text: string }>`
        select to_jsonb(u)::text as text from users u where id = ${person.userId}`
    const before = JSON.parse((await row()).text) as object
    const body = {
      name: 'Ada Obi',
      email: 'other@example.com',
      mfaEnabled: true,
      verifiedAt: null,
      role: 'owner',
    }
    expect((await server.call('PATCH', '/me', { as: person, body })).body).toEqual({ ok: true })
    expect(JSON.parse((await row()).text)).toEqual({ ...before, name: 'Ada Obi' })
  })

  test('changes the language of mails alone', async () => {
    const person = await server.person()
    const languageOf = async () => (await server.call('GET', '/me', { as: person })).body.language
    expect(await languageOf()).toBeNull()
    expect((await server.call('PATCH', '/me', { as: person, body: { language: 'sw' } })).status).toBe(200)
    expect(await languageOf()).toBe('sw')
    await server.call('PATCH', '/me', { as: person, body: { name: 'Ada' } })
    expect(await languageOf()).toBe('sw')
    const { body } = await server.call('PATCH', '/me', { as: person, body: { language: 'de' } })
    expect(body).toMatchObject({ code: 'invalid_fields', fields: [{ path: 'language' }] })
  })

  test.for([{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 7 }])('400 for %o', async (body) => {
    const person = await server.person()
    expect((await server.call('PATCH', '/me', { as: person, body })).body).toMatchObject({
      code: 'invalid_fields',
      fields: [{ path: 'name' }],
    })
  })
})
