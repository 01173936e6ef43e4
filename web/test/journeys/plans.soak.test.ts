// Plan changes: previewed line by line, charged exactly, scheduled and undone; and their invoices.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn } from '../browser.ts'
import { enterAt } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

const app = startApp(startAtLocalhost)

test('an upgrade is previewed line by line and charged exactly once; a downgrade is scheduled and undone', async () => {
  const ada = await subscribed('upgrade@example.com', 'approved')
  app.server.clock.advance({ days: 15 })
  const { page, faults } = await enter(ada, PHONE)
  await isFine(page)
  await page.getByRole('button', { name: 'Choose Team for ₦32,000.00 a month' }).click()
  const card = page.getByRole('dialog', { name: 'Change to Team' })
  for (const [name, value] of [
    ['Team by the month', '₦16,000.00'],
    ['Unused time on Pro', '−₦4,750.00'],
    ['You pay today', '₦11,250.00'],
  ] as const)
    await card
      .getByRole('row', { name: new RegExp(name) })
      .getByText(value)
      .waitFor()
  const after = (await card.locator('.before-after').textContent()) ?? ''
  for (const words of ['₦10,000.00', '₦35,000.00', '₦32,000.00 on 15 Dec 2026', '5'])
    expect(after).toContain(words)
  await isFine(page)
  const told = await minorOf(page, 'charge-now')

  // Another member was faster: the new price is shown, and only that is charged.
  const charged: unknown[] = []
  let changes = 0
  await page.route('**/subscription/change', async (route) => {
    if (++changes === 1) return route.fulfill({ status: 409, json: CHANGED })
    const answer = await route.fetch()
    charged.push((await answer.json()).chargedMinor)
    await route.fulfill({ response: answer })
  })
  await card.getByRole('button', { name: 'Pay ₦11,250.00 now' }).click()
  await card.getByText('The price has changed and nothing was charged.').waitFor()
  await card.getByRole('button', { name: 'Pay ₦11,250.00 now' }).dblclick()
  await card.waitFor({ state: 'detached' })
  expect(charged.map(String)).toEqual([String(told)])
  await expect.poll(() => page.getByTestId('plan').textContent(), PATIENT).toBe('Team')
  expect(await invoiceTotals(ada)).toEqual([1_125_000n, 950_000n])

  await page.getByRole('button', { name: 'Choose Pro for ₦9,500.00 a month' }).click()
  await page.getByText('Changes on 15 Dec 2026. Nothing changes until then.').waitFor()
  await page.getByRole('button', { name: 'Change on 15 Dec 2026' }).click()
  await chip(page, 'Scheduled')
  await page.getByText('Changes on 15 Dec 2026 to Pro, monthly').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await chip(page, 'Active')

  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('You keep Team until 15 Dec 2026').waitFor()
  await page.getByLabel('Why?').selectOption('It costs too much')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await chip(page, 'Cancelled')
  await page.getByRole('button', { name: 'Resume plan' }).click()
  await chip(page, 'Active')

  await page.getByLabel('Number of seats').fill('6')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Pay ₦3,000.00 now' }).click()
  await expect.poll(() => page.getByText('1 of 6 used').count(), PATIENT).toBeGreaterThan(0)
  expect(faults.filter((fault) => !fault.includes('status of 409'))).toEqual([])
})

test('a declined card shows an error and changes nothing; another card works, and the bank may ask for a confirmation', async () => {
  const ada = await subscribed('declined@example.com', 'approved_then_declines')
  const { page, faults } = await enter(ada, SMALL_PHONE)
  await pressOn(page.getByRole('button', { name: 'Choose Team' }))
  await pressOn(page.getByRole('button', { name: /^Pay .* now$/ }))
  await page.getByText('The bank declined the card. Nothing was charged.').waitFor()
  await isFine(page)
  await pressOn(page.getByRole('button', { name: 'Use another card' }))
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.textContent'), PATIENT)
    .toBe('Add card')
  await expect.poll(() => page.getByTestId('plan').textContent()).toBe('Pro')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /whose bank asks/ }).click()
  await page.getByRole('button', { name: 'Actions for Visa ending in 4796' }).click()
  await page.getByRole('button', { name: 'Make default' }).click()
  await page.getByRole('button', { name: 'Actions for Visa ending in 5408' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('It is no longer charged').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Actions for Visa ending in 5408' }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Choose Team' }).click()
  await page.getByRole('button', { name: /^Pay .* now$/ }).click()
  await page.getByText('Your bank asks you to confirm this payment.').waitFor()
  await page.getByRole('button', { name: 'Confirm with your bank' }).click()
  const bank = page.getByRole('button', { name: 'Approve', exact: true })
  await bank.waitFor()
  const other = await enter(ada, DESKTOP)
  await other.page.getByText('A plan change is waiting for its payment.').waitFor()
  await bank.click()
  await page.getByRole('heading', { name: '₦22,500.00 is paid' }).waitFor()
  // The other page updates by itself.
  await expect.poll(() => other.page.getByTestId('plan').textContent(), PATIENT).toBe('Team')
  expect(faults.filter((fault) => !/status of 40[24]/.test(fault))).toEqual([])
  expect(other.faults).toEqual([])
})

