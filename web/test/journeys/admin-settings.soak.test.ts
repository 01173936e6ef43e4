// The staff console: settings with bounds, permissions, staff invitations, flags and figures.
import { type FakeFawry, startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { enterAt } from '../people.ts'
import { mailedLink, startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

let fawry: FakeFawry
const app = startApp(async () => {
  fawry = await startFakeFawry()
  return startAtLocalhost(fawry.variables)
})
afterAll(() => fawry.close())
const ADMIN = 'ada@example.com'
const FROM_10_TO_25 = ['frontier_target_pct', '10 percent', '25 percent']
const SECRET = 'sk-not-to-be-seen-7890'

beforeAll(() => app.server.person({ email: ADMIN, staff: 'super_admin' }))

test('a setting is changed within its bounds, shows who changed it, and is reset; the log has old and new values, and no secret', async () => {
  const { page, faults } = await app.open(DESKTOP)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url())
  })
  await enterAt(page, '/app/ops/settings', ADMIN)
  await page.getByLabel('Find a setting').fill('frontier share')
  await page.getByText('1 setting shown.').waitFor()
  await open(page, 'frontier_target_pct')
  await page.getByText('From 0 to 100.').waitFor()
  await page.getByText('None among the last 100 changes of settings.').waitFor()
  expect(await page.getByRole('button', { name: 'Reset to default' }).count()).toBe(0)
  await isFine(page)

  await save(page, '140')
  await page.getByText('Enter a whole number. From 0 to 100.').waitFor()
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('value-frontier_target_pct')
  expect(sent).toEqual([])

  await save(page, '25')
  const asked = page.getByRole('dialog', { name: 'Change “Planned share of the frontier lane”?' })
  await asked.getByText('frontier_target_pct').waitFor()
  await expect.poll(() => asked.getByRole('definition').allTextContents()).toEqual(FROM_10_TO_25)
  await asked.getByText('Applies to new work on all replicas within seconds.').waitFor()
  await isFine(page)
  await asked.getByRole('button', { name: 'Go back' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(sent).toEqual([])
  await save(page, '25')
  await asked.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('Saved and applied.').first().waitFor()
  await expect.poll(() => page.getByTestId('value-of-frontier_target_pct').textContent()).toBe('25 percent')
  await page.getByText('operator', { exact: true }).waitFor()
  await page.getByText(/^Initial value from .* by ada@example\.com\.$/).waitFor()
  await page.getByText('10 percent → 25 percent').waitFor()

  await page.getByRole('button', { name: 'Reset to default' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset frontier_target_pct?' })
  await dialog.getByText('It returns to 10 percent').waitFor()
  await expect
    .poll(() => dialog.getByRole('definition').allTextContents())
    .toEqual(['frontier_target_pct', '25 percent', '10 percent'])
  await dialog.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByText('Reset to its default.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByTestId('value-of-frontier_target_pct').textContent()).toBe('10 percent')
  expect(await page.getByRole('button', { name: 'Reset to default' }).count()).toBe(0)

  await page.getByLabel('Find a setting').fill('upstream_api_key')
  await open(page, 'upstream_api_key')
  await page.getByLabel('New secret').fill(SECRET)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Stored: ••••7890.').waitFor()
  await expect.poll(() => page.getByTestId('value-of-upstream_api_key').textContent()).toBe('••••7890')
  await expect.poll(() => page.getByLabel('New secret').inputValue()).toBe('')
  await page.getByText('changed, not shown').waitFor()

  await page.goto('/app/ops/audit?action=settings')
  const entries = page.locator('details.entry')
  await expect.poll(() => entries.count(), PATIENT).toBe(3)
  for (const at of [0, 1, 2]) await entries.nth(at).locator('summary').click()
  await entries.nth(2).getByText('before 10').waitFor()
  await entries.nth(2).getByText('after 25').waitFor()
  expect(await page.content()).not.toContain('not-to-be-seen')
  await page.getByRole('button', { name: 'Verify chains' }).click()
  await page.getByTestId('chain-verdict').getByText('The chains are intact.').waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await saving).suggestedFilename()).toBe('cowrie-audit.csv')
  await isFine(page)
  expect(faults).toEqual([])
})

test('errors of the service are shown, and actions of other tiers are disabled with the required tier', async () => {
  const operator = await app.server.person({ email: 'op@example.com', staff: 'operator' })
  const { page, faults } = await app.open(PHONE)
  // Simulates a release with narrower bounds than those on this page.
  await page.route('**/admin/settings', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('"max":100,', '"max":200,'),
    })
  })
  await enterAt(page, '/app/ops/settings?q=frontier', operator.email)
  await open(page, 'frontier_target_pct')
  await save(page, '140')
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await page.getByText('frontier_target_pct must be a whole number from 0 to 100 percent.').waitFor()
  expect(faults.splice(0)).toEqual([expect.stringContaining('422')])
  await page.getByRole('button', { name: 'Go back' }).click()

  await open(page, 'price_frontier_kobo_per_1m')
  const locked = page.locator('details.setting', { hasText: 'price_frontier_kobo_per_1m' })
  await locked.getByText('Needs super admin.').waitFor()
  await expect.poll(() => locked.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await expect.poll(() => locked.getByLabel('Value').isDisabled()).toBe(true)
  await isFine(page)
  await page.goto('/app/ops/staff')
  await page.getByText('ada@example.com').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add staff member' }).isDisabled()).toBe(true)
  await expect.poll(() => page.getByRole('button', { name: 'Remove' }).first().isDisabled()).toBe(true)
  expect(faults).toEqual([])
})

