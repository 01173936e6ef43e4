// A session from a provider ends when the trust in the provider ends.

import { CONTINUE } from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { signInThrough } from '@cowrie/testkit/fakes/sso/oidc.ts'
import {
  type Reply,
  startTestServer,
  type TestServer,
  type Visitor,
} from '@cowrie/testkit/harness/harness.ts'
import { RSA_2048, RSA_2048_NEXT } from '@cowrie/testkit/sso/certificates.ts'
import { type HostileOrg, openHostileOrg, sessionsOf } from '@cowrie/testkit/sso/hostile.ts'
import { MachineClock, openSsoOrg, type SsoOrg } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockUser, userByEmail } from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

const SAML = {
  type: 'saml',
  entityId: 'https://idp.example.com/saml',
  ssoUrl: 'https://idp.example.com/sso',
  certificate: RSA_2048,
}
const isSignedIn = async (browser: Visitor) => (await browser.call('GET', '/me')).status === 200
const manage = ({ orgId, operator }: SsoOrg, method: string, path: string, body?: object) =>
  server.call(method, `/orgs/${orgId}/sso${path}`, { as: operator, body })

async function arrived(): Promise<HostileOrg & { browser: Visitor }> {
  const org = await openHostileOrg(server)
  const browser = server.visitor()
  await signInThrough(org.provider, browser, { email: org.email })
  expect(await isSignedIn(browser)).toBe(true)
  return { ...org, browser }
}

/** As if signed in through the connection of the organisation. */
async function vouchedFor({ orgId }: SsoOrg): Promise<Visitor> {
  const member = await server.member(orgId, 'member')
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email: member.email } })
  await server.sql.rows`update sessions set sso_org_id = ${orgId} where user_id = ${member.userId}`
  return browser
}

describe('it ends when', () => {
  test.for<[string, (org: HostileOrg) => ReturnType<typeof manage>]>([
    ['the connection is switched off', (org) => manage(org, 'PATCH', '', { enabled: false })],
    ['the connection is deleted', (org) => manage(org, 'DELETE', '')],
    ['the issuer changes', (org) => manage(org, 'PATCH', '', { issuer: `${org.provider.issuer}/other` })],
    ['the client changes', (org) => manage(org, 'PATCH', '', { clientId: 'other' })],
    ['the domain is given up', (org) => manage(org, 'DELETE', `/domains/${org.domain}`)],
  ])('%s', async ([, change]) => {
    const org = await arrived()
    const other = await arrived()
    const owner = server.visitor()
    await owner.call('POST', '/auth/dev-login', { body: { email: org.owner.email } })
    expect((await change(org)).status).toBe(200)
    expect(await isSignedIn(org.browser)).toBe(false)
    expect(await isSignedIn(owner)).toBe(true)
    expect(await isSignedIn(other.browser)).toBe(true)
  })

  test.for<[string, object]>([
    ['the entity changes', { entityId: 'https://idp.example.com/other' }],
    ['the certificates change', { certificate: RSA_2048_NEXT }],
    ['there is one certificate more', { certificate: `${RSA_2048}${RSA_2048_NEXT}` }],
  ])('%s', async ([, change]) => {
    const org = await openSsoOrg(server, { connection: SAML })
    const browser = await vouchedFor(org)
    expect((await manage(org, 'PATCH', '', change)).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(false)
  })
})

test('stays open when the change does not affect trust', async () => {
  const org = await openSsoOrg(server, { connection: SAML })
  const browser = await vouchedFor(org)
  const { certificate, entityId } = SAML
  const ssoUrl = 'https://idp.example.com/elsewhere'
  const same = { enabled: true, ssoUrl, certificate, entityId }
  expect((await manage(org, 'PATCH', '', same)).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
})

describe('a sign-in in progress opens no session when meanwhile', () => {
  test.for<[string, (org: HostileOrg) => ReturnType<typeof manage>]>([
    ['the connection is switched off', (org) => manage(org, 'PATCH', '', { enabled: false })],
    ['the client changes', (org) => manage(org, 'PATCH', '', { clientId: 'other' })],
    ['the connection is deleted', (org) => manage(org, 'DELETE', '')],
    ['the domain is given up', (org) => manage(org, 'DELETE', `/domains/${org.domain}`)],
  ])('%s', async ([, change]) => {
    const org = await openHostileOrg(server)
    // The provider replies only after the change is committed.
    org.provider.overrides.set('/token', async () => {
      expect((await change(org)).status).toBe(200)
      return CONTINUE
    })
    const reply = await signInThrough(org.provider, server.visitor(), { orgId: org.orgId })
    expect(org.provider.requests.map(({ path }) => path)).toContain('/token')
    expect(reply).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(await sessionsOf(server, org.email)).toBe(0)
  })
})

describe('a session that opens during the change ends when', () => {
  // A whole sign-in comes before the wait.
  const PATIENT = { timeout: 10_000 }
  const waiting = async () => {
    const rows = await server.sql.rows`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return rows.length
  }

  test.for<[string, (org: HostileOrg) => ReturnType<typeof manage>]>([
    ['the connection is switched off', (org) => manage(org, 'PATCH', '', { enabled: false })],
    ['the connection is deleted', (org) => manage(org, 'DELETE', '')],
    ['the domain is given up', (org) => manage(org, 'DELETE', `/domains/${org.domain}`)],
  ])('%s', async ([, change]) => {
    const org = await arrived()
    const browser = server.visitor()
    const pending: Promise<Reply>[] = []
    await server.app.db.tx('platform', async (tx) => {
      const user = await userByEmail(tx, org.email)
      assert(user, 'who has arrived has an account')
      // The sign-in has passed its checks and waits for the account; the change comes afterwards.
      await lockUser(tx, user.id)
      pending.push(signInThrough(org.provider, browser, { email: org.email }))
      await expect.poll(waiting, PATIENT).toBe(1)
      pending.push(change(org))
      await expect.poll(waiting, PATIENT).toBe(2)
    })
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([302, 200])
    expect(await isSignedIn(browser)).toBe(false)
  })
})
