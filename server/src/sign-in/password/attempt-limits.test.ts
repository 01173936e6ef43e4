import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  comparable,
  createPasswordUser,
  from,
  login,
  mailsTo,
  newAddress,
  PASSWORD,
  PROXIED,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ variables: { ...PROXIED, SERVICE_RATE_LIMIT_AUTH: '20/60' } })
})
afterAll(() => server.close())

const MAILS_MAX = 300
/** The number that is requested one by one; the others are only counted. */
const MAILS_ASKED = rounds(30, MAILS_MAX)

const PATHS = [
  '/auth/magic/request',
  '/auth/password/forgot',
  '/auth/verify/resend',
  '/auth/register',
] as const
let caller = 0
/** An address without earlier requests. */
const fresh = () => from(`198.51.100.${++caller}`)
const ask = (path: string, email: string, headers: Record<string, string>) =>
  server.call('POST', path, {
    body: path === '/auth/register' ? { email, password: PASSWORD } : { email },
    headers,
  })

describe('mails', () => {
  test.for(PATHS)('by %s go to one address at most three times in a quarter of an hour', async (path) => {
    const { email } = await createPasswordUser(server, { verified: path !== '/auth/verify/resend' })
    const replies = []
    for (let i = 0; i < 5; i++) replies.push(comparable(await ask(path, email, fresh())))
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(await mailsTo(server, email)).toHaveLength(3)
    server.clock.advance({ minutes: 15 })
    await ask(path, email, fresh())
    expect(await mailsTo(server, email)).toHaveLength(4)
  })

  test('of each kind count apart, however the address is written', async () => {
    const { email } = await createPasswordUser(server)
    for (const path of ['/auth/magic/request', '/auth/password/forgot'])
      for (let i = 0; i < 4; i++) await ask(path, i % 2 ? email.toUpperCase() : email, fresh())
    expect(await mailsTo(server, email)).toHaveLength(6)
  })

  test('of all kinds go to one address at most eight times, and the answers stay the same', async () => {
    const { email } = await createPasswordUser(server, { verified: false })
    for (const path of PATHS) {
      const replies = []
      for (let i = 0; i < 4; i++) replies.push(comparable(await ask(path, email, fresh())))
      for (const reply of replies) expect(reply).toEqual(replies[0])
    }
    expect(await mailsTo(server, email)).toHaveLength(8)
    server.clock.advance({ minutes: 15 })
    await ask('/auth/register', email, fresh())
    expect(await mailsTo(server, email)).toHaveLength(9)
  })

  test('requested by one network are refused beyond 300 an hour, for known and new addresses', async () => {
    const client = fresh()
    const { email } = await createPasswordUser(server)
    for (let i = 0; i < MAILS_ASKED; i++) {
      if (i % 20 === 0) server.clock.advance({ minutes: 1 })
      expect((await ask('/auth/magic/request', newAddress(), client)).status).toBe(200)
    }
    await server.sql.rows`
      update attempts set count = count + ${MAILS_MAX - MAILS_ASKED} where name = 'mail.from' and count = ${MAILS_ASKED}`
    server.clock.advance({ minutes: 1 })
    for (const path of PATHS)
      for (const address of [email, newAddress()]) {
        const refused = await ask(path, address, client)
        expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
      }
    expect(await mailsTo(server, email)).toEqual([])
    server.clock.advance({ hours: 1 })
    expect((await ask('/auth/magic/request', email, client)).status).toBe(200)
    expect(await mailsTo(server, email)).toHaveLength(1)
  })
})

test('beyond the limit of an address a registration does nothing and looks the same', async () => {
  const unknown = newAddress()
  const known = await createPasswordUser(server)
  const replies = []
  for (let i = 0; i < 4; i++)
    for (const email of [known.email, unknown])
      replies.push(comparable(await ask('/auth/register', email, fresh())))
  for (const reply of replies) expect(reply).toEqual(replies[0])
  expect(await mailsTo(server, known.email)).toHaveLength(3)
})

test('signing out is not limited by sign-ins from the same address', async () => {
  const { email } = await createPasswordUser(server)
  const [client, browser] = [fresh(), server.visitor()]
  expect((await login(browser, email, PASSWORD, client)).status).toBe(200)
  for (let i = 0; i < 20; i++) await login(server, email, PASSWORD, client)
  expect((await login(server, email, PASSWORD, client)).status).toBe(429)
  expect((await browser.call('POST', '/auth/logout', { headers: client })).status).toBe(200)
})
