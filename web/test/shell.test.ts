// The shell of the app in a real browser, against the whole service.

import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from './app.ts'
import { overflowOf, PATIENT, shiftOf, tabTo } from './browser.ts'
import { signOut } from './people.ts'

const SHIFT_MAX = 0.02

const app = startApp()

describe('a signed-out visitor', () => {
  test('sees the sign-in form and the public pages', async () => {
    const { page, faults } = await app.open()
    await page.goto('/app')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByText('Development sign-in').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Status' }).getAttribute('href')).toBe('/status')
    expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)
    expect(faults).toEqual([])
  })

  soakTest('sees a message if no sign-in method is enabled', async () => {
    const { page, faults } = await app.open()
    await offer(page, [])
    await page.goto('/app')
    await page.getByText('No sign-in method is available.').waitFor()
    expect(faults).toEqual([])
  })

  test('enters only an email address if passwords are off, and Enter uses the first method', async () => {
    const { page, faults } = await app.open()
    await offer(page, ['dev'])
    await page.goto('/app?problem=sso_failed')
    await page.getByText('Sign-in with your identity provider failed. Start again.').waitFor()
    await page.getByLabel('Email').fill('first-way@shell.example.com')
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByTestId('meter').waitFor()
    expect(faults).toEqual([])
  })

  soakTest('sees a message on an unknown page, and a link home', async () => {
    const { page, faults } = await app.open()
    await page.goto('/app/no/such/place')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to home' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/sign-in')
    await expect.poll(() => page.title(), PATIENT).toBe('Sign in · Cowrie')
    await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('screen-title')
    await page.goBack()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(faults).toEqual([])
  })
})

test('a user signs in by keyboard, sees the empty wallet in naira, stays signed in, and signs out', async () => {
  const { page, faults } = await app.open()
  await page.goto('/app')
  await page.getByLabel('Email').waitFor()
  await tabTo(page, 'document.activeElement.id === "email"')
  await page.keyboard.type('ada@shell.example.com')
  await tabTo(page, 'document.activeElement.textContent === "Development sign-in"')
  await page.keyboard.press('Enter')

  await page.getByTestId('meter').waitFor()
  await expect.poll(() => page.getByTestId('meter').textContent()).toBe('₦0.00')
  await expect.poll(() => page.title(), PATIENT).toBe('Home · Cowrie')
  await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('Signed in.')
  await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('screen-title')

  await page.reload()
  await page.getByTestId('meter').waitFor()
  // Requests in progress at sign-out are refused, and the browser logs them.
  await page.waitForLoadState('networkidle')
  expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)

  await signOut(page)
  await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('Signed out.')
  await page.reload()
  await page.getByLabel('Email').waitFor()
  expect(faults).toEqual([])
})

test('signing out in one tab signs out the other', async () => {
  const { page, faults } = await app.open()
  await signIn(page, 'bola@shell.example.com')
  const other = await page.context().newPage()
  await other.goto('/app')
  await signOut(other)
  await page.getByLabel('Email').waitFor()
  expect(faults).toEqual([])
})

soakTest('a session that was ended elsewhere leads to the sign-in form', async () => {
  const { page } = await app.open()
  await signIn(page, 'chidi@shell.example.com')
  await page.context().clearCookies()
  await page.reload()
  await page.getByLabel('Email').waitFor()
})

test('a captive portal and a missing answer are detected, and one click retries', async () => {
  const { page, faults } = await app.open()
  await page.route('**/auth/config', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Pay for Wi-Fi</p>' }),
  )
  await page.goto('/app')
  const alert = page.getByRole('alert')
  await alert.getByText('The response did not come from Cowrie.').waitFor()
  await page.unroute('**/auth/config')
  await page.route('**/auth/config', (route) => route.abort())
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.getByText('The service does not respond.').waitFor()
  await page.unroute('**/auth/config')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Email').waitFor()
  // Browsers log every failed request.
  expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([])
})

soakTest.for([320, 360, 768, 1280])('at %i pixels nothing overflows, signed out and in', async (width) => {
  const { page } = await app.open({ viewport: { width, height: 800 } })
  await page.goto('/app')
  await page
    .getByLabel('Email')
    .fill(`a-person-with-a-rather-long-address-${width}@mail.of-a-long-domain.example.com`)
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Development sign-in' }).click()
  await page.getByTestId('meter').waitFor()
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  expect(await overflowOf(page)).toBe(0)
})

test('the theme of the operator is applied, from the second visit on before the first paint', async () => {
  const { page } = await app.open({ colorScheme: 'light' })
  await answerConfig(page, { appearance: { skin: 'kente', mode: 'dark', layout: 'comfortable' } })
  await wearsKenteByNight(page)
})

soakTest('the theme of the environment is applied', async () => {
  const dark = await startTestServer({
    variables: { SERVICE_DEFAULT_MODE: 'dark', SERVICE_DEFAULT_SKIN: 'kente' },
  })
  onTestFinished(() => dark.close())
  const { page } = await app.open({ colorScheme: 'light' }, await dark.listen())
  await wearsKenteByNight(page)
})

async function wearsKenteByNight(page: Page): Promise<void> {
  await page.goto('/app')
  await page.locator('html[data-skin=kente][data-mode=dark]').waitFor()
  await page.route('**/auth/config', (route) => route.abort())
  await page.reload({ waitUntil: 'commit' })
  await page.locator('html[data-skin=kente][data-mode=dark]').waitFor()
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/app')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Development sign-in' }).click()
  await page.getByTestId('meter').waitFor()
}

/** Simulates a service with other sign-in methods. */
const offer = (page: Page, methods: readonly string[]): Promise<void> => answerConfig(page, { methods })

/** Simulates another configuration in `/auth/config`. */
async function answerConfig(page: Page, parts: object): Promise<void> {
  await page.route('**/auth/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...parts } })
  })
}
