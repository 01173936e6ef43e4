// Staff manage an organisation: suspension, business verification and money; and the view of its members.
import { readFileSync } from 'node:fs'
import { startReceiver } from '@cowrie/testkit/fakes/webhook-receiver.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { createPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { settlePayment } from '../../../server/src/payments/settle/settle.ts'
import { startApp } from '../app.ts'
import { PATIENT, pressOn } from '../browser.ts'
import { enterAt } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

const app = startApp(startAtLocalhost)

/** An organisation with this name, whose owner signs in by email. */
async function openOrg(name: string): Promise<Person> {
  const owner = await app.server.person({ type: 'team' })
  await app.server.sql.rows`update orgs set name = ${name} where id = ${owner.orgId}`
  return owner
}

const chips = (page: Page) => page.getByTestId('org-chips')

test('an organisation is found, suspended with a reason and reinstated; its members are notified, and the audit log has both', async () => {
  const ada = await openOrg('Acme Works')
  const support = await app.server.person({ staff: 'support' })
  const compliance = await app.server.person({ staff: 'compliance' })

  // Support can only read, and sees who may do more.
  const desk = await app.open(SMALL_PHONE)
  await enterAt(desk.page, '/app/ops/orgs', support.email)
  await desk.page.getByLabel('Find').fill('acme')
  await expect.poll(() => desk.page.getByRole('row').filter({ hasText: '₦' }).count(), PATIENT).toBe(1)
  await isFine(desk.page)
  await desk.page.getByRole('link', { name: 'Acme Works' }).click()
  await desk.page.getByRole('heading', { level: 1, name: 'Acme Works' }).waitFor()
  const barred = desk.page.getByRole('button', { name: 'Suspend Acme Works' })
  await expect.poll(() => barred.isDisabled()).toBe(true)
  await desk.page.getByText('Needs compliance, operator or super admin.').waitFor()
  await isFine(desk.page)
  await desk.page.goBack()
  await expect.poll(() => desk.page.getByLabel('Find').inputValue(), PATIENT).toBe('acme')

  // Signed-in members do not see it yet.
  const customer = await app.open(PHONE)
  await enterAt(customer.page, '/app/organisation', ada.email)
  await customer.page.getByRole('heading', { level: 1, name: 'Organisation' }).waitFor()
  expect(await customer.page.getByText('This organisation is suspended.').count()).toBe(0)

  // Compliance suspends: with a reason and the typed name.
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, `/app/ops/orgs/${ada.orgId}`, compliance.email)
  await pressOn(page.getByRole('button', { name: 'Suspend Acme Works' }))
  const dialog = page.getByRole('dialog', { name: 'Suspend Acme Works?' })
  await dialog.getByText('Paid work of Acme Works stops immediately; reading still works.').waitFor()
  await dialog.getByLabel('Reason (visible to the customer)').fill('Chargebacks in November.')
  await dialog.getByLabel('Type “Acme Works” to confirm').fill('Acme')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not “Acme Works”.').waitFor()
  await isFine(page)
  await dialog.getByLabel('Type “Acme Works” to confirm').fill('Acme Works')
  await page.keyboard.press('Enter')
  await chips(page).getByText('Suspended').waitFor()
  await isFine(page)

  // The owner sees the reason everywhere; reading works, paid work does not.
  await customer.page.reload()
  await customer.page.getByText('This organisation is suspended.').waitFor()
  await expect
    .poll(() => customer.page.getByTestId('suspension-reason').textContent(), PATIENT)
    .toBe('Chargebacks in November.')
  await isFine(customer.page)
  const thread = await app.server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: {} })
  await customer.page.goto(`/app/chat/${thread.body.id}`)
  await customer.page.getByLabel('Your message').fill('Why was it slow?')
  await customer.page.getByRole('button', { name: 'Send' }).click()
  await customer.page.getByText(/^Your organisation is suspended and cannot start paid work\./).waitFor()
  await expect
    .poll(() => customer.page.getByRole('link', { name: 'Contact us' }).last().getAttribute('href'))
    .toBe('/app/contact')
  expect((await app.server.call('GET', '/wallet', { as: ada })).status).toBe(200)

  // It is reinstated. The log has both, with actor, reason and time.
  await pressOn(page.getByRole('button', { name: 'Reinstate Acme Works' }))
  await pressOn(page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }))
  await page.getByRole('button', { name: 'Suspend Acme Works' }).waitFor()
  await expect.poll(() => chips(page).getByText('Suspended').count(), PATIENT).toBe(0)
  await page.getByRole('tab', { name: 'History' }).click()
  const staffDid = page.getByRole('list', { name: 'Staff actions' })
  for (const deed of ['org.suspend', 'org.unsuspend']) {
    const row = staffDid.getByRole('listitem').filter({ has: page.getByText(deed, { exact: true }) })
    await row.getByText(compliance.email).waitFor()
    await row.getByText('Chargebacks in November.').waitFor()
  }
  await isFine(page)
  await page.reload()
  await staffDid.waitFor()
  await customer.page.goto('/app/organisation')
  await customer.page.getByText('Export data').first().waitFor()
  expect(await customer.page.getByText('This organisation is suspended.').count()).toBe(0)
  // The browser logs the refused call.
  expect(customer.faults).toEqual([expect.stringContaining('403 (Forbidden)')])
  expect([...desk.faults, ...faults]).toEqual([])
})

