// The documentation without a network: what was visited stays readable, and the search works.
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { axeFaults } from '../axe.ts'
import { overflowOf } from '../browser.ts'
import { PHONE } from './journey.ts'

const app = startApp()

test('an old address leads to its page, which stays readable and searchable without a network', async () => {
  const { page } = await app.open({ ...PHONE, locale: 'en-NG', serviceWorkers: 'allow' })
  await page.goto('/docs#wallet.get')
  await page.waitForURL('**/docs/api/wallet#wallet.get')
  expect(await overflowOf(page)).toBe(0)
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.reload()
  await page.getByRole('searchbox').fill('webhooks signature')
  await page.locator('.found').getByText('Verify the signature').waitFor()

  await page.context().setOffline(true)
  await page.goto('/docs/api/wallet')
  await page.getByRole('heading', { name: 'Wallet and ledger' }).waitFor()
  await page.getByRole('searchbox').fill('key with a budget')
  await page.locator('.found').getByText('A key with a budget').waitFor()
})

const PAGES = ['/docs', '/docs/guides/teams', '/docs/api/wallet', '/docs/api/errors', '/privacy', '/security']

soakTest.for([
  { colorScheme: 'light', locale: 'en-NG', width: 1280 },
  { colorScheme: 'dark', locale: 'ar-EG', width: 1280 },
  { colorScheme: 'dark', locale: 'fr-SN', width: 320 },
] as const)(
  'axe finds nothing, and nothing overflows: $locale, $colorScheme, $width px',
  async ({ colorScheme, locale, width }) => {
    const { page } = await app.open({
      colorScheme,
      locale,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    })
    for (const path of PAGES) {
      await page.goto(path)
      expect([path, await axeFaults(page), await overflowOf(page)]).toEqual([path, [], 0])
    }
  },
)
