// Staff of a deployment that requires a second factor of them.
import {
  type Person,
  startTestServer,
  type TestServer,
  type Visitor,
} from '@cowrie/testkit/harness/harness.ts'
import { SoftAuthenticator } from '@cowrie/testkit/sign-in/authenticator.ts'
import {
  actionsOf,
  challengeFor,
  codeOf,
  createMfaUser,
  type MfaUser,
  type SignedInUser,
  signInNewUser,
  wrongCode,
} from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modules } from '../../modules.ts'
import type { StaffTier } from '../../platform/http/actor.ts'

let server: TestServer
let customer: Person
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'], variables: { SERVICE_STAFF_SECOND_FACTOR: 'on' } })
  customer = await server.person()
})
afterAll(() => server.close())

const hire = async <T extends SignedInUser>(user: T, role: StaffTier = 'billing'): Promise<T> => {
  await server.sql.rows`
    insert into staff (user_id, role, created_at) values (${user.userId}, ${role}, ${server.clock.now()})`
  return user
}
const withoutFactor = async () => hire(await signInNewUser(server))
const withApp = async (): Promise<MfaUser> => {
  const user = await hire(await createMfaUser(server))
  // The code that confirmed the app is not used again.
  server.clock.advance({ seconds: 30 })
  return user
}

/** Another browser of the account, which signed in without a second factor. */
async function otherBrowser({ email }: SignedInUser): Promise<Visitor> {
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email } })
  return browser
}

const staffRead = (browser: Visitor) => browser.call('GET', '/admin/settings')
let keys = 0
const credit = (browser: Visitor) =>
  browser.call('POST', '/wallet/refund', {
    body: { orgId: customer.orgId, amountMinor: 100, reason: 'Goodwill', source: 'adjustment' },
    headers: { 'idempotency-key': `step-up-${++keys}` },
  })
const confirm = (browser: Visitor, code: string) => browser.call('POST', '/auth/step-up', { body: { code } })
const addPasskey = async (browser: Visitor, authenticator: SoftAuthenticator) => {
  const options = await browser.call<never>('POST', '/auth/passkeys/options')
  if (options.status !== 200) return options
  return browser.call('POST', '/auth/passkeys', {
    body: { name: 'Phone', response: authenticator.create(options.body) },
  })
}
const refused = (code: string) => ({ status: 403, body: { code } })

describe('a staff account without second factor', () => {
  test('cannot make staff calls, or see other organisations, until it has one', async () => {
    const { browser } = await withoutFactor()
    expect(await staffRead(browser)).toMatchObject(refused('second_factor_required'))
    expect(await browser.call('GET', '/audit', { query: { scope: 'all' } })).toMatchObject(
      refused('second_factor_required'),
    )
    expect((await browser.call('GET', '/me')).body).toMatchObject({
      staffRole: 'billing',
      staffFactorRequired: true,
    })
    const { body } = await browser.call<{ secret: string }>('POST', '/auth/mfa/enroll')
    await browser.call('POST', '/auth/mfa/verify', { body: { code: codeOf(server, body.secret) } })
    expect((await staffRead(browser)).status).toBe(200)
    expect((await browser.call('GET', '/me')).body).toMatchObject({ staffFactorRequired: false })
  })

  test('keeps its own organisation', async () => {
    const { browser } = await withoutFactor()
    expect((await browser.call('GET', '/wallet')).status).toBe(200)
  })

  test('can set it up during maintenance', async () => {
    const { browser } = await withoutFactor()
    const admin = await hire(await createMfaUser(server), 'super_admin')
    const maintenance = (value: boolean) =>
      admin.browser.call('PUT', '/admin/settings/maintenance_mode', { body: { value } })
    await maintenance(true)
    expect((await browser.call('POST', '/auth/mfa/enroll')).status).toBe(200)
    expect((await maintenance(false)).status).toBe(200)
  })

  test('is refused with the development bearer', async () => {
    const staff = await server.person({ staff: 'super_admin' })
    expect(await server.call('GET', '/admin/settings', { as: staff })).toMatchObject(
      refused('second_factor_required'),
    )
  })

  test('others than staff get the same refusal as before', async () => {
    const { browser } = await signInNewUser(server)
    expect(await staffRead(browser)).toMatchObject(refused('staff_only'))
  })
})

