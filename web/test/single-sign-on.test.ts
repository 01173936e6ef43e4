// Signing in at an organisation's own provider: the browser leaves for another site and comes back with a session.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOidc } from '../../server/src/sso/oidc-stand-in.ts'
import { openSsoOrg, TimeOfDay } from '../../server/src/sso/sso.fixture.ts'
import { startTestServer, type TestServer } from '../../server/test/harness.ts'
import { openBrowser, openPage } from './browser.ts'

// The provider sends people back to this name, so the browser must find the service there.
const ORIGIN = 'http://cowrie.test'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer({ clock: new TimeOfDay() })
  const { host } = new URL(await server.listen())
  browser = await openBrowser(`--host-resolver-rules=MAP cowrie.test ${host}`)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('an address leads to its provider and back to where the reader wanted to be', async () => {
  const provider = await startOidc()
  const { orgId } = await openSsoOrg(server, {
    connection: { type: 'oidc', issuer: provider.issuer, ...provider.client },
    domains: ['corp.test'],
    required: true,
  })
  const { page, faults, close } = await openPage(browser, ORIGIN)
  await page.goto('/app/sessions')
  await page.getByLabel('Email').fill('ada@corp.test')
  await page.getByRole('button', { name: 'Use single sign-on' }).press('Enter')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.getByText('single sign-on').waitFor()
  expect(page.url()).toBe(`${ORIGIN}/app/sessions`)
  expect(provider.asked('/auth')).toBe(1)
  const { body } = await server.call('GET', '/me', {
    headers: {
      cookie: (await page.context().cookies(ORIGIN)).map(({ name, value }) => `${name}=${value}`).join('; '),
    },
  })
  expect(body).toMatchObject({ email: 'ada@corp.test', orgId, role: 'member' })
  expect(faults.filter((fault) => /^(uncaught|console: policy)/.test(fault))).toEqual([])
  await close()
})

test('an address without a provider comes back to the sign-in page, with the reason', async () => {
  const { page, close } = await openPage(browser, ORIGIN)
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').fill('ada@nowhere.test')
  await page.getByRole('button', { name: 'Use single sign-on' }).press('Enter')
  await page.getByText('No single sign-on is set up for this address.').waitFor()
  await close()
})
