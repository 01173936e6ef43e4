// The wallet in a real browser: top-ups by every kind of channel.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startApp } from './app.ts'
import { overflowOf, PATIENT, shiftOf, tabTo } from './browser.ts'
import { enterForDevelopment, enterWallet } from './people.ts'

/** The polling interval of a page that waits for a payment. */
const PAUSE_MS = 5_000
const PHONE = { viewport: { width: 360, height: 740 } }

const app = startApp()

describe('a top-up by card', () => {
  test('goes through the mock payment page and returns to a settled balance', async () => {
    const { page, faults } = await enter('ada@wallet.example.com')
    await by(page, 'Card')
    expect(await available(page)).toBe('₦0.00')
    await page.getByLabel('Amount').fill('2000')
    await page.getByRole('button', { name: 'Pay ₦2,000.00' }).click()
    await status(page, 'Waiting for ₦2,000.00')
    await page.getByText('Test mode.').waitFor()

    // The instructions are still there after a reload, for the same payment.
    const address = page.url()
    await page.reload()
    await page.getByRole('link', { name: 'Open test bank' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await status(page, '₦2,000.00 is in your wallet')
    expect(page.url()).toBe(address)
    await expect.poll(() => available(page), PATIENT).toBe('₦2,000.00')
    await part(page, 'Top-ups').getByText('Paid').waitFor()
    await expect.poll(() => part(page, 'Top-ups').getByRole('listitem').count()).toBe(1)

    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByTestId('proof').getByText('Checked: the balance matches 1 entry').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await expect.poll(() => available(page), PATIENT).toBe('₦2,000.00')
    expect(faults.filter(isNotIcon)).toEqual([])
  })

  soakTest('that is declined shows an error, adds nothing, and leads back to the form', async () => {
    const { page, faults } = await enter('declined@wallet.example.com')
    await by(page, 'Card')
    await page.getByLabel('Amount').fill('75.50')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open test bank' }).click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await status(page, '₦75.50 was not paid')
    await page.getByText('It was declined on the mock page. Nothing was added to your wallet.').waitFor()
    expect(await available(page)).toBe('₦0.00')
    await page.getByRole('link', { name: 'Back to the wallet' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Top up' }).click()
    await part(page, 'Top-ups').getByText('Failed').waitFor()
    expect(faults).toEqual([])
  })

  soakTest('polls without deciding anything, and notices a payment made elsewhere', async () => {
    const { page, faults } = await enter('waiting@wallet.example.com')
    await page.clock.install()
    await page.getByLabel('Amount').fill('500')
    await page.keyboard.press('Enter')
    await status(page, 'Waiting for ₦500.00')
    const reference = new URL(page.url()).searchParams.get('reference') ?? ''
    const asked = page.waitForResponse((response) => response.url().includes('/wallet/topups?limit=5'))
    await page.clock.fastForward(PAUSE_MS)
    await asked
    await status(page, 'Waiting for ₦500.00')
    await page.request.post(`/pay/mock/${reference}`, { form: { decision: 'approved' }, maxRedirects: 0 })
    await page.clock.fastForward(PAUSE_MS)
    await status(page, '₦500.00 is in your wallet')
    await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toContain('is in your wallet')
    await expect.poll(() => available(page), PATIENT).toBe('₦500.00')
    expect(faults).toEqual([])
  })

  soakTest('is paid once if the answer is lost and the button is pressed again', async () => {
    const { page } = await enter('lost-answer@wallet.example.com')
    await by(page, 'Card')
    const keys: string[] = []
    await page.route('**/wallet/topup', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      // The SDK retries silently first.
      if (keys.length > 2) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByLabel('Amount').fill('300')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The service does not respond.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await status(page, 'Waiting for ₦300.00')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(1)
    await page.getByRole('link', { name: 'Change method' }).click()
    await part(page, 'Top-ups').getByText('Waiting').waitFor()
    await expect.poll(() => part(page, 'Top-ups').getByRole('listitem').count()).toBe(1)
  })
})

soakTest('a bank code can be dialled and copied, and "I have paid" settles it', async () => {
  const { page, faults } = await enter('ussd@wallet.example.com', 'NGN', {
    ...PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await by(page, 'Bank USSD')
  await page.getByLabel('Amount').fill('1 500,25')
  await page.getByRole('button', { name: /^Pay/ }).click()
  const code = page.getByTestId('ussd-code')
  const shown = (await code.textContent()) ?? ''
  expect(shown).toMatch(/^\*737\*000\*\d+#$/)
  await page.getByText(`Dial ${shown} to pay ₦1,500.25.`).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Dial' }).getAttribute('href'))
    .toBe(`tel:${shown.replace('#', '%23')}`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()'), PATIENT).toBe(shown)
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'I have paid, check again' }).click()
  await status(page, '₦1,500.25 is in your wallet')
  await expect.poll(() => available(page), PATIENT).toBe('₦1,500.25')
  await part(page, 'Top-ups').getByText('Paid').waitFor()
  expect(faults).toEqual([])
})

soakTest('mobile money asks for the phone, and shows errors at the field', async () => {
  const { page } = await enter('wanjiku@wallet.example.com', 'KES')
  await by(page, 'M-Pesa')
  await page.getByLabel('Amount').fill('250.50')
  await page.getByLabel('Phone to pay with').fill('12')
  await page.keyboard.press('Enter')
  await page.getByText('This must be a multiple of KSh\u00a01.00 with M-Pesa.').waitFor()
  await page.getByLabel('Amount').fill('250')
  await page.keyboard.press('Enter')
  await page.getByText('This must be a phone number such as +254').waitFor()
  await expect.poll(() => focused(page), PATIENT).toBe('phone')
  await page.getByLabel('Phone to pay with').fill('0712 345 678')
  await page.keyboard.press('Enter')
  await page.getByText('on the phone that ends in 678').waitFor()
})

test('a one-time code is requested, a wrong one shows an error at its field, and live payments are polled', async () => {
  const { page } = await enter('kwame@wallet.example.com')
  await page.clock.install()
  const standing = {
    reference: 'tp0123456789',
    status: 'pending',
    channel: 'card',
    mode: 'live',
    amountMinor: 100_000,
    reason: null,
  }
  const begun = { ...standing, expiresAt: '2030-01-01T00:00:00.000Z' }
  const codes: unknown[] = []
  await page.route('**/wallet/topup', (route) => route.fulfill({ json: { ...begun, otpRequired: true } }))
  await page.route('**/wallet/topups/*/otp', (route) => {
    codes.push(route.request().postDataJSON())
    return codes.length === 1
      ? route.fulfill({ status: 400, json: { error: 'Ask for another.', code: 'payment_code_refused' } })
      : route.fulfill({ json: { ...begun, displayText: 'Enter your PIN on the phone.' } })
  })
  let paid = false
  await page.route('**/wallet/verify', (route) =>
    route.fulfill({ json: { ...standing, status: paid ? 'settled' : 'pending' } }),
  )
  await page.getByLabel('Amount').fill('1000')
  await page.keyboard.press('Enter')
  await page.getByLabel('Code from your network').fill('123')
  await page.keyboard.press('Enter')
  await page.getByText('Ask for another.').waitFor()
  await expect.poll(() => focused(page), PATIENT).toBe('otp')
  await page.getByLabel('Code from your network').fill('456 789')
  await page.keyboard.press('Enter')
  await page.getByText('Enter your PIN on the phone.').waitFor()
  expect(codes).toEqual([{ otp: '123' }, { otp: '456789' }])
  expect(await page.getByText('Test mode').count()).toBe(0)
  paid = true
  await page.clock.fastForward(PAUSE_MS)
  await status(page, '₦1,000.00 is in your wallet')
})

soakTest('an invalid amount is not sent and can be corrected', async () => {
  const { page } = await enter('bad-amounts@wallet.example.com')
  await by(page, 'Card')
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const field = page.getByLabel('Amount')
  for (const [typed, words] of [
    ['ten', 'This must be a number such as 1500.00.'],
    ['1,234', 'This is ambiguous; write 1234 or 1234.00.'],
    ['49.99', 'This must be at least ₦50.00 with Card.'],
    ['10000000.01', 'This must be at most ₦10,000,000.00 with Card.'],
    ['1500.505', 'This must have at most 2 digits after the decimal mark.'],
  ] as const) {
    await field.fill(typed)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByText(words).waitFor()
    await expect.poll(() => focused(page), PATIENT).toBe('amount')
    await expect.poll(() => field.inputValue()).toBe(typed)
  }
  expect(sent).not.toContain('POST /wallet/topup')
})

describe('a URL with a reference', () => {
  soakTest('that is unknown leads to the other organisations and back', async () => {
    const { page } = await app.open()
    await page.goto('/app/wallet?reference=tp00000000000000')
    // After a required sign-in, the same page is shown.
    await enterForDevelopment(page, 'stranger@wallet.example.com')
    await page.getByRole('heading', { name: 'Payment not found' }).waitFor()
    expect(new URL(page.url()).search).toBe('?reference=tp00000000000000')
    await page.getByRole('link', { name: 'Back to the wallet' }).click()
    await page.getByTestId('proof').waitFor()
  })

  test('that is expired or under review shows what to do', async () => {
    const person = await owner('over@wallet.example.com')
    const { body } = await app.server.call<{ reference: string }>('POST', '/wallet/topup', {
      as: person,
      body: { amountMinor: 9_000n },
    })
    const stands = (state: string, reason: string | null) => app.server.sql.rows`
      update payments set status = ${state}, reason = ${reason} where reference = ${body.reference}`
    const { page } = await enter(person.email)
    const again = page.getByRole('button', { name: 'I have paid, check again' })
    await stands('expired', null)
    await page.goto(`/app/wallet?reference=${body.reference}`)
    await status(page, '₦90.00 was not paid in time')
    await page.getByText('late payments still count').waitFor()
    await expect.poll(() => again.count()).toBe(1)
    await stands('review', 'Less arrived.')
    await page.reload()
    await status(page, 'We are checking your payment of ₦90.00')
    await page.getByText('Less arrived. Our team is checking it. Do not pay again').waitFor()
    expect(await again.count()).toBe(0)
  })
})

soakTest('by keyboard, on a narrow phone, a payment is made from start to end', async () => {
  const { page, faults } = await enter('keyboard@wallet.example.com', 'NGN', PHONE)
  expect(await overflowOf(page)).toBe(0)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  await tabTo(page, 'document.activeElement.id === "amount"')
  await page.keyboard.type('4200')
  await tabTo(page, 'document.activeElement.textContent === "Pay ₦4,200.00"')
  await page.keyboard.press('Enter')
  await status(page, 'Waiting for ₦4,200.00')
  await expect.poll(() => focused(page), PATIENT).toBe('payment-title')
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate<string[]>(TOO_SMALL)).toEqual([])
  await tabTo(page, 'document.activeElement.textContent === "Open test bank"')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await tabTo(page, 'document.activeElement.textContent === "Approve"')
  await page.keyboard.press('Enter')
  await status(page, '₦4,200.00 is in your wallet')
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  await expect.poll(() => available(page), PATIENT).toBe('₦4,200.00')
  expect(await overflowOf(page)).toBe(0)
  await tabTo(page, 'document.activeElement.textContent === "Done"')
  await page.keyboard.press('Enter')
  await page.getByTestId('proof').waitFor()
  await tabTo(page, 'document.activeElement.matches(".entry > summary")')
  await page.keyboard.press('Enter')
  await page.getByText('Payment of ₦4,200.00, reference').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await page.evaluate('document.documentElement.dir = "rtl"')
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
})

type Currency = 'NGN' | 'KES'

async function owner(email: string, currency: Currency = 'NGN'): Promise<Person> {
  const person = await app.server.person({ email })
  await app.server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  return person
}

/** Opens the wallet of this user and creates the account if needed. */
async function enter(
  email: string,
  currency: Currency = 'NGN',
  options: Parameters<typeof app.open>[0] = {},
) {
  if (currency !== 'NGN') await owner(email, currency)
  return enterWallet(app, email, options)
}

const status = (page: Page, words: string): Promise<void> =>
  page.getByTestId('topup-status').getByText(words, { exact: true }).waitFor()
const by = (page: Page, channel: string): Promise<void> =>
  page.getByRole('radio', { name: channel, exact: true }).check()
const available = (page: Page): Promise<string | null> => page.getByTestId('balance').textContent()
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.id')

/** The mock payment page has no icon, so the browser requests a missing one. */
const isNotIcon = (fault: string): boolean => !fault.includes('status of 404')

const TOO_SMALL = `[...document.querySelectorAll('button, input, select, nav a, a.button, summary')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
  .map((element) => element.outerHTML)`