test('an unpaid renewal is shown on top, with the day of the next attempt and a pay button', async () => {
  const ada = await subscribed('late@example.com', 'approved')
  const [invoice] = await invoices(ada)
  const { page } = await enter(ada, PHONE, async (opened) => {
    await opened.route('**/billing/summary', async (route) => {
      const summary = await (await route.fetch()).json()
      Object.assign(summary.subscription, {
        ...{ status: 'past_due', openInvoiceId: invoice?.id, nextAttemptAt: '2026-12-18T09:00:00.000Z' },
      })
      await route.fulfill({ json: summary })
    })
  })
  const band = page.getByRole('region', { name: 'Unpaid renewal' })
  await band.getByText(/We will charge your cards again on 18 Dec 2026/).waitFor()
  await page.getByText('Pay the open invoice first. Then you can change the plan.').waitFor()
  await band.getByRole('button', { name: 'Pay ₦9,500.00' }).click()
  await isFine(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Pay ₦9,500.00' }).click()
  await page.getByText('This invoice is no longer open.').waitFor()
})

test('an invoice opens as a complete receipt in a new tab, and only for its organisation', async () => {
  const ada = await subscribed('paper@example.com', 'approved')
  const { page, faults } = await enter(ada, PHONE)
  await page.getByRole('button', { name: 'Edit billing details' }).click()
  await page.getByLabel('Company or full name').fill('Adaobi Software Limited')
  await page.getByLabel('Tax ID').fill('12345678-0001')
  await page.getByLabel('Address').fill('2 Broad Street\nLagos')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Adaobi Software Limited').waitFor()
  await page.getByRole('button', { name: 'Choose Team' }).click()
  await page.getByRole('button', { name: /^Pay .* now$/ }).click()
  await expect.poll(() => page.getByTestId('plan').textContent(), PATIENT).toBe('Team')
  await page.goto('/app/invoices')
  const [newest] = await invoices(ada)
  if (!newest) throw new Error('a change that was paid has an invoice')
  const { id, number } = newest
  await page.getByText('Details, download and print').first().click()
  await page.getByRole('row', { name: /Total/ }).getByText('₦22,500.00').waitFor()
  await isFine(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: `Download invoice ${number}` }).click()
  expect((await download).suggestedFilename()).toContain(number)
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: `Open invoice ${number} in a new tab` }).click()
  const receipt = await opening
  await receipt.waitForLoadState()
  await receipt.emulateMedia({ media: 'print' })
  const paper = (await receipt.locator('main').textContent()) ?? ''
  for (const words of [
    number,
    'Adaobi Software Limited',
    '12345678-0001',
    '₦22,500.00',
    'VAT 7.5%',
    'Visa',
    'Unused time on Pro',
  ])
    expect(paper).toContain(words)
  expect(
    (await receipt.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g),
  ).toHaveLength(1)
  const stranger = await app.server.person()
  const { status } = await app.server.call('GET', `/invoices/${id}/receipt`, { as: stranger })
  expect(status).toBe(404)
  expect(faults).toEqual([])
})

const CHANGED = { error: 'It costs more by now.', code: 'price_changed', requestId: 'req_1' }

/** A user on Pro who paid with a card that behaves like this later. */
async function subscribed(email: string, decision: string): Promise<Person> {
  const { server } = app
  const as = await server.person({ email })
  const body = { planCode: 'pro', interval: 'month' }
  const begun = await server.call<{ reference: string }>('POST', '/subscription/checkout', { as, body })
  await server.call('POST', `/pay/mock/${begun.body.reference}`, {
    raw: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return as
}

async function enter(
  { email }: Person,
  options: Parameters<typeof app.open>[0],
  before: (page: Page) => Promise<void> = async () => undefined,
) {
  const opened = await app.open(options)
  await before(opened.page)
  await enterAt(opened.page, '/app/billing', email)
  await opened.page.getByRole('button', { name: 'Edit billing details' }).waitFor()
  return opened
}

const chip = (page: Page, words: string): Promise<void> =>
  page.getByTestId('plan-chip').getByText(words, { exact: true }).waitFor()

type Listed = { id: string; number: string; totalMinor: bigint }
const invoices = async (as: Person): Promise<Listed[]> =>
  (await app.server.call<{ invoices: Listed[] }>('GET', '/invoices', { as })).body.invoices
const invoiceTotals = async (as: Person) => (await invoices(as)).map(({ totalMinor }) => totalMinor)