describe('a session of staff', () => {
  test('that did not show the second factor of the account is refused until it does', async () => {
    const user = await withApp()
    const browser = await otherBrowser(user)
    expect(await staffRead(browser)).toMatchObject(refused('second_factor_required'))
    expect(await confirm(browser, codeOf(server, user.secret))).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect((await staffRead(browser)).status).toBe(200)
    expect(await actionsOf(server, user)).toContain('auth.stepUp')
  })

  test('needs a second factor of the last ten minutes for money', async () => {
    const { browser, secret } = await withApp()
    expect((await credit(browser)).status).toBe(200)
    server.clock.advance({ minutes: 10 })
    expect(await credit(browser)).toMatchObject(refused('step_up_required'))
    expect((await staffRead(browser)).status).toBe(200)
    await confirm(browser, codeOf(server, secret))
    expect((await credit(browser)).status).toBe(200)
  })

  test('is confirmed alone, and not the other sessions of the account', async () => {
    const user = await withApp()
    const browser = await otherBrowser(user)
    server.clock.advance({ minutes: 11 })
    expect((await confirm(browser, codeOf(server, user.secret))).status).toBe(200)
    expect((await credit(browser)).status).toBe(200)
    expect(await credit(user.browser)).toMatchObject(refused('step_up_required'))
  })

  test('that began with a code is confirmed', async () => {
    const user = await withApp()
    const browser = server.visitor()
    const challenge = await challengeFor(server, user)
    await browser.call('POST', '/auth/mfa/challenge', {
      body: { challenge, code: codeOf(server, user.secret) },
    })
    expect((await credit(browser)).status).toBe(200)
  })

  test('loses the confirmation when the factor is turned off', async () => {
    const { browser, secret } = await withApp()
    await browser.call('POST', '/auth/mfa/disable', { body: { code: codeOf(server, secret) } })
    expect(await staffRead(browser)).toMatchObject(refused('second_factor_required'))
  })
})

test('a session of staff loses the confirmation when a passkey is removed', async () => {
  const { browser } = await withoutFactor()
  const { body } = await addPasskey(browser, new SoftAuthenticator())
  expect((await staffRead(browser)).status).toBe(200)
  const { id } = (body as unknown as { passkey: { id: string } }).passkey
  expect((await browser.call('DELETE', `/auth/passkeys/${id}`)).status).toBe(200)
  expect(await staffRead(browser)).toMatchObject(refused('second_factor_required'))
})

describe('POST /auth/step-up', () => {
  test('refuses wrong codes, and blocks further ones like a sign-in', async () => {
    const { browser, secret } = await withApp()
    for (let i = 0; i < 10; i++)
      expect(await confirm(browser, wrongCode(server, secret))).toMatchObject({
        status: 401,
        body: { code: 'wrong_code' },
      })
    expect(await confirm(browser, codeOf(server, secret))).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
  })

  test('takes each code once', async () => {
    const { browser, secret } = await withApp()
    const code = codeOf(server, secret)
    expect((await confirm(browser, code)).status).toBe(200)
    expect((await confirm(browser, code)).status).toBe(401)
  })

  test('confirms the new cookie alone, and not a copy of the one before', async () => {
    const { browser, secret } = await withApp()
    server.clock.advance({ minutes: 10 })
    const thief = server.visitor()
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    await confirm(browser, codeOf(server, secret))
    expect((await credit(browser)).status).toBe(200)
    expect((await staffRead(thief)).status).toBe(200)
    expect(await credit(thief)).toMatchObject(refused('step_up_required'))
  })

  test('says when the account has no second factor', async () => {
    const { browser } = await withoutFactor()
    expect(await confirm(browser, '123456')).toMatchObject({ status: 409, body: { code: 'mfa_not_enabled' } })
  })

  test('takes a passkey of the account, and no other one', async () => {
    const user = await withoutFactor()
    const authenticator = new SoftAuthenticator()
    expect((await addPasskey(user.browser, authenticator)).status).toBe(201)
    const browser = await otherBrowser(user)
    expect(await staffRead(browser)).toMatchObject(refused('second_factor_required'))
    const ask = async (from: Visitor) => (await from.call<never>('POST', '/auth/step-up/options')).body
    const show = async (from: Visitor) =>
      from.call('POST', '/auth/step-up', { body: { response: authenticator.get(await ask(from)) } })
    expect(await show(browser)).toMatchObject({ status: 200 })
    expect((await credit(browser)).status).toBe(200)
    const stranger = await withoutFactor()
    expect(await show(stranger.browser)).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
    expect(await staffRead(stranger.browser)).toMatchObject(refused('second_factor_required'))
  })
})

