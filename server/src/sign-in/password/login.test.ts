import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  comparable,
  createPasswordUser,
  from,
  login,
  me,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  PROXIED,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const SCHEDULES = ['signIn']

const WRONG = 'not the password at all'

const ACCOUNTS_MAX = 100
/** How many of them are tried one by one; the others are only counted. */
const ACCOUNTS_TRIED = rounds(12, ACCOUNTS_MAX)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES, variables: PROXIED })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

const hashOf = async (email: string) =>
  (await server.sql.one<{ hash: string }>`select password_hash as hash from users where email = ${email}`)
    .hash

/** A cheap hash, for tests that count guesses. */
async function makeQuick(email: string): Promise<void> {
  const quick = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await server.sql.rows`update users set password_hash = ${quick} where email = ${email}`
}

describe('POST /auth/login 200', () => {
  test('opens a session and returns its user', async () => {
    const { email, userId, orgId } = await createPasswordUser(server)
    const browser = server.visitor()
    const reply = await login(browser, email)
    expect(reply).toMatchObject({ status: 200, body: { ok: true, userId, orgId } })
    expect(String(reply.headers['set-cookie'])).toMatch(
      /^service_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax/,
    )
    expect(await me(browser)).toMatchObject({ status: 200, body: { email, userId } })
    const [session] = await server.sql.rows`select method from sessions where user_id = ${userId}`
    expect(session).toEqual({ method: 'password' })
  })

  test('takes the address in any spelling and the password in exactly one', async () => {
    const { email } = await createPasswordUser(server)
    expect((await login(server, email.toUpperCase())).status).toBe(200)
    for (const other of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `])
      expect((await login(server, email, other)).status).toBe(401)
  })

  test('ends the previous session of the browser, and gives another token', async () => {
    const [first, second] = [await createPasswordUser(server), await createPasswordUser(server)]
    const browser = server.visitor()
    await login(browser, first.email)
    const planted = new Map(browser.cookies)
    await login(browser, second.email)
    expect(browser.cookies.get('service_session')).not.toBe(planted.get('service_session'))
    expect(await me(browser)).toMatchObject({ body: { email: second.email } })
    const headers = { cookie: `service_session=${planted.get('service_session')}` }
    expect((await server.call('GET', '/me', { headers })).status).toBe(401)
  })

  test('asks for the second factor where there is one, and opens nothing before', async () => {
    const { email, userId } = await createPasswordUser(server)
    await server.sql.rows`update users set mfa_enabled = true where id = ${userId}`
    const browser = server.visitor()
    const reply = await login(browser, email)
    expect(reply).toMatchObject({
      status: 200,
      body: { mfaRequired: true, challenge: expect.any(String), expiresAt: expect.any(String) },
    })
    expect(reply.body).not.toHaveProperty('userId')
    expect(browser.cookies.has('service_session')).toBe(false)
    expect((await me(browser)).status).toBe(401)
  })

  test('brings an old hash up to date, and leaves a current one as it is', async () => {
    const { email } = await createPasswordUser(server)
    const old = await hash(PASSWORD, { algorithm: 2, memoryCost: 8_192, timeCost: 1 })
    await server.sql.rows`update users set password_hash = ${old} where email = ${email}`
    expect((await login(server, email, WRONG)).status).toBe(401)
    expect(await hashOf(email)).toBe(old)
    expect((await login(server, email)).status).toBe(200)
    const renewed = await hashOf(email)
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect((await login(server, email)).status).toBe(200)
    expect(await hashOf(email)).toBe(renewed)
  })
})

describe('POST /auth/login 401', () => {
  test('to the byte the same for a wrong password, an unknown address and an account without a password', async () => {
    const known = await createPasswordUser(server)
    const without = await createPasswordUser(server, { password: null })
    const unconfirmed = await createPasswordUser(server, { verified: false })
    const replies = []
    for (const email of [known.email, without.email, unconfirmed.email, newAddress()])
      replies.push(comparable(await login(server, email, WRONG)))
    expect(replies[0]).toMatchObject({ status: 401, text: expect.stringContaining('wrong_credentials') })
    for (const other of replies.slice(1)) expect(other).toEqual(replies[0])
  })

  test('for the hash itself as password', async () => {
    const { email } = await createPasswordUser(server)
    expect((await login(server, email, await hashOf(email))).status).toBe(401)
  })

  test('for a password that was replaced a moment ago', async () => {
    const { email, userId } = await createPasswordUser(server)
    await server.sql.rows`update users set password_hash = null where id = ${userId}`
    expect((await login(server, email)).status).toBe(401)
  })
})

describe('POST /auth/login 400', () => {
  test.for([129, 1_000_000])('for a password of %i characters: longer than any', async (length) => {
    const reply = await login(server, newAddress(), 'x'.repeat(length))
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'password' }] },
    })
    expect(await server.sql.rows`select name from attempts where name like 'login.%'`).toEqual([])
  })

  test('for the right password with a NUL and something behind it', async () => {
    const { email } = await createPasswordUser(server)
    const raw = `{"email":"${email}","password":"${PASSWORD}\\u0000x"}`
    expect((await server.call('POST', '/auth/login', { raw })).status).toBe(400)
  })
})

describe('POST /auth/login 403', () => {
  test('reports an unconfirmed address only after the correct password', async () => {
    const { email } = await createPasswordUser(server, { verified: false })
    expect(await login(server, email)).toMatchObject({
      status: 403,
      body: { code: 'verification_required', verificationRequired: true },
    })
    expect((await login(server, email, WRONG)).status).toBe(401)
  })

  test('where the domain belongs to an organisation that requires single sign-on', async () => {
    const { email, orgId } = await createPasswordUser(server)
    await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
    expect(await login(server, email)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
  })

  test('to another website', async () => {
    const { email } = await createPasswordUser(server)
    const reply = await login(server, email, PASSWORD, { 'sec-fetch-site': 'cross-site' })
    expect(reply).toMatchObject({ status: 403, body: { code: 'cross_origin' } })
  })
})

// A hundred hashes take their time, on a busy machine even more.
describe('POST /auth/login 429', { timeout: 60_000 }, () => {
  const HOME = from('198.51.100.7')
  const ELSEWHERE = from('203.0.113.9')
  const guess = async (email: string, times: number, headers = HOME) => {
    const statuses = []
    for (let i = 0; i < times; i++) statuses.push((await login(server, email, WRONG, headers)).status)
    return statuses
  }

  test.for(['known', 'unknown'] as const)(
    'after ten wrong passwords for a %s address from one network, until a quarter of an hour is over',
    async (kind) => {
      const email = kind === 'known' ? (await createPasswordUser(server)).email : newAddress()
      expect(await guess(email, 10)).toEqual(Array(10).fill(401))
      const refused = await login(server, email, PASSWORD, HOME)
      expect(refused).toMatchObject({
        status: 429,
        body: { code: 'too_many_attempts' },
        headers: { 'retry-after': '900' },
      })
      server.clock.advance({ minutes: 14 })
      expect((await login(server, email, PASSWORD, HOME)).headers['retry-after']).toBe('60')
      server.clock.advance({ minutes: 1 })
      expect((await login(server, email, PASSWORD, HOME)).status).toBe(kind === 'known' ? 200 : 401)
    },
  )

  test('counts guesses made at once as if they came one after another', async () => {
    const { email } = await createPasswordUser(server)
    const replies = await Promise.all(Array.from({ length: 30 }, () => login(server, email, WRONG, HOME)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('resets the count after a correct password', async () => {
    const { email } = await createPasswordUser(server)
    await makeQuick(email)
    expect(await guess(email, 9)).toEqual(Array(9).fill(401))
    expect((await login(server, email, PASSWORD, HOME)).status).toBe(200)
    await makeQuick(email)
    expect(await guess(email, 10)).toEqual(Array(10).fill(401))
  })

  test('never locks out the owner: neither elsewhere nor, in a browser that was signed in before, behind the same address', async () => {
    const { email } = await createPasswordUser(server)
    const known = server.visitor()
    expect((await login(known, email, PASSWORD, HOME)).status).toBe(200)
    await makeQuick(email)
    expect((await guess(email, 100)).slice(10)).toEqual(Array(90).fill(429))
    expect((await login(server, email, PASSWORD, HOME)).status).toBe(429)
    expect((await login(server, email, PASSWORD, ELSEWHERE)).status).toBe(200)
    expect((await login(known, email, PASSWORD, HOME)).status).toBe(200)
  })

  test('counts a known browser too, and a cookie is known to its own accounts alone', async () => {
    const [victim, stranger] = [await createPasswordUser(server), await createPasswordUser(server)]
    const browser = server.visitor()
    await login(browser, stranger.email, PASSWORD, HOME)
    for (const { email } of [victim, stranger]) await makeQuick(email)
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await login(browser, victim.email, WRONG, HOME)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    for (let i = 0; i < 10; i++) await login(browser, stranger.email, WRONG, HOME)
    expect((await login(browser, stranger.email, PASSWORD, HOME)).status).toBe(429)
    expect((await login(server, stranger.email, PASSWORD, HOME)).status).toBe(200)
  })

  test('after a hundred wrong ones from everywhere, for a known and an unknown address, but not in a known browser', async () => {
    const known = await createPasswordUser(server)
    const browser = server.visitor()
    expect((await login(browser, known.email, PASSWORD, HOME)).status).toBe(200)
    await makeQuick(known.email)
    for (const email of [known.email, newAddress()]) {
      const networks = Array.from({ length: 10 }, (_, network) => from(`2001:db8:7:${network}::1`))
      const statuses = await Promise.all(networks.map((network) => guess(email, 10, network)))
      expect(statuses.flat()).toEqual(Array(100).fill(401))
      const refused = await login(server, email, PASSWORD, from('2001:db8:8::1'))
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
      expect(refused.headers['retry-after']).toBe('900')
    }
    expect((await login(browser, known.email, PASSWORD, HOME)).status).toBe(200)
    expect((await login(server, known.email, PASSWORD, ELSEWHERE)).status).toBe(429)
    server.clock.advance({ minutes: 15 })
    expect((await login(server, known.email, PASSWORD, ELSEWHERE)).status).toBe(200)
  })

  test('is neither advanced nor reset by correct passwords', async () => {
    const { email } = await createPasswordUser(server)
    for (let i = 0; i < 5; i++) expect((await login(server, email, PASSWORD, HOME)).status).toBe(200)
    for (let network = 0; network < 10; network++) {
      // Each correct password updates the hash.
      await makeQuick(email)
      expect(await guess(email, 10, from(`2001:db8:9:${network}::1`))).toEqual(Array(10).fill(401))
      if (network < 9) expect((await login(server, email, PASSWORD, ELSEWHERE)).status).toBe(200)
    }
    expect((await login(server, email, PASSWORD, ELSEWHERE)).status).toBe(429)
  })

  test('after wrong passwords for a hundred accounts from one network, but not elsewhere or in a known browser', async () => {
    const usual = await startTestServer({
      schedules: SCHEDULES,
      url: server.url,
      clock: server.clock,
      variables: { ...PROXIED, SERVICE_RATE_LIMIT_AUTH: '20/60' },
    })
    // Both count the calls of the earlier tests.
    server.clock.advance({ minutes: 2 })
    const { email } = await createPasswordUser(server)
    const known = usual.visitor()
    await login(known, email, PASSWORD, HOME)
    // Guesses at unknown addresses count too.
    const someAddress = async (i: number) => {
      if (i % 8 === 0) return newAddress()
      const account = await server.person()
      await makeQuick(account.email)
      return account.email
    }
    const statuses = []
    for (let i = 0; i < ACCOUNTS_TRIED + 2; i++) {
      // Slowly enough for the rate limit.
      server.clock.advance({ seconds: 4 })
      statuses.push((await login(usual, await someAddress(i), WRONG, HOME)).status)
      if (i === 0)
        await server.sql.rows`
          update attempts set count = count + ${ACCOUNTS_MAX - ACCOUNTS_TRIED}
          where name = 'login.address' and resets_at = (select max(resets_at) from attempts where name = 'login.address')`
    }
    expect(statuses).toEqual([...Array(ACCOUNTS_TRIED).fill(401), 429, 429])
    const refused = await login(usual, email, PASSWORD, HOME)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBe(900 - 4 * (ACCOUNTS_TRIED + 1))
    expect((await login(known, email, PASSWORD, HOME)).status).toBe(200)
    expect((await login(usual, email, PASSWORD, ELSEWHERE)).status).toBe(200)
    // A higher rate limit means more users behind one address.
    expect((await login(server, email, PASSWORD, HOME)).status).toBe(200)
    await usual.close()
  })

  test('counts an IPv6 network as one address', async () => {
    const { email } = await createPasswordUser(server)
    for (let i = 1; i <= 10; i++) await guess(email, 1, from(`2001:db8:1:2::${i}`))
    expect((await login(server, email, PASSWORD, from('2001:db8:1:2:ffff::1'))).status).toBe(429)
    expect((await login(server, email, PASSWORD, from('2001:db8:1:3::1'))).status).toBe(200)
  })

  test('keeps no address in readable form', async () => {
    const email = newAddress()
    await login(server, email, OTHER_PASSWORD, HOME)
    const rows = await server.sql.rows`select name, subject from attempts`
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(email.split('@')[0])
    expect(server.logged.join('')).not.toContain(OTHER_PASSWORD)
  })
})
