// The pages of the wallet by keyboard, on a phone and on a desktop: balance and activity, one entry, alerts, and old links.

import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { giveCredit, holdSome } from '@cowrie/testkit/wallet/money.ts'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, tabTo } from '../browser.ts'
import { enterAt } from '../people.ts'
import { DESKTOP, isFine, PHONE } from './journey.ts'

const app = startApp()

const SCREENS = [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const

test.for(SCREENS.slice(0, rounds(1, 2)))(
  'the wallet has a page for each job, by keyboard on %s',
  async ([name, options]) => {
    const person = await app.server.person({ email: `${name.replace(' ', '-')}@wallet-pages.example.com` })
    await giveCredit(app.server, person.orgId, 250_000n)
    await holdSome(app.server, person, 700n)
    const { page, faults } = await app.open(options)
    await enterAt(page, '/app/wallet', person.email)
    await expect.poll(() => page.getByTestId('balance').textContent(), PATIENT).toBe('₦2,493.00')
    await page.getByText('On hold for 1 request').waitFor()
    expect(await page.locator('main a.primary, main button.primary').count()).toBe(1)
    await isFine(page)

    await tabTo(page, 'document.activeElement.matches(".entry > summary")')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open as a page' }).waitFor()
    await tabTo(page, 'document.activeElement.textContent === "Open as a page"')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/wallet/activity/*')
    await expect.poll(() => page.getByTestId('entry-amount').textContent(), PATIENT).toBe('+₦2,500.00')
    await isFine(page)
    const entry = new URL(page.url()).pathname.split('/').at(-1)

    await tabTo(page, 'document.activeElement.textContent === "All activity"')
    await page.keyboard.press('Enter')
    await page.getByLabel('Type').waitFor()
    await isFine(page)
    await page.goto('/app/wallet/alerts')
    await page.getByText('You get an email below').waitFor()
    await page.getByRole('link', { name: 'Add a card first' }).waitFor()
    await isFine(page)

    // Old links lead to the new pages, and Back does not return to them.
    await page.goto(`/app/wallet?entry=${entry}`)
    await page.waitForURL(`**/app/wallet/activity/${entry}`)
    await page.goto('/app/wallet?amount=75#top-up')
    await expect.poll(() => page.getByLabel('Amount').inputValue(), PATIENT).toBe('75.00')
    await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('amount')
    expect(new URL(page.url()).pathname).toBe('/app/wallet/top-up')
    await isFine(page)
    expect(faults).toEqual([])
  },
)
