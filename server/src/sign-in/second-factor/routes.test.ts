import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  actionsOf,
  challengeFor,
  codeOf,
  createMfaUser,
  type MfaUser,
  mailsTo,
  signInNewUser,
  wrongCode,
} from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Status = { enabled: boolean; recoveryCodesLeft: number; passkeys: number }
type Enrolment = { secret: string; otpauthUrl: string; qrSvg: string }
type Codes = { ok: boolean; recoveryCodes: string[]; code?: string }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'] })
})
afterAll(() => server.close())

const statusOf = async ({ browser }: Pick<MfaUser, 'browser'>) =>
  (await browser.call<Status>('GET', '/auth/mfa')).body
const post = ({ browser }: Pick<MfaUser, 'browser'>, path: string, code: string) =>
  browser.call<Codes>('POST', path, { body: { code } })

describe('GET /auth/mfa 200', () => {
  test('shows that two-step sign-in is off at first', async () => {
    expect(await statusOf(await signInNewUser(server))).toEqual({
      enabled: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
    })
  })

  test('counts the recovery codes that are left and never shows a code or the secret', async () => {
    const person = await createMfaUser(server)
    await post(person, '/auth/mfa/recovery-codes', 'nothing')
    const { text } = await person.browser.call('GET', '/auth/mfa')
    expect(JSON.parse(text)).toEqual({ enabled: true, recoveryCodesLeft: 10, passkeys: 0 })
  })
})

describe('POST /auth/mfa/enroll', () => {
  test('200: gives a secret, the address for an app and a code to scan', async () => {
    const person = await signInNewUser(server)
    const { status, body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(body.otpauthUrl).searchParams.get('secret')).toBe(body.secret)
    expect(body.otpauthUrl).toContain(encodeURIComponent(person.email))
    expect(body.qrSvg).toMatch(/^<svg /)
  })

  test('200: changes nothing until it is confirmed', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    expect(await statusOf(person)).toMatchObject({ enabled: false })
    expect((await person.browser.call('GET', '/me')).body).toMatchObject({ mfaEnabled: false })
    const disabled = await post(person, '/auth/mfa/disable', codeOf(server, body.secret))
    expect(disabled).toMatchObject({ status: 409, body: { code: 'mfa_not_enabled' } })
    // Not even at a sign-in that waits for a second step.
    const challenge = await challengeFor(server, person)
    const answered = await server.call('POST', '/auth/mfa/challenge', {
      body: { challenge, code: codeOf(server, body.secret) },
    })
    expect(answered).toMatchObject({ status: 401, body: { code: 'wrong_code' } })
    expect(await actionsOf(server, person)).toEqual(['auth.signIn', 'auth.signInFailed'])
  })

  test('200: beginning again replaces the secret that was not confirmed', async () => {
    const person = await signInNewUser(server)
    const first = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    const second = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    expect(second.body.secret).not.toBe(first.body.secret)
    expect((await post(person, '/auth/mfa/verify', codeOf(server, first.body.secret))).status).toBe(401)
    expect((await post(person, '/auth/mfa/verify', codeOf(server, second.body.secret))).status).toBe(200)
  })

  test('409: when it is on already, and the secret in use stays', async () => {
    const person = await createMfaUser(server)
    const again = await person.browser.call('POST', '/auth/mfa/enroll')
    expect(again).toMatchObject({ status: 409, body: { code: 'mfa_already_enabled' } })
    expect(again.text).not.toContain(person.secret)
    expect((await post(person, '/auth/mfa/disable', codeOf(server, person.secret))).status).toBe(200)
  })
})