test('a business is rejected with notes, submits again and is verified, by keyboard only', async () => {
  const bola = await openOrg('Bola Foods')
  const compliance = await app.server.person({ staff: 'compliance' })
  const customer = await app.open(PHONE)
  await enterAt(customer.page, '/app/organisation', bola.email)
  await customer.page.getByLabel('Name of the business, as it is registered').fill('Bola Foods Ltd')
  await customer.page.getByLabel('Registration number').fill('RC 778899')
  await customer.page.getByLabel('Location of the documents').fill('https://files.example.com/bola')
  await customer.page.getByRole('button', { name: 'Submit for verification' }).click()
  await customer.page.getByText('In review').waitFor()
  await isFine(customer.page)

  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/ops/kyc', compliance.email)
  const claim = page.getByRole('region', { name: 'Business details of Bola Foods Ltd' })
  await claim.getByText('https://files.example.com/bola').waitFor()
  await claim.getByText('RC 778899').waitFor()
  await isFine(page)
  await page.keyboard.press('r')
  const no = page.getByRole('dialog', { name: 'Reject Bola Foods Ltd?' })
  await pressOn(no.getByRole('button', { name: 'Reject' }))
  await expect.poll(() => no.locator('textarea:invalid').count()).toBe(1)
  await no.getByLabel('Problem (visible to the customer)').fill('The certificate is of another company.')
  await pressOn(no.getByRole('button', { name: 'Reject' }))
  await page.getByText('The queue is empty.').waitFor()

  await customer.page.reload()
  await expect
    .poll(() => customer.page.getByTestId('reviewer-notes').textContent(), PATIENT)
    .toBe('The certificate is of another company.')
  await isFine(customer.page)
  await customer.page.getByRole('button', { name: 'Resubmit' }).click()
  await customer.page.getByLabel('Location of the documents').fill('https://files.example.com/bola-2')
  await customer.page.getByRole('button', { name: 'Send again' }).click()
  await customer.page.getByText('In review').waitFor()

  await page.getByLabel('Show').selectOption('rejected')
  await page.getByText('None.').waitFor()
  await page.getByLabel('Show').selectOption('pending')
  await claim.getByText('https://files.example.com/bola-2').waitFor()
  await page.locator('body').press('v')
  const sure = page.getByRole('dialog', { name: 'Verify Bola Foods Ltd?' })
  await pressOn(sure.getByRole('button', { name: 'Verify' }))
  await page.getByText('The queue is empty.').waitFor()

  // The audit log of the organisation has the events and is intact.
  await customer.page.goto('/app/audit')
  await customer.page.getByLabel('Action').fill('admin.kyc')
  await customer.page.getByRole('button', { name: 'Filter' }).click()
  const entries = customer.page.locator('details.entry')
  await expect.poll(() => entries.count(), PATIENT).toBe(2)
  await entries.first().locator('summary').click()
  await entries.first().getByText(compliance.email).waitFor()
  await customer.page.getByRole('button', { name: 'Verify log' }).click()
  await customer.page
    .getByText(/^The chain is intact/)
    .first()
    .waitFor()
  await isFine(customer.page)
  expect([...customer.faults, ...faults]).toEqual([])
})