test('staff are invited, change tier and leave; the last super admin cannot', async () => {
  const { page, faults } = await app.open(SMALL_PHONE)
  await enterAt(page, '/app/ops/staff', ADMIN)
  await page.getByText('The last super admin cannot be removed. Make another one first.').waitFor()
  await page.getByRole('button', { name: 'Add staff member' }).click()
  await page.getByLabel('Email').fill('bola@example.com')
  await page.getByLabel('Tier', { exact: true }).selectOption('billing')
  await page.getByRole('button', { name: 'Add to staff' }).click()
  await page.getByText('Invitation sent to bola@example.com.').first().waitFor()
  await page.getByRole('button', { name: 'Withdraw bola@example.com' }).waitFor()
  await isFine(page)

  const token = new URLSearchParams(
    new URL(await mailedLink(app.server, 'bola@example.com')).hash.slice(1),
  ).get('token')
  const accepted = await app.server.call('POST', '/auth/operator-invite/accept', {
    body: { token, password: 'three pelicans in April' },
  })
  expect(accepted.status).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: 'Change tier bola@example.com' }).click()
  await page.getByRole('dialog').getByLabel('Tier', { exact: true }).selectOption('compliance')
  await page.getByRole('dialog').getByRole('button', { name: 'Change tier' }).click()
  const row = page.locator('li.row', { hasText: 'bola@example.com' })
  await row.locator('.chip', { hasText: 'compliance' }).waitFor()
  await row.getByRole('button', { name: 'Remove bola@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('a flag is created, set for a tier and for one organisation, and tested', async () => {
  const customer = await app.server.person({ email: 'weaver@example.com' })
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/ops/flags', ADMIN)
  await page.getByRole('button', { name: 'New flag' }).click()
  await page.getByLabel('Key').fill('new_editor')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'Flag new_editor' }).waitFor()
  await page.getByLabel('Team', { exact: true }).selectOption('on')
  await page.getByRole('button', { name: 'Save flag' }).click()
  const cells = page.getByRole('row', { name: /new_editor/ }).getByRole('cell')
  await expect
    .poll(() => cells.allTextContents(), PATIENT)
    .toEqual(['Off', 'as default', 'On', 'as default', '0'])
  await pick(page, 'Set for one organisation', customer.email)
  await page.getByRole('button', { name: 'Set for this organisation' }).click()
  await page.getByRole('button', { name: `Remove ${customer.orgId}` }).waitFor()
  await pick(page, 'Organisation', customer.email)
  await page.getByTestId('seen-flags').getByText('set for this organisation').waitFor()
  await isFine(page)
  await page.getByRole('button', { name: 'Delete flag new_editor' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete flag' }).click()
  await page.getByText('No flags yet.').waitFor()
  expect(faults).toEqual([])
})

