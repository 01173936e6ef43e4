// Single sign-on from both sides: staff connect an organisation to its provider, and its members sign in through it.

import { type FakeDns, startDns } from '@cowrie/testkit/fakes/dns.ts'
import { startOidc } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { MachineClock, roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn } from '../browser.ts'
import { enterForDevelopment, enterPassword, openAccount } from '../people.ts'
import { DESKTOP, isFine, PHONE } from './journey.ts'

// The provider redirects to this host name, so the browser must resolve it to the service.
const ORIGIN = 'http://cowrie.test'
const DOMAIN = 'corp.test'

let dns: FakeDns
const app = startApp(async () => {
  dns = await startDns()
  const server = await startTestServer({
    clock: new MachineClock(),
    variables: { SERVICE_DNS_SERVER: dns.server },
  })
  const { host } = new URL(await server.listen())
  return { server, origin: ORIGIN, flags: [`--host-resolver-rules=MAP cowrie.test ${host}`] }
})
afterAll(() => dns.close())

test('an organisation is connected, its domain verified, single sign-on required, and its members sign in only that way', async () => {
  const provider = await startOidc()
  const owner = await app.server.person({ type: 'team' })
  await app.server.sql.rows`update orgs set name = 'Corp', seat_allotment = 10 where id = ${owner.orgId}`
  const operator = await app.server.person({ staff: 'operator' })

  const { page, faults } = await app.open(DESKTOP)
  // Through the form, because only the browser resolves that host name.
  await page.goto(`/app/ops/orgs/${owner.orgId}?part=sso`)
  await enterForDevelopment(page, operator.email)

  // Requiring it before it works would lock out all members.
  await expect.poll(() => page.getByRole('button', { name: 'Require SSO' }).isDisabled()).toBe(true)
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByLabel('Client id').fill(provider.client.clientId)
  await page.getByLabel('Client secret').fill(provider.client.clientSecret)
  await pressOn(page.getByRole('button', { name: 'Connect' }))
  await page.getByTestId('sso-connection').getByText('Connected').waitFor()
  await expect.poll(() => page.getByLabel('Client secret').inputValue()).toBe('')
  expect(await page.content()).not.toContain(provider.client.clientSecret)
  await page.getByText('A secret is stored.').waitFor()
  await page.getByText('http://cowrie.test/auth/sso/oidc/callback').waitFor()

  await page.getByLabel('Domain', { exact: true }).fill(DOMAIN)
  await pressOn(page.getByRole('button', { name: 'Add domain' }))
  await page.getByRole('button', { name: `Copy the TXT record of ${DOMAIN}` }).waitFor()
  await isFine(page)
  const record =
    (await page.getByTestId('copyable').filter({ hasText: 'cowrie-verification' }).textContent()) ?? ''
  await pressOn(page.getByRole('button', { name: `Verify ${DOMAIN}` }))
  await page.getByText('The record was not found yet.').first().waitFor()
  dns.texts.set(`_cowrie-challenge.${DOMAIN}`, [record])
  await pressOn(page.getByRole('button', { name: `Verify ${DOMAIN}` }))
  await page.getByText('Verified', { exact: true }).waitFor()

  await pressOn(page.getByRole('button', { name: 'Add a group' }))
  await page.getByLabel('Group 1', { exact: true }).fill('platform')
  await page.getByLabel('Role of group 1').selectOption('admin')
  await expect
    .poll(() => page.getByLabel('Role of group 1').locator('option').allTextContents())
    .toEqual(['Member', 'Administrator'])
  await pressOn(page.getByRole('button', { name: 'Save groups' }))
  await expect
    .poll(
      async () => (await app.server.call('GET', `/orgs/${owner.orgId}/policy`, { as: operator })).body,
      PATIENT,
    )
    .toMatchObject({ policy: { groupRoleMap: { platform: 'admin' } } })

  await pressOn(page.getByRole('button', { name: 'Require SSO' }))
  await pressOn(page.getByRole('dialog').getByRole('button', { name: 'Require SSO' }))
  await page.getByText('Single sign-on is required. Passwords and sign-in links are rejected.').waitFor()
  await isFine(page)

  // A new user of the domain joins as a member, with the role of their group.
  provider.person = {
    sub: 'ada',
    email: `ada@${DOMAIN}`,
    email_verified: true,
    name: 'Ada',
    groups: ['platform', 'owners'],
  }
  const customer = await app.open(PHONE)
  await customer.page.goto('/app/organisation')
  await customer.page.getByLabel('Email').fill(`ada@${DOMAIN}`)
  await pressOn(customer.page.getByRole('button', { name: 'Use single sign-on' }))
  await customer.page.getByRole('heading', { level: 1, name: 'Organisation' }).waitFor()
  await customer.page.getByText('Administrator', { exact: true }).waitFor()
  await customer.page.getByText('Required', { exact: true }).waitFor()
  expect(await roleOf(app.server, owner.orgId, `ada@${DOMAIN}`)).toBe('admin')
  await isFine(customer.page)

  // A password is refused with a message, and only single sign-on is left.
  const bola = await openAccount(app.server, `bola@${DOMAIN}`)
  await app.server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    select ${owner.orgId}, id, 'member', ${app.server.clock.now()} from users where email = ${bola}`
  const other = await app.open(PHONE)
  await other.page.goto('/app/sign-in')
  await enterPassword(other.page, bola)
  await other.page
    .getByText(/Your organisation requires single sign-on/)
    .first()
    .waitFor()
  await other.page.getByRole('button', { name: 'Continue with single sign-on' }).waitFor()
  expect(await other.page.getByLabel('Password', { exact: true }).count()).toBe(0)

  // The fake address of our service has no certificate.
  const expected = /^elsewhere: |Cross-Origin-Opener-Policy/
  expect([...faults, ...customer.faults].filter((fault) => !expected.test(fault))).toEqual([])
})