test('a payment under review is credited once with a reason, and partly refunded', async () => {
  const chi = await openOrg('Chi Traders')
  const billing = await app.server.person({ staff: 'billing' })
  const reference = await createPayment(app.server, chi, { amountMinor: 500_000n })
  await settlePayment(
    app.server.app,
    reference,
    { status: 'paid', amountMinor: 450_000n, currency: 'NGN', reference, live: true, transactionId: 'tx-1' },
    'webhook',
  )
  const { page, faults } = await app.open(PHONE)
  await enterAt(page, '/app/ops/payments', billing.email)
  const decide = page.getByRole('region', { name: 'Waiting for a decision' })
  await decide.getByText('Chi Traders').waitFor()
  await isFine(page)
  await decide.getByRole('link', { name: /open the payment of ₦5,000.00/ }).click()
  await page.getByRole('button', { name: `Credit ${reference}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Credit this payment to Chi Traders?' })
  await dialog.getByLabel('Reason').fill('The bank statement shows it.')
  await isFine(page)
  await dialog.getByRole('button', { name: 'Credit ₦4,500.00' }).dblclick()
  await expect.poll(() => page.getByTestId('payment-status').textContent(), PATIENT).toBe('Settled')
  await expect.poll(() => minorOf(page, 'captured')).toBe(450_000n)

  await page.getByLabel('Amount, in NGN').fill('1,000')
  await page.getByLabel('Reason').fill('A run of ours failed.')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/is ambiguous/).waitFor()
  await page.getByLabel('Amount, in NGN').fill('1000')
  await page.getByRole('button', { name: 'Continue' }).click()
  const sure = page.getByRole('dialog', { name: 'Credit ₦1,000.00 to Chi Traders?' })
  await isFine(page)
  await sure.getByRole('button', { name: 'Credit ₦1,000.00' }).dblclick()
  await expect.poll(() => page.getByLabel('Amount, in NGN').inputValue(), PATIENT).toBe('3500.00')
  const { body } = await app.server.call<{ balanceMinor: bigint }>('GET', '/wallet', { as: chi })
  expect(BigInt(body.balanceMinor)).toBe(550_000n)
  expect(faults).toEqual([])
})

test('an organisation adds a webhook, exports its data, and is closed after its owner types its name', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const dayo = await openOrg('Dayo Labs')
  const { page, faults } = await app.open(PHONE)
  await enterAt(page, '/app/webhooks', dayo.email)
  await page.getByText('No endpoints yet').waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('Address').fill(`${receiver.url}/hook`)
  await page.getByLabel(/^topup\.settled/).check()
  await isFine(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('heading', { name: 'Save this secret now' }).waitFor()
  await expect.poll(() => page.getByTestId('copyable').first().textContent()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I saved it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Test event sent.').waitFor()
  await app.server.app.jobs.drain()
  await page.getByText('Delivered', { exact: true }).last().waitFor()
  expect(receiver.at('/hook').map(({ body }) => body.type)).toEqual(['ping'])
  await page.getByRole('button', { name: /^Resend: ping/ }).click()
  await page.getByText('It is sent again with the same id.').waitFor()
  await app.server.app.jobs.drain()
  expect(
    receiver
      .at('/hook')
      .map(({ headers }) => headers['webhook-id'])
      .filter(Boolean),
  ).toHaveLength(2)
  await isFine(page)
  expect(await page.getByText(/^whsec_/).count()).toBe(0)

  await page.goto('/app/organisation')
  const saved = page.waitForEvent('download', { timeout: scaledTimeout(60_000) })
  await page.getByRole('button', { name: 'Download all data' }).click()
  const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as { orgId: string }
  expect(file.orgId).toBe(dayo.orgId)
  await page.getByRole('button', { name: 'Close organisation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close Dayo Labs permanently?' })
  await dialog.getByLabel('Type “Dayo Labs” to confirm').fill('Dayo Labs')
  await isFine(page)
  await dialog.getByRole('button', { name: 'Close organisation' }).click()
  await expect.poll(() => new URL(page.url()).pathname, PATIENT).toBe('/app')
  const [row] = await app.server.sql.rows<{ closed: boolean }>`
    select closed_at is not null as closed from orgs where id = ${dayo.orgId}`
  expect(row?.closed).toBe(true)
  expect(faults).toEqual([])
})
