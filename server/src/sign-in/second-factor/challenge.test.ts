import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, login } from '@cowrie/testkit/sign-in/password-users.ts'
import {
  actionsOf,
  challengeFor,
  codeOf,
  createMfaUser,
  mailsTo,
  wrongCode,
} from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChallenge } from './challenge.ts'

const SCHEDULES = ['signIn']

type Entered = { ok: boolean; userId: string; orgId: string; code?: string }

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
  replica = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const answer = (challenge: string, code: string, on: Pick<TestServer, 'call'> = server) =>
  on.call<Entered>('POST', '/auth/mfa/challenge', { body: { challenge, code } })

describe('200', () => {
  test('finishes a sign-in that began with the password', async () => {
    const { email } = await createPasswordUser(server)
    const person = await createMfaUser(server, email)
    const browser = server.visitor()
    const { body } = await login(browser, email)
    expect((await browser.call('GET', '/me')).status).toBe(401)
    const reply = await answer(String(body.challenge), codeOf(server, person.secret), browser)
    expect(reply.body).toEqual({ ok: true, userId: person.userId, orgId: person.orgId })
    expect((await browser.call('GET', '/me')).body).toMatchObject({ email })
  })

  test('a code of the app opens a session', async () => {
    const person = await createMfaUser(server)
    const browser = server.visitor()
    const reply = await answer(await challengeFor(server, person), codeOf(server, person.secret), browser)
    expect(reply.body).toEqual({ ok: true, userId: person.userId, orgId: person.orgId })
    expect((await browser.call('GET', '/me')).body).toMatchObject({ email: person.email, mfaEnabled: true })
  })

  test.for([
    ['password', 'totp'],
    ['magic_link', 'recovery_code'],
  ] as const)('the record says that it was %s and %s', async ([first, second]) => {
    const person = await createMfaUser(server)
    const code = second === 'totp' ? codeOf(server, person.secret) : (person.recoveryCodes[0] ?? '')
    expect((await answer(await challengeFor(server, person, first), code)).status).toBe(200)
    const [entry] = await server.sql.rows<{ metadata: object }>`
      select metadata from audit_entries where org_id = ${person.orgId} order by seq desc limit 1`
    expect(entry?.metadata).toMatchObject({ method: first, secondFactor: second })
  })

  test.for([30, -30])('a phone whose clock is %i seconds behind still works', async (secondsAgo) => {
    const person = await createMfaUser(server)
    server.clock.advance({ seconds: 30 })
    const code = codeOf(server, person.secret, secondsAgo)
    expect((await answer(await challengeFor(server, person), code)).status).toBe(200)
  })

  test('a recovery code works in capitals and without dashes, and its owner is notified', async () => {
    const person = await createMfaUser(server)
    const typed = (person.recoveryCodes[5] ?? '').replaceAll('-', '').toUpperCase()
    expect((await answer(await challengeFor(server, person), typed)).status).toBe(200)
    expect(await mailsTo(server, person.email)).toContain('A recovery code of your Cowrie account was used')
    expect((await person.browser.call('GET', '/auth/mfa')).body).toMatchObject({ recoveryCodesLeft: 9 })
  })

  test('the code that confirmed the app still signs in', async () => {
    const person = await createMfaUser(server)
    const code = codeOf(server, person.secret)
    expect((await answer(await challengeFor(server, person), code)).status).toBe(200)
    expect((await answer(await challengeFor(server, person), code)).body.code).toBe('wrong_code')
  })

  test('a correct code resets the count of wrong ones', async () => {
    const person = await createMfaUser(server)
    const wrong = async () => answer(await challengeFor(server, person), wrongCode(server, person.secret))
    for (let attempt = 0; attempt < 9; attempt++) expect((await wrong()).status).toBe(401)
    const [first = '', second = ''] = person.recoveryCodes
    expect((await answer(await challengeFor(server, person), first)).status).toBe(200)
    for (let attempt = 0; attempt < 9; attempt++) expect((await wrong()).status).toBe(401)
    expect((await answer(await challengeFor(server, person), second)).status).toBe(200)
  })

  test('four wrong codes do not end the challenge', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    for (let attempt = 0; attempt < 4; attempt++) await answer(challenge, wrongCode(server, person.secret))
    expect((await answer(challenge, codeOf(server, person.secret))).status).toBe(200)
  })

  test('one code at the same moment on two replicas opens one session', async () => {
    const person = await createMfaUser(server)
    const code = codeOf(server, person.secret)
    const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeFor(server, person)))
    const replies = await Promise.all(
      challenges.map((challenge, i) => answer(challenge, code, i % 2 ? replica : server)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expect((await actionsOf(server, person)).filter((action) => action === 'auth.signIn')).toHaveLength(2)
  })

  test('one recovery code at the same moment on two replicas opens one session', async () => {
    const person = await createMfaUser(server)
    const [code = ''] = person.recoveryCodes
    const challenges = await Promise.all([challengeFor(server, person), challengeFor(server, person)])
    const replies = await Promise.all(
      challenges.map((challenge, i) => answer(challenge, code, i ? replica : server)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('one challenge answered correctly twice at the same moment opens one session', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    const [first = '', second = ''] = person.recoveryCodes
    const replies = await Promise.all([answer(challenge, first), answer(challenge, second, replica)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await person.browser.call('GET', '/auth/mfa')).body).toMatchObject({ recoveryCodesLeft: 9 })
  })
})

describe('400', () => {
  test.for([
    {},
    { challenge: 'x' },
    { challenge: 'x'.repeat(101), code: '1' },
    { challenge: 1, code: 123456 },
  ])('%j is not an answer', async (body) => {
    expect((await server.call('POST', '/auth/mfa/challenge', { body })).body.code).toBe('invalid_fields')
  })
})

describe('401', () => {
  test('a code that was used in another sign-in', async () => {
    const person = await createMfaUser(server)
    const code = codeOf(server, person.secret)
    expect((await answer(await challengeFor(server, person), code)).status).toBe(200)
    expect((await answer(await challengeFor(server, person), code)).body.code).toBe('wrong_code')
  })

  test('a code of an earlier step than the last one used', async () => {
    const person = await createMfaUser(server)
    server.clock.advance({ seconds: 60 })
    const [earlier, now] = [codeOf(server, person.secret, 30), codeOf(server, person.secret)]
    expect((await answer(await challengeFor(server, person), now)).status).toBe(200)
    expect((await answer(await challengeFor(server, person), earlier)).body.code).toBe('wrong_code')
  })

  test.for([90, 60, -60])('a code of %i seconds ago', async (secondsAgo) => {
    const person = await createMfaUser(server)
    server.clock.advance({ minutes: 2 })
    const code = codeOf(server, person.secret, secondsAgo)
    expect((await answer(await challengeFor(server, person), code)).body.code).toBe('wrong_code')
  })

  test('a recovery code that was used', async () => {
    const person = await createMfaUser(server)
    const [code = ''] = person.recoveryCodes
    expect((await answer(await challengeFor(server, person), code)).status).toBe(200)
    expect((await answer(await challengeFor(server, person), code)).body.code).toBe('wrong_code')
  })

  test('a correct code of another user', async () => {
    const [person, other] = [await createMfaUser(server), await createMfaUser(server)]
    const challenge = await challengeFor(server, person)
    expect((await answer(challenge, codeOf(server, other.secret))).body.code).toBe('wrong_code')
    expect((await answer(challenge, other.recoveryCodes[0] ?? '')).body.code).toBe('wrong_code')
  })

  test('a used, an invented and an expired challenge', async () => {
    const person = await createMfaUser(server)
    const used = await challengeFor(server, person)
    expect((await answer(used, person.recoveryCodes[0] ?? '')).status).toBe(200)
    const late = await challengeFor(server, person)
    server.clock.advance({ minutes: 5 })
    for (const challenge of [used, late, 'made-up'])
      expect(await answer(challenge, person.recoveryCodes[1] ?? '')).toMatchObject({
        status: 401,
        body: { code: 'challenge_ended' },
      })
    expect((await person.browser.call('GET', '/auth/mfa')).body).toMatchObject({ recoveryCodesLeft: 9 })
  })

  test('any code after five wrong ones, and the owner is notified once', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await answer(challenge, wrongCode(server, person.secret))).body.code).toBe('wrong_code')
    server.clock.advance({ minutes: 4, seconds: 50 })
    for (const code of [codeOf(server, person.secret), person.recoveryCodes[0] ?? ''])
      expect(await answer(challenge, code)).toMatchObject({ status: 401, body: { code: 'challenge_ended' } })
    const told = (await mailsTo(server, person.email)).filter((subject) => subject.startsWith('Wrong codes'))
    expect(told).toHaveLength(1)
  })

  test('the challenge is not a credential, as bearer or cookie', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    const shown = [
      { authorization: `Bearer ${challenge}` },
      { cookie: `service_session=${challenge}` },
      { cookie: `service_session=${server.app.secrets.seal(challenge, 'session cookie')}` },
      { cookie: `service_signed_in=1; service_device=${challenge}` },
    ]
    for (const headers of shown)
      for (const path of ['/me', '/auth/mfa', '/auth/passkeys'])
        expect((await server.call('GET', path, { headers })).status).toBe(401)
  })

  test('values in the database cannot answer a challenge', async () => {
    const person = await createMfaUser(server)
    await challengeFor(server, person)
    const row = await server.sql.one<{ token_hash: Uint8Array }>`
      select token_hash from mfa_challenges where user_id = ${person.userId}`
    for (const form of ['base64url', 'hex'] as const) {
      const stolen = Buffer.from(row.token_hash).toString(form)
      expect((await answer(stolen, codeOf(server, person.secret))).body.code).toBe('challenge_ended')
    }
  })
})

