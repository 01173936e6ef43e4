// Wallet transparency in a real browser: the ledger and its explanations, home, usage, and the low-balance alert.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit, grantAllowance, holdSome } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findAutomaticTopups } from '../../server/src/billing/automatic/jobs.ts'
import { reserveTurn, settleTurn } from '../../server/src/metering/metering.ts'
import { startApp } from './app.ts'
import { overflowOf, PATIENT, pressOn, shiftOf } from './browser.ts'
import { isFine } from './journeys/journey.ts'
import { enterAt } from './people.ts'
import { startAtLocalhost } from './service.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

const app = startApp(startAtLocalhost)

test('every transaction is explained, the list has pages, and the file has all of them', async () => {
  const person = await app.server.person({ email: 'explained@example.com' })
  for (let count = 0; count < 24; count++) await giveCredit(app.server, person.orgId, 10_000n)
  await grantAllowance(app.server, person.orgId, 50n)
  await spend(person)
  await spendByClass(person)
  await holdSome(app.server, person, 700n)
  await grantAllowance(app.server, person.orgId, 1_234n)
  const { page, faults } = await app.open()
  await enterAt(page, '/app/wallet', person.email)
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect.poll(() => available(page), PATIENT).toBe('₦2,391.41')
  await balance.getByText('₦2,398.41').waitFor()
  await balance.getByText('₦7.00').waitFor()
  await balance.getByText('₦12.34').waitFor()

  const ledger = part(page, 'Activity')
  await pressOn(ledger.locator('summary', { hasText: 'Chat' }))
  await ledger.getByRole('row', { name: 'All tokens 1,204 ₦900.00 108.36' }).waitFor()
  for (const words of [
    '1,204: 1,000 input, 204 output',
    'Paid by your plan',
    '1204 tokens × 90000 kobo per million = 108.36 kobo',
    'Recalculated now: matches the charge.',
  ])
    await ledger.getByText(words).waitFor()

  await pressOn(ledger.locator('summary', { hasText: 'API' }))
  for (const name of ['Input 500 ₦1,000.00 50', 'Cached input 4,000 ₦100.00 40', 'Total ₦1.00'])
    await ledger.getByRole('row', { name }).waitFor()
  await ledger.getByText('50 + 40 + 10 = 100 kobo').waitFor()

  // With a filter, the list and the file have the same entries.
  await ledger.getByLabel('Type').selectOption('Chat')
  await expect.poll(() => page.locator('details.entry').count(), PATIENT).toBe(1)
  await ledger.getByLabel('From').fill('2001-01-01')
  await ledger.getByLabel('To').fill('2001-01-31')
  await ledger.getByText('No matches.').waitFor()
  await ledger.getByLabel('Type').selectOption('All')
  await ledger.getByLabel('From').fill('')
  await ledger.getByLabel('To').fill('')
  await expect.poll(() => page.locator('details.entry').count(), PATIENT).toBe(20)
  // All entries of a day are below that day.
  await expect.poll(() => ledger.getByRole('heading', { level: 3 }).count()).toBe(1)

  expect(
    await ledger
      .getByRole('listitem')
      .filter({ has: page.locator('details') })
      .count(),
  ).toBe(20)
  await ledger.getByRole('button', { name: 'Older entries' }).click()
  await expect.poll(() => page.locator('details.entry').count(), PATIENT).toBe(26)
  expect(await ledger.getByRole('button', { name: 'Older entries' }).count()).toBe(0)

  const downloading = page.waitForEvent('download')
  await ledger.getByRole('button', { name: 'Download as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('cowrie-ledger.csv')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  const csv = Buffer.concat(chunks).toString()
  expect(csv.trim().split('\r\n')).toHaveLength(27)
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
})

soakTest('home shows the days left, and usage shows spending as a chart, a table and a file', async () => {
  const person = await app.server.person({ email: 'spender@example.com' })
  await giveCredit(app.server, person.orgId, 1_000n)
  await spend(person)
  // Usage of the current moment belongs to the next period.
  app.server.clock.advance({ minutes: 1 })
  const { page, faults } = await app.open(PHONE)
  // The browser requests the days before its current day.
  await page.clock.setFixedTime(app.server.clock.now())
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await enterAt(page, '/app', person.email)
  // 8.91 left at 1.09 in seven days, for 15 November.
  await page.getByTestId('days-left').getByText('57 days left until 11 Jan 2027').waitFor()
  await page.getByRole('list', { name: 'Your first steps' }).getByText('Top up your wallet (done)').waitFor()
  await page
    .getByRole('img', { name: 'Spent this month: ₦1.09 in total, highest 15 Nov with ₦1.09' })
    .waitFor()
  await isFine(page)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  // Few requests, all counted.
  asked.length = 0
  await page.reload()
  await page.getByTestId('days-left').waitFor()
  expect(asked.length).toBeLessThanOrEqual(20)

  await page.getByRole('link', { name: 'Show usage' }).click()
  await expect.poll(() => page.getByTestId('usage-sum').textContent(), PATIENT).toBe('₦1.09')
  await page.getByText('As a table').click()
  await page.getByRole('button', { name: '14 Nov' }).click()
  await page.getByText('Showing 14 Nov only.').waitFor()
  const lines = part(page, 'Details')
  expect(await lines.getByRole('listitem').count()).toBe(0)
  await page.getByRole('button', { name: 'Show all' }).click()
  await lines.getByText('1,204').waitFor()
  await isFine(page)
  const downloading = page.waitForEvent('download')
  await lines.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe('cowrie-usage.csv')
  await page.getByLabel('Group by', { exact: true }).selectOption('Model')
  await page.getByRole('img', { name: 'highest m-1' }).waitFor()
  await page.getByLabel('Group by', { exact: true }).selectOption('Member')
  await page.getByRole('row', { name: `${person.email} ₦1.09 None` }).waitFor()
  expect(faults).toEqual([])
})

soakTest('an owner sets the alert threshold; a member cannot', async () => {
  const person = await app.server.person({ email: 'threshold@example.com' })
  const { page, faults } = await app.open()
  await enterAt(page, '/app/wallet/alerts', person.email)
  const field = page.getByLabel('Alert below')
  await field.fill('x')
  await pressOn(field)
  await page.getByText('This must be a number such as 1500.00.').waitFor()
  await expect.poll(() => field.inputValue()).toBe('x')
  await field.fill('750,5')
  await pressOn(field)
  await page.getByText('Saved. You get an email below ₦750.50.').waitFor()
  await page.reload()
  await page.getByText('You get an email below ₦750.50.').waitFor()
  await expect.poll(() => field.inputValue()).toBe('750.50')

  await app.server.sql.rows`update memberships set role = 'member' where user_id = ${person.userId}`
  await page.reload()
  await page.getByText('Only an owner can change this.').waitFor()
  expect(await field.count()).toBe(0)
  expect(faults).toEqual([])
})

soakTest('an owner turns automatic top-up on, sees why it paused, and turns it off', async () => {
  const { server } = app
  const person = await server.person({ email: 'automatic@example.com' })
  const { body } = await server.call<{ reference: string }>('POST', '/payment-methods', {
    as: person,
    body: {},
  })
  const raw = 'decision=approved_then_declines'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await server.call('POST', `/pay/mock/${body.reference}`, { as: person, headers, raw })
  await server.call('POST', '/wallet/verify', { as: person, body })
  const { page, faults } = await app.open()
  await enterAt(page, '/app/wallet/alerts', person.email)
  await page.getByRole('button', { name: 'Set up automatic top-up' }).click()
  const most = page.getByLabel('At most per month')
  await most.fill('8000')
  await page.getByText('we charge Visa •••• 5408 ₦2,000. At most ₦8,000 per month.').waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('On', { exact: true }).waitFor()
  await findAutomaticTopups(server.app)
  await server.app.jobs.drain()
  await page.goto('/app')
  await page.getByRole('link', { name: 'See why' }).click()
  await page.getByText('The bank declined the card.').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up automatic top-up' }).waitFor()
  expect(faults).toEqual([])
})

/** One chat turn, metered and charged. */
async function spend({ orgId, userId }: Person): Promise<void> {
  const turn = await reserveTurn(app.server.app, {
    orgId,
    userId,
    ref: 'turn 1',
    source: 'chat',
    lane: 'open',
    model: 'm-1',
    currency: 'NGN',
    promptTokens: 1000,
    outputCeiling: 4000,
    leastOutput: 4000,
    spentMicroKobo: 0n,
    deadline: new Date(app.server.clock.now().getTime() + 60_000),
  })
  await settleTurn(app.server.app, turn, { promptTokens: 1000, outputTokens: 204 })
}

/** One call of the gateway, charged by token class: ₦1.00. */
async function spendByClass({ orgId, userId }: Person): Promise<void> {
  const turn = await reserveTurn(app.server.app, {
    orgId,
    userId,
    ref: 'turn 2',
    source: 'gateway',
    lane: 'frontier',
    model: 'm-2',
    classPrices: { input: 100_000n, output: 200_000n, cachedInput: 10_000n, cacheWrite: 125_000n },
    currency: 'NGN',
    promptTokens: 5000,
    outputCeiling: 1000,
    leastOutput: 1000,
    spentMicroKobo: 0n,
    deadline: new Date(app.server.clock.now().getTime() + 60_000),
  })
  await settleTurn(app.server.app, turn, { promptTokens: 4500, cachedTokens: 4000, outputTokens: 50 })
}

const available = (page: Page): Promise<string | null> => page.getByTestId('balance').textContent()
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
