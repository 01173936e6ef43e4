// The first plan and its invoice in a real browser, paid on the mock payment page.

import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { overflowOf, PATIENT, shiftOf, tabTo } from './browser.ts'
import { enterAt } from './people.ts'

/** After this time a waiting page polls for the first time. */
const FIRST_PAUSE_MS = 3_000
const PHONE = { viewport: { width: 360, height: 740 } }

const app = startApp()

test('a plan is chosen by keyboard, paid, and then active with its card and invoice', async () => {
  const { page, faults } = await enter('ada@billing.example.com', PHONE)
  await expect.poll(() => page.getByTestId('plan').textContent()).toBe('Pay as you go')
  await page.getByText('No cards yet.').waitFor()
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  await tabTo(page, 'document.activeElement.ariaLabel === "Choose Pro for ₦9,500.00 a month"')
  await page.keyboard.press('Enter')
  await page.getByTestId('charge-now').getByText('₦9,500.00').waitFor()
  await tabTo(page, 'document.activeElement.textContent === "Pay ₦9,500.00"')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()

  await status(page, '₦9,500.00 is paid')
  await page.getByText('Your plan has started. Find the invoice under Invoices.').waitFor()
  await page.getByText('Test mode.').waitFor()
  const plan = part(page, 'Your plan')
  await plan.getByText('Renews on').waitFor()
  await expect.poll(() => page.getByTestId('plan').textContent()).toBe('Pro')
  for (const words of ['₦9,500.00 a month', '1 of 1 used', 'Included usage this month'])
    await plan.getByText(words).waitFor()
  await expect.poll(() => page.getByTestId('included-left').textContent()).toBe('₦10,000.00')
  await part(page, 'Cards').getByText('Default').waitFor()
  expect(await part(page, 'Choose a plan').count()).toBe(0)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate<string[]>(TOO_SMALL)).toEqual([])

  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Invoices' }).click()
  const invoice = page.getByRole('main').getByRole('listitem')
  await invoice.first().waitFor()
  await expect.poll(() => invoice.count()).toBe(1)
  await invoice.getByText('Paid', { exact: true }).waitFor()
  const opening = page.waitForEvent('popup')
  await invoice.getByRole('link', { name: /^Open invoice/ }).click()
  const receipt = await opening
  await receipt.getByText('₦9,500.00').first().waitFor()
  await page.evaluate('document.documentElement.dir = "rtl"')
  expect(await overflowOf(page)).toBe(0)
  expect(faults.filter(isNotIcon)).toEqual([])
})

soakTest('a declined payment shows the reason, changes nothing, and leads back to the plans', async () => {
  const { page, faults } = await enter('declined@billing.example.com')
  await page.getByLabel('Billing period').selectOption('Yearly')
  await page.getByText('Saves ₦19,000.00 a year').waitFor()
  await page.getByRole('button', { name: 'Choose Pro for ₦95,000.00 a year' }).click()
  await page.getByRole('button', { name: 'Pay ₦95,000.00' }).click()
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await status(page, '₦95,000.00 was not paid')
  await page.getByText('It was declined on the mock page. Nothing has changed.').waitFor()
  await expect.poll(() => page.getByTestId('plan').textContent(), PATIENT).toBe('Pay as you go')
  await page.getByRole('link', { name: 'Back to your plan' }).click()
  await page.getByTestId('topup-status').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Choose Pro' }).waitFor()
  expect(faults.filter(isNotIcon)).toEqual([])
})

soakTest(
  'a card is added after its payment is confirmed by polling, and the amount is in the wallet',
  async () => {
    const { page, faults } = await enter('card@billing.example.com')
    let asks = 0
    await page.route('**/wallet/verify', async (route) => {
      const answer = await route.fetch()
      const pending = { ...(await answer.json()), status: 'pending', mode: 'live' }
      await route.fulfill(++asks === 1 ? { json: pending } : { response: answer })
    })
    await page.clock.install()
    await page.getByRole('button', { name: 'Add card' }).click()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await status(page, /^Waiting for/)
    await part(page, 'Billing details').waitFor()
    const readAnew = page.waitForRequest('**/billing/summary')
    await page.clock.fastForward(FIRST_PAUSE_MS)
    await status(page, /is paid$/)
    await readAnew
    expect(asks).toBe(2)
    await page.getByText('The amount is in your wallet. A reusable card is now listed under Cards').waitFor()
    await part(page, 'Cards').getByText('ending in').waitFor()
    expect(faults.filter(isNotIcon)).toEqual([])
  },
)

soakTest('a member can read everything and sees who can change it', async () => {
  const person = await app.server.person({ email: 'member@billing.example.com' })
  await app.server.sql.rows`update memberships set role = 'member' where user_id = ${person.userId}`
  const { page, faults } = await enter(person.email)
  await page.getByText('Only an owner can choose a plan.').waitFor()
  await page.getByText('₦32,000.00 a month').waitFor()
  await page.getByText('Only an owner can add a card.').waitFor()
  await page.getByText('Only an owner can change these.').waitFor()
  // Only the menu, which has a link to the invoices.
  expect(await page.getByRole('main').locator('button:not(:disabled)').count()).toBe(1)
  expect(faults).toEqual([])
})

/** Opens a screen as this user. Creates the account if needed. */
async function enter(email: string, options: Parameters<typeof app.open>[0] = {}) {
  const opened = await app.open(options)
  await enterAt(opened.page, '/app/billing', email)
  await part(opened.page, 'Billing details').waitFor()
  await expect.poll(() => opened.page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  return opened
}

const status = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByTestId('topup-status').getByText(words).waitFor()
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The mock payment page has no icon, so the browser requests a missing one. */
const isNotIcon = (fault: string): boolean => !fault.includes('status of 404')

const TOO_SMALL = `[...document.querySelectorAll('button, select, nav a, a.button, summary')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
  .map((element) => element.outerHTML)`
