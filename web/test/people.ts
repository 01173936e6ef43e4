// Users and sign-in helpers for tests.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { TOTP } from 'otpauth'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { OrgId } from '../../server/src/kernel/ids.ts'
import type { AppUnderTest } from './app.ts'
import { forgetShift, type OpenedPage, PATIENT, pressOn } from './browser.ts'
import { mailedLink } from './service.ts'

export const PASSWORD = 'three pelicans in April'

/** An account with a password and a confirmed email address. */
export async function openAccount(server: TestServer, email: string): Promise<string> {
  await server.call('POST', '/auth/register', { body: { email, password: PASSWORD } })
  const token = new URL(await mailedLink(server, email)).searchParams.get('token')
  await server.call('POST', '/auth/verify', { body: { token } })
  // Mails with the same time have no order, and the next one must be the newest.
  server.clock.advance({ seconds: 1 })
  return email
}

export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The current code of an authenticator app for this secret, as the page shows it. */
export const codeOf = ({ clock }: TestServer, secret: string): string =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: clock.now().getTime() })

/**
 * Gives a page the session of this user and creates the account if needed. The session comes from the service, because the
 * sign-in page has separate tests.
 */
export async function signInAs(page: Page, email: string): Promise<{ orgId: OrgId }> {
  const answer = await page.request.post('/auth/dev-login', { data: { email } })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as { orgId: OrgId }
}

/** Opens a path as this user. */
export async function enterAt(page: Page, path: string, email: string): Promise<void> {
  await signInAs(page, email)
  await page.goto(path)
  await page.locator('#screen-title').waitFor()
}

/** Signs in without a password through the form of any page. */
export async function enterForDevelopment(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Development sign-in' }).click()
  // Other screens also have email fields, but not for the user's address.
  await page.locator('input[name="email"][autocomplete="username"]').waitFor({ state: 'detached' })
  await forgetShift(page)
}

export async function signOut(page: Page): Promise<void> {
  await pressOn(page.getByRole('button', { name: 'Your account' }))
  const out = page.locator('.menu-list').getByRole('button', { name: 'Sign out' })
  await out.waitFor()
  // Requests in progress at sign-out are refused, and the browser logs them.
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  await pressOn(out)
  await page.getByLabel('Email').waitFor()
}

/** Opens the top-up page of this user and creates the account if needed. */
export async function enterWallet(
  app: AppUnderTest,
  email: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const opened = await app.open(options)
  await enterAt(opened.page, '/app/wallet/top-up', email)
  await opened.page.getByLabel('Amount').waitFor()
  await expect.poll(() => opened.page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  return opened
}
