// People at the sign-in page, as tests need them.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { TOTP } from 'otpauth'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { OrgId } from '../../server/src/kernel/ids.ts'
import type { AppUnderTest } from './app.ts'
import { forgetShift, type OpenedPage, PATIENT, pressOn } from './browser.ts'
import { mailedLink } from './service.ts'

export const PASSWORD = 'three pelicans in April'

/** An account with a password and a confirmed address. */
export async function openAccount(server: TestServer, email: string): Promise<string> {
  await server.call('POST', '/auth/register', { body: { email, password: PASSWORD } })
  const token = new URL(await mailedLink(server, email)).searchParams.get('token')
  await server.call('POST', '/auth/verify', { body: { token } })
  // Mails of the same moment have no order, and the next one must be the newest.
  server.clock.advance({ seconds: 1 })
  return email
}

export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What an authenticator app shows now for a secret, as the page writes it. */
export const codeOf = ({ clock }: TestServer, secret: string): string =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: clock.now().getTime() })

/**
 * Gives a page the session of somebody; the account is made where there is none. It comes from the service itself: the sign-in
 * page has its own tests, and they fill in its form.
 */
export async function signInAs(page: Page, email: string): Promise<{ orgId: OrgId }> {
  const answer = await page.request.post('/auth/dev-login', { data: { email } })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as { orgId: OrgId }
}

/** Opens an address as somebody. */
export async function enterAt(page: Page, path: string, email: string): Promise<void> {
  await signInAs(page, email)
  await page.goto(path)
  await page.locator('#screen-title').waitFor()
}

/** Signs in by the form of any page that asks for it, without a password. */
export async function enterForDevelopment(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Development sign-in' }).click()
  // Screens behind it ask for addresses as well, but not for one's own.
  await page.locator('input[name="email"][autocomplete="username"]').waitFor({ state: 'detached' })
  await forgetShift(page)
}

export async function signOut(page: Page): Promise<void> {
  await pressOn(page.getByRole('link', { name: 'Settings', exact: true }).first())
  const out = page.getByRole('button', { name: 'Sign out' })
  await out.waitFor()
  // What is still being read when a session ends is refused, and the browser notes it.
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  await pressOn(out)
  await page.getByLabel('Email').waitFor()
}

/** The wallet of somebody, at rest; the account is made where there is none. */
export async function enterWallet(
  app: AppUnderTest,
  email: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const opened = await app.open(options)
  await enterAt(opened.page, '/app/wallet', email)
  await opened.page.getByLabel('Amount').waitFor()
  await expect.poll(() => opened.page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  return opened
}
