// A search of the code index whose query a model rewrites: its highest cost is shown first, and a failed one is free.
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { isFine, minorOf, SMALL_PHONE } from './journey.ts'

let upstream: FakeUpstream
const app = startApp(async () => {
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  })
})
beforeEach(() => upstream.reset())
afterAll(() => upstream.close())

const WORDS = JSON.stringify({ words: ['transferFunds', 'bookEntry'] })

test('its highest cost is shown before it is charged, and a failed one is free', async () => {
  const { page, faults } = await app.open(SMALL_PHONE)
  const { orgId } = await signInAs(page, 'ada@rewrite.example.com')
  await giveCredit(app.server, orgId, 1_000_000n)
  await page.goto('/app/index')
  await page.getByLabel('Add files').setInputFiles([
    {
      name: 'pay.ts',
      mimeType: 'text/plain',
      buffer: Buffer.from('export const transferFunds = () => bookEntry()\n'),
    },
  ])
  await page.getByRole('button', { name: /^Index for at most ₦/ }).click()
  await page.getByTestId('index-added').waitFor()
  const before = await minorOf(page, 'meter')

  await page.getByLabel('Search for').fill('transferFunds to others')
  await page.getByLabel(/^Let a model add names and words/).check()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByTestId('search-price').waitFor()
  const most = await minorOf(page, 'search-price')
  expect(most).toBeGreaterThan(0n)
  await isFine(page)
  expect(await minorOf(page, 'meter')).toBe(before)
  expect(upstream.requests).toHaveLength(0)
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByTestId('search-price').waitFor({ state: 'detached' })

  const searchAndPay = async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: /^Search for at most ₦/ }).click()
    await page.getByTestId('search-rewrite').waitFor()
  }
  upstream.on('/chat/completions', () => ({ text: WORDS }))
  await searchAndPay()
  await page.getByText('Also searched: transferFunds, bookEntry.').waitFor()
  const cost = await minorOf(page, 'search-cost')
  expect(cost).toBeGreaterThan(0n)
  expect(cost).toBeLessThanOrEqual(most)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - cost)
  expect(upstream.requests).toHaveLength(1)
  await isFine(page)

  upstream.on('/chat/completions', () => ({ text: 'I do not know.' }))
  await page.getByLabel('Search for').fill('transferFunds again')
  await searchAndPay()
  await page.getByText('This search was free.').waitFor()
  await expect.poll(() => page.locator('.hit').count(), PATIENT).toBe(1)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - cost)
  expect(faults).toEqual([])
})