test('cash, usage and subscriptions are separate figures, each with a chart and a table', async () => {
  const { server } = app
  const customer = await server.person({ email: 'spender@example.com' })
  const topup = await server.call<{ reference: string }>('POST', '/wallet/topup', {
    as: customer,
    body: { amountMinor: 500_000, channel: 'card' },
    headers: { 'idempotency-key': 'one-top-up' },
  })
  const settled = await server.call('POST', '/wallet/verify', {
    as: customer,
    body: { reference: topup.body.reference },
  })
  expect(settled.body).toMatchObject({ status: 'settled' })
  await server.call('POST', '/contact/lead', {
    body: { name: 'Zainab', email: 'zainab@example.com', message: 'Forty weavers want a team.' },
  })
  // Figures cover only the past.
  server.clock.advance({ seconds: 1 })
  const { page, faults } = await app.open(SMALL_PHONE)
  await enterAt(page, '/app/ops', ADMIN)
  await page.getByTestId('cash-in').waitFor()
  await expect.poll(() => minorOf(page, 'cash-in')).toBe(500_000n)
  await expect.poll(() => minorOf(page, 'recognised')).toBe(0n)
  await expect.poll(() => minorOf(page, 'subscription-mrr')).toBe(0n)
  const picture = page.getByRole('img', { name: 'Cash, usage and subscriptions' })
  await picture.waitFor()
  await page.getByText('As a table').click()
  const table = page.getByRole('region', { name: 'Cash, usage and subscriptions' })
  await expect
    .poll(() => table.getByRole('columnheader').allTextContents())
    .toEqual(['Time', 'Cash in', 'Recognised usage', 'Paid for subscriptions'])
  await expect.poll(() => table.getByText('₦5,000.00').count()).toBe(1)
  await page.getByLabel('Series').selectOption('active_orgs')
  await page.getByRole('img', { name: 'Active organisations' }).waitFor()
  await isFine(page)
  await pick(page, 'Organisation', ADMIN)
  await expect.poll(() => minorOf(page, 'cash-in'), PATIENT).toBe(0n)

  await page.goto('/app/ops/posture')
  await page.getByRole('button', { name: 'Check ledger' }).click()
  await page.getByTestId('ledger-verdict').getByText('All checks passed.').waitFor()
  await isFine(page)
  await page.goto('/app/ops/precision')
  await page.getByTestId('false-positive-rate').getByText('No verdicts yet').waitFor()
  await page.goto('/app/ops/leads')
  await page.getByText('Forty weavers want a team.').waitFor()
  await isFine(page)
  expect(faults).toEqual([])
})

test('a payment provider is checked on a phone, and each finding has its remedy', async () => {
  const { page, faults } = await app.open(SMALL_PHONE)
  await enterAt(page, '/app/ops/posture', ADMIN)
  await page.getByRole('button', { name: 'Check fawry' }).click()
  const report = page.getByTestId('rail-report')
  await report.getByText('Fawry accepted FAWRY_MERCHANT_CODE and FAWRY_SECURE_KEY.').waitFor()
  await report.getByText('Set SERVICE_BASE_URL to the public https address of this service.').waitFor()
  await isFine(page)

  fawry.fault('down')
  await page.getByRole('button', { name: 'Check fawry' }).click()
  await report.getByText('Look at the status page of Fawry and run the check again.').waitFor()
  fawry.heal()
  expect(faults).toEqual([])
})

test('support staff see who may check payment providers', async () => {
  await app.server.person({ email: 'sade@example.com', staff: 'support' })
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/ops/posture', 'sade@example.com')
  const button = page.getByRole('button', { name: 'Check fawry' })
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('Needs operator or super admin.').waitFor()
  expect(faults).toEqual([])
})

const open = (page: Page, key: string): Promise<void> =>
  page.locator('summary').getByText(key, { exact: true }).click()

async function save(page: Page, value: string): Promise<void> {
  await page.locator('#value-frontier_target_pct').fill(value)
  await page.keyboard.press('Enter')
}

async function pick(page: Page, label: string, who: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(who)
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Matching organisations' }).getByRole('button').first().click()
}
