// The first top-up of a new user: from the front page to a paid wallet by a bank code, and by M-Pesa with all failures.

import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { forgetShift, PATIENT, shiftOf } from '../browser.ts'
import { enterAt, PASSWORD } from '../people.ts'
import { mailedLink } from '../service.ts'
import { isFine, isNotOffline, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

const app = startApp()
const CODE = /^\*\d+(\*\d+)*#$/
/** The polling interval of a waiting page. */
const PAUSE_MS = 5_000

test('a new user registers, tops up by a bank code on the smallest phone, and gets a receipt', async () => {
  const mail = 'newcomer@top-up.example.com'
  const { page, faults } = await app.open({
    ...SMALL_PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // 1, 2: the account, and waiting for the email, also after a reload.
  await page.goto('/app')
  await page.getByRole('link', { name: 'Create' }).first().click()
  await page.getByLabel('Email').fill(mail)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Country').selectOption({ label: 'Nigeria' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.getByText(mail).waitFor()
  await page.reload()
  await page.getByText(mail).waitFor()

  // 3: the link, and a home screen with first steps.
  await page.goto(await mailedLink(app.server, mail))
  await page.getByTestId('meter').waitFor()
  await forgetShift(page)
  const steps = page.getByRole('list', { name: 'Your first steps' })
  await steps.getByText('Email confirmed (done)').waitFor()
  await expect.poll(() => minorOf(page, 'balance')).toBe(0n)
  await isFine(page)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)

  // 4: an amount with one click; the channel that works on any phone is preselected.
  await page.getByRole('link', { name: 'Top up', exact: true }).first().click()
  await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('amount')
  await page.getByRole('button', { name: '₦2,000' }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Bank USSD' }).isChecked()).toBe(true)
  await isFine(page)
  await page.getByRole('button', { name: /^Pay/ }).click()

  // 5: the code is on one line, can be dialled and copied, and stays the same after a reload.
  const code = page.getByTestId('ussd-code')
  await code.waitFor()
  const shown = (await code.textContent()) ?? ''
  expect(shown).toMatch(CODE)
  expect(await page.evaluate<number>(LINES)).toBe(1)
  const dial = await page.getByRole('link', { name: 'Dial' }).getAttribute('href')
  expect(dial).toBe(`tel:${shown.replace('#', '%23')}`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()'), PATIENT).toBe(shown)
  const timeLeft = page.getByTestId('time-left')
  const before = await timeLeft.textContent()
  await expect.poll(() => timeLeft.textContent(), PATIENT).not.toBe(before)
  await isFine(page)
  await page.reload()
  await expect.poll(() => code.textContent(), PATIENT).toBe(shown)
  const listed = page.getByRole('region', { name: 'Top-ups' }).getByRole('listitem')
  await expect.poll(() => listed.count(), PATIENT).toBe(1)

  // An open top-up is shown on the home screen and continues with the same code.
  await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Home' }).click()
  await page.getByText('Your top-up of ₦2,000.00 is not finished').waitFor()
  await page.getByRole('link', { name: 'Finish' }).click()
  await expect.poll(() => code.textContent(), PATIENT).toBe(shown)

  // 6: the bank approves.
  await page.getByRole('link', { name: 'Open test bank' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByTestId('topup-status').getByText('Paid', { exact: true }).waitFor()
  await expect.poll(() => page.getByTestId('balance').textContent(), PATIENT).toBe('₦2,000.00')
  const receipt = page.getByRole('link', { name: 'Receipt' })
  const answer = await page.request.get((await receipt.getAttribute('href')) ?? '')
  expect(answer.status()).toBe(200)
  expect(await answer.text()).toContain('2,000.00')
  await isFine(page)
  expect(faults.filter(isNotIcon)).toEqual([])
})

soakTest('M-Pesa prompts the entered phone, and failures are explained', async () => {
  const person = await app.server.person({ email: 'wanjiku@top-up.example.com' })
  await app.server.sql.rows`update orgs set currency = 'KES' where id = ${person.orgId}`
  const { page, faults } = await app.open({ ...PHONE, locale: 'en-KE' })
  await page.clock.install()
  // A link with the missing amount; the minimum of M-Pesa is offered.
  await enterAt(page, '/app/wallet?amount=499.20', person.email)
  await expect.poll(() => page.getByLabel('Amount').inputValue(), PATIENT).toBe('500.00')
  await expect.poll(() => page.getByRole('radio', { name: 'M-Pesa' }).isChecked()).toBe(true)

  // 1, 2: which phone gets the prompt, and for how long.
  await page.getByLabel('Phone to pay with').fill('0712 345 678')
  await page.getByText('+254 712 345 678').waitFor()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('We sent a prompt to +254 712 345 678. Enter your M-Pesa PIN.').waitFor()
  await page.getByRole('timer', { name: 'Time to answer' }).waitFor()
  await page.getByText('No prompt?').click()
  await page.getByText('Old SIM cards show no prompts: dial *234#').waitFor()
  await isFine(page)

  // 3: paid, which the page notices by itself.
  const first = referenceIn(page)
  await decide(page, first, 'approved')
  await page.clock.fastForward(PAUSE_MS)
  await stands(page, 'Paid')
  await expect.poll(() => page.getByTestId('balance').textContent(), PATIENT).toContain('500.00')

  // 4: cancelled on the phone. Sending again is a new payment.
  const second = await again(page)
  await decide(page, second, 'declined')
  await page.clock.fastForward(PAUSE_MS)
  await stands(page, 'Failed')
  await page.getByText('It was declined on the mock page').waitFor()
  await isFine(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await stands(page, 'Waiting')
  const third = referenceIn(page)
  expect(third).not.toBe(second)
  // The phone just got a prompt, so it does not get another one immediately.
  await expect
    .poll(() => page.getByRole('button', { name: 'Send again' }).getAttribute('aria-disabled'))
    .toBe('true')

  // 6: without a network nothing is lost, and the page updates afterwards.
  await page.context().setOffline(true)
  await page.getByText('This page updates when you are back online.').waitFor()
  await app.server.sql.rows`update payments set status = 'expired' where reference = ${third}`
  await page.context().setOffline(false)

  // 5: not answered in time: possible reasons, and both options.
  await stands(page, 'Expired')
  await page.getByText('busy with another session, or have an old SIM').waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  await page.getByRole('link', { name: 'Change method' }).click()
  await expect.poll(() => page.getByLabel('Amount').inputValue(), PATIENT).toBe('500.00')
  expect(faults.filter((fault) => isNotIcon(fault) && isNotOffline(fault))).toEqual([])
})

/** Starts another payment of the same kind from the form. Returns its reference. */
async function again(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Top up' }).click()
  await page.getByRole('button', { name: '500' }).click()
  await page.getByLabel('Phone to pay with').fill('+254712345678')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await stands(page, 'Waiting')
  return referenceIn(page)
}

const stands = (page: Page, words: string): Promise<void> =>
  page.getByTestId('topup-status').getByText(words, { exact: true }).waitFor()
const referenceIn = (page: Page): string => new URL(page.url()).searchParams.get('reference') ?? ''

const decide = (page: Page, reference: string, decision: 'approved' | 'declined') =>
  page.request.post(`/pay/mock/${reference}`, { form: { decision }, maxRedirects: 0 })

/** The mock payment page has no icon, so the browser requests a missing one. */
const isNotIcon = (fault: string): boolean => !fault.includes('status of 404')

const LINES = `document.querySelector('[data-testid="ussd-code"]').getClientRects().length`