describe('a stolen password of staff', () => {
  test('cannot add a factor to an account that has a passkey', async () => {
    const user = await withoutFactor()
    await addPasskey(user.browser, new SoftAuthenticator())
    const thief = await otherBrowser(user)
    expect(await thief.call('POST', '/auth/mfa/enroll')).toMatchObject(refused('step_up_required'))
    expect(await addPasskey(thief, new SoftAuthenticator())).toMatchObject(refused('step_up_required'))
  })

  test('cannot remove the passkey of the account, to set up another factor', async () => {
    const user = await withoutFactor()
    await addPasskey(user.browser, new SoftAuthenticator())
    const thief = await otherBrowser(user)
    const { body } = await thief.call<{ passkeys: { id: string }[] }>('GET', '/auth/passkeys')
    expect(await thief.call('DELETE', `/auth/passkeys/${body.passkeys[0]?.id}`)).toMatchObject(
      refused('step_up_required'),
    )
    expect(await thief.call('POST', '/auth/mfa/enroll')).toMatchObject(refused('step_up_required'))
  })

  test('cannot finish a setup that began before the account had a factor', async () => {
    const user = await withoutFactor()
    const thief = await otherBrowser(user)
    const { body } = await thief.call<{ secret: string }>('POST', '/auth/mfa/enroll')
    await addPasskey(user.browser, new SoftAuthenticator())
    expect(
      await thief.call('POST', '/auth/mfa/verify', { body: { code: codeOf(server, body.secret) } }),
    ).toMatchObject(refused('step_up_required'))
  })
})

test('the identity provider of a customer cannot set up the second factor of staff', async () => {
  const user = await withoutFactor()
  await server.sql.rows`update sessions set sso_org_id = org_id where user_id = ${user.userId}`
  expect(await user.browser.call('POST', '/auth/mfa/enroll')).toMatchObject(refused('forbidden'))
  expect(await addPasskey(user.browser, new SoftAuthenticator())).toMatchObject(refused('forbidden'))
})

/** Changes by staff that are no money, price, limit or access of another person. */
const WITHOUT_STEP_UP = [
  // Only looks at the provider, or sends the same document again.
  'admin.payments.check',
  'admin.reconciliations.start',
  'admin.reconciliations.statement',
  'admin.einvoices.retry',
  // Incidents are answered at once, and a customer can be asked again.
  'admin.orgs.suspend',
  'admin.orgs.unsuspend',
  'admin.kyc.review',
  'admin.operators.revokeInvite',
  'audit.anchors.accept',
  'admin.secrets.reseal',
  'admin.flags.set',
  'admin.flags.remove',
  'orgs.flags.set',
  'orgs.flags.clear',
]

test('every other change by staff needs a recent second factor', () => {
  const routes = modules.flatMap((module) => module.routes ?? [])
  const changes = routes.filter(
    ({ access, method }) => typeof access === 'object' && 'staff' in access && method !== 'GET',
  )
  const without = changes.filter(({ stepUp }) => !stepUp).map(({ name }) => name)
  expect(without.sort()).toEqual([...WITHOUT_STEP_UP].sort())
})
