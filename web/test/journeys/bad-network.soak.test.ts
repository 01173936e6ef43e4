// The worst case: smallest phone, slowest network, data saver, double text size, dark and right-to-left. A wallet is still
// filled by a bank code, and a task is paid from it.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { slowDown } from '../browser.ts'
import { isFine, minorOf, SMALL_PHONE } from './journey.ts'

const KILOBYTE = 1_000
const SECOND_GENERATION = { kbps: 280, latencyMs: 800 }
const USABLE_MS = 7_000
/** Timeouts for such a network. */
const SLOW = {
  get timeout(): number {
    return scaledTimeout(30_000)
  },
}

const app = startApp()

test('on the worst phone and network a wallet is filled and a task is paid, with less than 250 kB', async () => {
  const { page, faults } = await app.open({ ...SMALL_PHONE, colorScheme: 'dark', locale: 'ar' })
  page.setDefaultTimeout(SLOW.timeout)
  await page.context().request.post('/auth/dev-login', { data: { email: 'bad-day@bad-day.example.com' } })
  await page.addInitScript(`
    localStorage.setItem('cowrie.data-saver', 'on')
    localStorage.setItem('cowrie.language', 'ar')
    document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })`)
  const spentBytes = await countBytes(page)
  await slowDown(page, SECOND_GENERATION)

  // A cold start until the balance is visible.
  const began = Date.now()
  await page.goto('/app/wallet/top-up', { waitUntil: 'commit' })
  await page.getByTestId('balance').getByText('0.00').waitFor()
  const usableMs = Date.now() - began
  expect(await page.evaluate<string>('document.documentElement.dir')).toBe('rtl')

  // An amount in Arabic text is not reversed.
  await page.getByText('\u2068₦50.00\u2069').waitFor()
  await page.getByRole('button', { name: '2,000' }).click()
  await page.getByRole('button', { name: said('Pay') }).click()
  const code = page.getByTestId('ussd-code')
  await code.waitFor()
  await expect.poll(() => code.textContent()).toMatch(/^\*\d+(\*\d+)*#$/)
  expect(await page.evaluate<number>(LINES)).toBe(1)
  await isFine(page)
  await page.getByRole('button', { name: said('I have paid, check again') }).click()
  await page.getByTestId('topup-status').getByText(said('Paid'), { exact: true }).waitFor()
  await expect.poll(() => minorOf(page, 'meter'), SLOW).toBe(200_000n)

  await page
    .locator('.bottom')
    .getByRole('link', { name: said('Tasks') })
    .click()
  await page
    .getByRole('link', { name: said('New task') })
    .first()
    .click()
  await page.getByLabel(said('What should change?')).fill('Add a function that sums two numbers')
  await page
    .getByLabel(said('Choose files'), { exact: true })
    .setInputFiles([{ name: 'sum.js', mimeType: 'text/plain', buffer: Buffer.from('export const x = 1\n') }])
  const start = page.locator('.new-task button[type=submit][aria-disabled="false"]')
  await start.waitFor()
  await isFine(page)
  await start.click()
  await page.waitForURL('**/app/tasks/tsk_*')
  await app.server.app.jobs.drain()
  await page.getByTestId('turn-cost').waitFor({ timeout: 2 * SLOW.timeout })
  const cost = await minorOf(page, 'turn-cost')
  expect(cost).toBeGreaterThan(0n)
  await expect.poll(() => minorOf(page, 'meter'), SLOW).toBe(200_000n - cost)
  await isFine(page)

  expect(spentBytes()).toBeLessThanOrEqual(250 * KILOBYTE)
  expect(usableMs).toBeLessThanOrEqual(2 * USABLE_MS)
  expect(faults).toEqual([])
}, 240_000)

/** Transferred bytes, including headers. */
async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let sum = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sum += encodedDataLength
  })
  return () => sum
}

const WORDS = fileURLToPath(new URL('../../words/ar/', import.meta.url))
const ARABIC = Object.assign(
  {},
  ...readdirSync(WORDS).map((name) => JSON.parse(readFileSync(`${WORDS}${name}`, 'utf8'))),
) as Record<string, unknown>

/** The Arabic text for an English one, or the English text itself. */
function said(english: string): string {
  const words = ARABIC[english]
  return typeof words === 'string' ? words : english
}

const LINES = `document.querySelector('[data-testid="ussd-code"]').getClientRects().length`