describe('POST /auth/mfa/verify', () => {
  test('200: turns it on with ten codes, a mail and an audit event', async () => {
    const person = await createMfaUser(server)
    expect(new Set(person.recoveryCodes).size).toBe(10)
    expect(await statusOf(person)).toEqual({ enabled: true, recoveryCodesLeft: 10, passkeys: 0 })
    expect((await person.browser.call('GET', '/me')).body).toMatchObject({ mfaEnabled: true })
    expect(await mailsTo(server, person.email)).toContain('Two-step sign-in is on')
    expect(await actionsOf(server, person)).toEqual(['auth.signIn', 'auth.mfa.verify'])
  })

  test('200: ends every other session and gives this one a new cookie', async () => {
    const person = await signInNewUser(server)
    const elsewhere = await signInNewUser(server, person.email)
    const before = person.browser.cookies.get('service_session') ?? ''
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    await post(person, '/auth/mfa/verify', codeOf(server, body.secret))
    expect((await elsewhere.browser.call('GET', '/me')).status).toBe(401)
    expect((await person.browser.call('GET', '/me')).status).toBe(200)
    // Requests in flight may use it for another minute.
    server.clock.advance({ minutes: 1 })
    const copy = await server.call('GET', '/me', { headers: { cookie: `service_session=${before}` } })
    expect(copy.status).toBe(401)
  })

  test('200: takes a code with a space in it, as some apps show it', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    const code = codeOf(server, body.secret)
    expect((await post(person, '/auth/mfa/verify', `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })

  test('401: a wrong code turns nothing on', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    const refused = await post(person, '/auth/mfa/verify', wrongCode(server, body.secret))
    expect(refused).toMatchObject({ status: 401, body: { code: 'wrong_code' } })
    expect(await statusOf(person)).toEqual({ enabled: false, recoveryCodesLeft: 0, passkeys: 0 })
  })

  test('401: without a session', async () => {
    expect((await server.call('POST', '/auth/mfa/verify', { body: { code: '123456' } })).body).toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('409: a quarter of an hour after it was begun, and it can be begun again', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    server.clock.advance({ minutes: 15 })
    expect(await post(person, '/auth/mfa/verify', codeOf(server, body.secret))).toMatchObject({
      status: 409,
      body: { code: 'mfa_not_enabled' },
    })
    expect(await statusOf(person)).toMatchObject({ enabled: false })
    const again = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    server.clock.advance({ minutes: 14, seconds: 59 })
    expect((await post(person, '/auth/mfa/verify', codeOf(server, again.body.secret))).status).toBe(200)
  })

  test('409 without a started setup, and when it is already on', async () => {
    const person = await signInNewUser(server)
    expect((await post(person, '/auth/mfa/verify', '123456')).body.code).toBe('mfa_not_enabled')
    const other = await createMfaUser(server)
    const again = await post(other, '/auth/mfa/verify', codeOf(server, other.secret))
    expect(again).toMatchObject({ status: 409, body: { code: 'mfa_already_enabled' } })
    expect(again.text).not.toContain('recoveryCodes')
  })

  test('two at the same time turn it on once', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    const code = codeOf(server, body.secret)
    const cookie = `service_session=${person.browser.cookies.get('service_session')}`
    const ask = () => server.call('POST', '/auth/mfa/verify', { body: { code }, headers: { cookie } })
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('POST /auth/mfa/recovery-codes', () => {
  test('200: replaces all codes, with a mail and an audit event', async () => {
    const person = await createMfaUser(server)
    const [first = ''] = person.recoveryCodes
    const { status, body } = await post(person, '/auth/mfa/recovery-codes', codeOf(server, person.secret))
    expect(status).toBe(200)
    expect(body.recoveryCodes).toHaveLength(10)
    expect(body.recoveryCodes).not.toContain(first)
    expect((await post(person, '/auth/mfa/disable', first)).body.code).toBe('wrong_code')
    expect(await mailsTo(server, person.email)).toContain('Your recovery codes were replaced')
    expect(await actionsOf(server, person)).toContain('auth.mfa.recoveryCodes')
    expect((await post(person, '/auth/mfa/disable', body.recoveryCodes[9] ?? '')).status).toBe(200)
  })

  test('401: a wrong code replaces nothing', async () => {
    const person = await createMfaUser(server)
    const refused = await post(person, '/auth/mfa/recovery-codes', wrongCode(server, person.secret))
    expect(refused).toMatchObject({ status: 401, body: { code: 'wrong_code' } })
    expect((await post(person, '/auth/mfa/disable', person.recoveryCodes[0] ?? '')).status).toBe(200)
  })

  test('409: when two-step sign-in is not on', async () => {
    const refused = await post(await signInNewUser(server), '/auth/mfa/recovery-codes', '123456')
    expect(refused).toMatchObject({ status: 409, body: { code: 'mfa_not_enabled' } })
  })
})

describe('POST /auth/mfa/disable', () => {
  test.for(['a code of the app', 'a recovery code'])('200: with %s', async (means) => {
    const person = await createMfaUser(server)
    const before = person.browser.cookies.get('service_session')
    const code = means === 'a recovery code' ? (person.recoveryCodes[3] ?? '') : codeOf(server, person.secret)
    expect(await post(person, '/auth/mfa/disable', code)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await statusOf(person)).toEqual({ enabled: false, recoveryCodesLeft: 0, passkeys: 0 })
    expect(person.browser.cookies.get('service_session')).not.toBe(before)
    expect(await mailsTo(server, person.email)).toContain('Two-step sign-in is off')
    expect(await actionsOf(server, person)).toContain('auth.mfa.disable')
    const left = await server.sql.rows`
      select user_id from totp_secrets where user_id = ${person.userId}
      union all select user_id from recovery_codes where user_id = ${person.userId}`
    expect(left).toEqual([])
  })

  test('200: sign-ins that wait for their second step are over', async () => {
    const person = await createMfaUser(server)
    const challenge = await challengeFor(server, person)
    await post(person, '/auth/mfa/disable', person.recoveryCodes[0] ?? '')
    const answered = await server.call('POST', '/auth/mfa/challenge', {
      body: { challenge, code: person.recoveryCodes[1] },
    })
    expect(answered).toMatchObject({ status: 401, body: { code: 'challenge_ended' } })
  })

  test('200: it can be set up again, with another secret', async () => {
    const person = await createMfaUser(server)
    await post(person, '/auth/mfa/disable', codeOf(server, person.secret))
    const { body } = await person.browser.call<Enrolment>('POST', '/auth/mfa/enroll')
    expect(body.secret).not.toBe(person.secret)
    expect((await post(person, '/auth/mfa/verify', codeOf(server, body.secret))).status).toBe(200)
  })

  test.for(['', ' ', 'x'.repeat(41)])('400: %j is not a code', async (code) => {
    const person = await createMfaUser(server)
    const { status } = await post(person, '/auth/mfa/disable', code)
    expect(status).toBe(code === ' ' ? 401 : 400)
    expect(await statusOf(person)).toMatchObject({ enabled: true })
  })

  test('401: a session alone cannot do it, nor the code of another person', async () => {
    const person = await createMfaUser(server)
    const other = await createMfaUser(server)
    for (const code of [wrongCode(server, person.secret), other.recoveryCodes[0] ?? '', '１２３４５６'])
      expect(await post(person, '/auth/mfa/disable', code)).toMatchObject({
        status: 401,
        body: { code: 'wrong_code' },
      })
    expect(await statusOf(person)).toMatchObject({ enabled: true })
    expect(await statusOf(other)).toMatchObject({ recoveryCodesLeft: 10 })
  })

  test('429: after ten wrong codes even the right one, until five minutes have passed', async () => {
    const person = await createMfaUser(server)
    for (let attempt = 0; attempt < 10; attempt++)
      expect((await post(person, '/auth/mfa/disable', wrongCode(server, person.secret))).status).toBe(401)
    const refused = await post(person, '/auth/mfa/disable', codeOf(server, person.secret))
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(200)
    expect((await post(person, '/auth/mfa/recovery-codes', person.recoveryCodes[0] ?? '')).status).toBe(429)
    server.clock.advance({ minutes: 5 })
    expect((await post(person, '/auth/mfa/disable', codeOf(server, person.secret))).status).toBe(200)
  })
})

test('secret and codes are nowhere in clear: not in the log, the record, the mails or the database', async () => {
  const person = await createMfaUser(server)
  const challenge = await challengeFor(server, person)
  const code = codeOf(server, person.secret)
  const answer = { challenge, code: person.recoveryCodes[0] }
  expect((await server.call('POST', '/auth/mfa/challenge', { body: answer })).status).toBe(200)
  await post(person, '/auth/mfa/recovery-codes', wrongCode(server, person.secret))
  await server.app.jobs.drain()

  const tables = await server.sql.rows<{ name: string; dump: string }>`
    select c.relname as name, query_to_xml(format('select * from %I', c.relname), true, false, '')::text as dump
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['totp_secrets', 'recovery_codes', 'mfa_challenges', 'audit_entries', 'jobs']),
  )
  const said = [...tables.map(({ dump }) => dump), ...server.logged].join('\n').toLowerCase()
  // The fraction of a second has six digits too, and sooner or later these.
  const everything = said.replaceAll(/\.\d+/g, '')
  expect(said).toContain(person.email.toLowerCase())
  const secrets = [person.secret, challenge, code, ...person.recoveryCodes].map((each) => each.toLowerCase())
  const bare = person.recoveryCodes.map((each) => each.replaceAll('-', ''))
  // Six digits can be part of a longer number by chance, so match whole words.
  for (const each of [...secrets, ...bare]) expect(everything).not.toMatch(new RegExp(`\\b${each}\\b`))
})