describe('403', () => {
  test('an organisation that requires single sign-on is not opened, and the code stays good', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    const insist = (required: boolean) =>
      server.sql.rows`update orgs set sso_required = ${required} where id = ${person.orgId}`
    await insist(true)
    const code = codeOf(server, person.secret)
    expect(await answer(challenge, code)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    await insist(false)
    expect((await answer(challenge, code)).status).toBe(200)
  })
})

describe('429', () => {
  test('ten wrong codes over several challenges block the correct one for five minutes', async () => {
    const person = await createMfaUser(server)
    for (let attempt = 0; attempt < 10; attempt++)
      await answer(await challengeFor(server, person), wrongCode(server, person.secret))
    const fresh = await challengeFor(server, person)
    for (const on of [server, replica])
      for (const code of [codeOf(server, person.secret), person.recoveryCodes[0] ?? '']) {
        const refused = await answer(fresh, code, on)
        expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      }
    server.clock.advance({ minutes: 5 })
    expect((await answer(await challengeFor(server, person), codeOf(server, person.secret))).status).toBe(200)
  })

  test('concurrent guesses on two replicas are counted one by one', async () => {
    const person = await createMfaUser(server)
    const challenges = await Promise.all(Array.from({ length: 14 }, () => challengeFor(server, person)))
    const replies = await Promise.all(
      challenges.map((challenge, i) =>
        answer(challenge, wrongCode(server, person.secret), i % 2 ? replica : server),
      ),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  test('fifty wrong codes in a day block the account for the rest of the day', async () => {
    const person = await createMfaUser(server)
    for (let attempt = 0; attempt < 50; attempt++) {
      if (attempt % 10 === 0) server.clock.advance({ minutes: 5 })
      const reply = await answer(await challengeFor(server, person), wrongCode(server, person.secret))
      expect(reply.status).toBe(401)
    }
    server.clock.advance({ minutes: 5 })
    const refused = await answer(await challengeFor(server, person), codeOf(server, person.secret))
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
    server.clock.advance({ days: 1 })
    expect((await answer(await challengeFor(server, person), codeOf(server, person.secret))).status).toBe(200)
  })
})

test('new challenges delete expired ones', async () => {
  const person = await createMfaUser(server)
  for (let each = 0; each < 5; each++) await challengeFor(server, person)
  server.clock.advance({ minutes: 6 })
  const begin = () =>
    server.app.db.tx('platform', (tx) =>
      createChallenge(
        tx,
        {
          id: person.userId,
          email: person.email,
          name: null,
          verified: true,
          passwordHash: null,
          mfaEnabled: true,
        },
        'password',
      ),
    )
  // Other tests have left some too; each call deletes ten.
  for (let each = 0; each < 10; each++) await begin()
  const { count } = await server.sql.one<{ count: number }>`
    select count(*)::int as count from mfa_challenges where expires_at < ${server.clock.now()}`
  expect(count).toBe(0)
})
