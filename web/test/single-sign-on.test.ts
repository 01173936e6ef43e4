// Sign-in through an organisation's identity provider: the browser visits another site and returns with a session.

import { startOidc } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { MachineClock, openSsoOrg } from '@cowrie/testkit/sso/sso.ts'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { pressOn } from './browser.ts'

// The provider redirects to this host name, so the browser must resolve it to the service.
const ORIGIN = 'http://cowrie.test'

const app = startApp(async () => {
  const server = await startTestServer({ clock: new MachineClock() })
  const { host } = new URL(await server.listen())
  return { server, origin: ORIGIN, flags: [`--host-resolver-rules=MAP cowrie.test ${host}`] }
})

test('an email address leads to its provider and back to the requested page', async () => {
  const provider = await startOidc()
  const { orgId } = await openSsoOrg(app.server, {
    connection: { type: 'oidc', issuer: provider.issuer, ...provider.client },
    domains: ['corp.test'],
    required: true,
  })
  const { page, faults } = await app.open()
  await page.goto('/app/sessions')
  await page.getByLabel('Email').fill('ada@corp.test')
  await pressOn(page.getByRole('button', { name: 'Use single sign-on' }))
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.getByText('single sign-on').waitFor()
  expect(page.url()).toBe(`${ORIGIN}/app/sessions`)
  expect(provider.requestCount('/auth')).toBe(1)
  const { body } = await app.server.call('GET', '/me', {
    headers: {
      cookie: (await page.context().cookies(ORIGIN)).map(({ name, value }) => `${name}=${value}`).join('; '),
    },
  })
  expect(body).toMatchObject({ email: 'ada@corp.test', orgId, role: 'member' })
  expect(faults.filter((fault) => /^(uncaught|console: policy)/.test(fault))).toEqual([])
})

soakTest('an email address without a provider returns to the sign-in page with the reason', async () => {
  const { page } = await app.open()
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').fill('ada@nowhere.test')
  await pressOn(page.getByRole('button', { name: 'Use single sign-on' }))
  await page.getByText('This address has no single sign-on.').waitFor()
})
