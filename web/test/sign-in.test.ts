// Sign-in by password and by mailed links, in a real browser against the whole service.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT, pressOn, shiftOf, tabTo } from './browser.ts'
import { enterForDevelopment, openAccount, PASSWORD, enterPassword as signIn } from './people.ts'
import { mailedLink } from './service.ts'

const SHIFT_MAX = 0.02

const app = startApp()

describe('a new user', () => {
  soakTest(
    'registers by keyboard, confirms by email, signs in and sees home in the local currency',
    async () => {
      const { page, faults } = await app.open({ locale: 'en-KE' })
      await page.goto('/app')
      await pressOn(page.getByRole('link', { name: 'Create an account' }))
      await page.getByRole('heading', { name: 'Create an account' }).waitFor()
      await tabTo(page, 'document.activeElement.id === "email"')
      await page.keyboard.type('wanjiru@sign-in.example.com')
      await tabTo(page, 'document.activeElement.id === "password"')
      await page.keyboard.type('short')
      await page.getByText('3 more to go.').waitFor()
      await page.keyboard.type(' but then long')
      await page.getByText('A good length.').waitFor()
      await expect.poll(() => page.getByLabel('Country').inputValue()).toBe('KE')
      await page.getByText('Kenyan Shilling (KES)').waitFor()
      await tabTo(page, 'document.activeElement.textContent === "Create account"')
      await page.keyboard.press('Enter')

      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT)
        .toBe('screen-title')
      await page.getByText('wanjiru@sign-in.example.com').waitFor()
      await page.reload()
      await page.getByText('wanjiru@sign-in.example.com').waitFor()
      await page
        .getByRole('button', { name: 'Send it again' })
        .getByText(/0:\d\d|1:00/)
        .waitFor()

      // The link confirms and signs in without another click.
      await page.goto(await mailedLink(app.server, 'wanjiru@sign-in.example.com'))
      await page.getByTestId('meter').getByText('KSh').waitFor()
      expect(new URL(page.url()).pathname).toBe('/app')
      await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('Signed in.')
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT)
        .toBe('screen-title')
      expect(faults).toEqual([])
    },
  )

  test('without a confirmed address is asked to check the email, and can resend it', async () => {
    const email = 'later@sign-in.example.com'
    await app.server.call('POST', '/auth/register', { body: { email, password: PASSWORD } })
    app.server.clock.advance({ seconds: 1 })
    const { page } = await app.open()
    await page.goto('/app/sign-in')
    await signIn(page, email, PASSWORD)
    await page.getByText('Your address is not confirmed yet.').waitFor()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText(/Send it again in \d:\d\d/).waitFor()
    await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('Sent again.')

    // A different browser confirms with a button, never by only opening the link.
    const elsewhere = await app.open()
    await elsewhere.page.goto(await mailedLink(app.server, email))
    await elsewhere.page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
    expect(elsewhere.page.url()).toBe(`${app.origin}/app/sign-in/link`)
    expect(await isVerified(email)).toBe(false)
    await pressOn(elsewhere.page.getByRole('button', { name: 'Confirm' }))
    await elsewhere.page.getByText('Your address is confirmed.').waitFor()
    expect(await isVerified(email)).toBe(true)
    expect(elsewhere.faults).toEqual([])
  })

  soakTest('sees that registration is closed, and can contact us', async () => {
    const { page } = await app.open()
    await page.route('**/auth/config', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), signupsEnabled: false },
      })
    })
    await page.goto('/app/sign-in')
    await page.getByText('Registration is closed.').waitFor()
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
    await page.goto('/app/register')
    await page.getByText('Registration is closed.').waitFor()
    expect(await page.getByLabel('Email').count()).toBe(0)

    await pressOn(page.getByRole('link', { name: 'Contact us' }))
    await page.getByLabel('Your name').fill('Amara')
    await page.getByLabel('Email').fill('amara@sign-in.example.com')
    await page.getByLabel('Topic').selectOption('teams')
    await page.getByLabel('Message').fill('We are six and want in.')
    await pressOn(page.getByRole('button', { name: 'Send' }))
    await page.getByRole('heading', { name: 'Message received' }).waitFor()
    await page.getByText('amara@sign-in.example.com').waitFor()
    const staff = await app.server.person({ staff: 'support' })
    const { body } = await app.server.call('GET', '/admin/leads', { as: staff })
    expect(body.leads).toMatchObject([
      {
        name: 'Amara',
        email: 'amara@sign-in.example.com',
        interest: 'teams',
        message: 'We are six and want in.',
      },
    ])
  })
})

describe('a password', () => {
  test('can be shown while typing; a wrong one shows an error and gets the focus', async () => {
    const email = await account('wrong@sign-in.example.com')
    const { page } = await app.open()
    await page.goto('/app/sign-in')
    await page.getByLabel('Password', { exact: true }).fill('visible')
    await pressOn(page.getByRole('button', { name: 'Show password' }))
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), PATIENT)
      .toBe('text')
    await pressOn(page.getByRole('button', { name: 'Hide password' }))
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), PATIENT)
      .toBe('password')
    expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)
    await signIn(page, email, 'not my password')
    await page.getByRole('alert').getByText('The email address or password is wrong').waitFor()
    await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('password')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
  })

  test('that was forgotten is reset by email, which ends other sessions', async () => {
    const email = await account('forgetful@sign-in.example.com')
    const before = await app.open()
    await before.page.goto('/app/sign-in')
    await signIn(before.page, email, PASSWORD)
    await before.page.getByTestId('meter').waitFor()

    const { page, faults } = await app.open()
    await page.goto('/app/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(await mailedLink(app.server, email))
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    expect(page.url()).toBe(`${app.origin}/app/reset`)
    await page.getByLabel('New password', { exact: true }).fill('four herons in May')
    await page.keyboard.press('Enter')
    await page.getByText('Your new password is set.').waitFor()
    await signIn(page, email, 'four herons in May')
    await page.getByTestId('meter').waitFor()
    expect(faults).toEqual([])

    await before.page.getByRole('link', { name: 'More' }).first().click()
    await before.page.getByRole('link', { name: 'Sessions' }).first().click()
    await before.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(before.page.url()).search).toBe('?next=/app/sessions')
  })

  soakTest('link that was already used shows an error and offers a new one', async () => {
    const { page } = await app.open()
    await page.goto('/app/reset#token=was-never-one')
    await page.getByLabel('New password', { exact: true }).fill('four herons in May')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await page.getByRole('link', { name: 'Send a new link' }).click()
    await page.getByLabel('Email').waitFor()
  })

  soakTest('link that is newer works in the tab where an old one failed', async () => {
    const email = await account('two-links@sign-in.example.com')
    const { page } = await app.open()
    await page.goto('/app/reset#token=was-never-one')
    await page.getByLabel('New password', { exact: true }).fill('four herons in May')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await app.server.call('POST', '/auth/password/forgot', { body: { email } })
    await page.goto(await mailedLink(app.server, email))
    await page.getByLabel('New password', { exact: true }).fill('four herons in May')
    await page.keyboard.press('Enter')
    await page.getByText('Your new password is set.').waitFor()
  })
})

describe('a sign-in link', () => {
  soakTest('opened in the same browser signs in immediately', async () => {
    const email = await account('same-browser@sign-in.example.com')
    const { page, faults } = await app.open()
    await page.goto('/app/sign-in')
    await page.getByLabel('Email').fill(email)
    await pressOn(page.getByRole('button', { name: 'Email me a link' }))
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    const opened = await page.context().newPage()
    await opened.goto(await mailedLink(app.server, email))
    await opened.getByTestId('meter').waitFor()
    expect(opened.url()).toBe(`${app.origin}/app`)
    // The waiting tab is signed in too.
    await page.getByTestId('meter').waitFor()
    expect(faults).toEqual([])
  })

  test('opened in another browser needs a click', async () => {
    const email = await account('other-browser@sign-in.example.com')
    await app.server.call('POST', '/auth/magic/request', { body: { email }, headers: { origin: app.origin } })
    const { page, faults } = await app.open()
    await page.goto(await mailedLink(app.server, email))
    await page.getByRole('heading', { name: 'Sign in with this link' }).waitFor()
    expect(page.url()).toBe(`${app.origin}/app/sign-in/link`)
    expect(await page.context().cookies()).toEqual([])
    await tabTo(page, 'document.activeElement.textContent === "Sign in"')
    await page.keyboard.press('Enter')
    await page.getByTestId('meter').waitFor()
    expect(page.url()).toBe(`${app.origin}/app`)
    expect(await stored(page)).not.toMatch(/[\w-]{43}/)
    expect(faults).toEqual([])
  })

  soakTest('that was used shows an error', async () => {
    const { page, faults } = await app.open()
    await page.goto('/auth/magic/consume?token=was-never-one')
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await page.getByText('This link is wrong, expired or already used.').waitFor()
    expect(page.url()).toBe(`${app.origin}/app/sign-in/link`)
    expect(faults).toEqual([])
  })
})

describe('the sign-in page', () => {
  soakTest.for<[code: string, words: string]>([
    ['sso_failed', 'Sign-in with your identity provider failed. Start again.'],
    ['sso_unknown', 'This address has no single sign-on.'],
    ['of_another_version', 'Sign-in failed.'],
  ])('explains %s', async ([code, words]) => {
    const { page } = await app.open()
    await page.goto(`/app/sign-in?problem=${code}`)
    await page.getByText(words).waitFor()
  })

  test('returns to the requested page, only within the app', async () => {
    const { page } = await app.open()
    await page.goto('/app/keys')
    await enterForDevelopment(page, 'next@sign-in.example.com')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/keys')
    const further = isSoak ? ['https://evil.example', '/app/sign-in'] : []
    for (const next of ['//evil.example', '/app/../docs', ...further]) {
      await page.goto(`/app/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByTestId('meter').getByText('₦').waitFor()
      expect(page.url()).toBe(`${app.origin}/app`)
    }
  })

  soakTest('returns there after a sign-in link too, also in the waiting tab, and only once', async () => {
    const email = await account('next-by-link@sign-in.example.com')
    const { page, faults } = await app.open()
    await page.goto('/app/keys')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    const opened = await page.context().newPage()
    await opened.goto(await mailedLink(app.server, email))
    for (const tab of [opened, page]) {
      await tab.getByRole('heading', { name: 'API keys' }).waitFor()
      expect(tab.url()).toBe(`${app.origin}/app/keys`)
    }
    await opened.goto('/app')
    await opened.getByTestId('meter').getByText('₦').waitFor()
    expect(opened.url()).toBe(`${app.origin}/app`)
    expect(faults).toEqual([])
  })

  soakTest('returns there after a password reset', async () => {
    const email = await account('next-by-reset@sign-in.example.com')
    const { page } = await app.open()
    await page.goto('/app/sessions')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(await mailedLink(app.server, email))
    await page.getByLabel('New password', { exact: true }).fill('four herons in May')
    await page.keyboard.press('Enter')
    await signIn(page, email, 'four herons in May')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(page.url()).toBe(`${app.origin}/app/sessions`)
  })

  soakTest('returns there after a new account was confirmed', async () => {
    const { page } = await app.open()
    await page.goto('/app/keys')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email').fill('next-by-confirming@sign-in.example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(await mailedLink(app.server, 'next-by-confirming@sign-in.example.com'))
    await signIn(page, 'next-by-confirming@sign-in.example.com', PASSWORD)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
  })

  soakTest('does not store a return address outside the app', async () => {
    const email = await account('next-elsewhere@sign-in.example.com')
    const { page } = await app.open()
    await page.goto(`/app/sign-in?next=${encodeURIComponent('//evil.example')}`)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(await mailedLink(app.server, email))
    await page.getByTestId('meter').getByText('₦').waitFor()
    expect(page.url()).toBe(`${app.origin}/app`)
  })

  soakTest('stores the return address for one hour', async () => {
    const email = await account('next-too-late@sign-in.example.com')
    const { page } = await app.open()
    await page.goto('/app/keys')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.evaluate(
      `localStorage['cowrie.next'] = localStorage['cowrie.next'].replace(/^\\d+/, (until) => until - 3_600_000)`,
    )
    await page.goto(await mailedLink(app.server, email))
    await page.getByTestId('meter').getByText('₦').waitFor()
    expect(page.url()).toBe(`${app.origin}/app`)
  })

  test('shows the wait after too many attempts, an overload message, and required single sign-on', async () => {
    const { page } = await app.open()
    await page.goto('/app/sign-in')
    const refuse = (status: number, code: string, seconds: number) =>
      page.route('**/auth/login', (route) =>
        route.fulfill({ status, headers: { 'retry-after': String(seconds) }, json: { error: 'No.', code } }),
      )
    await refuse(429, 'too_many_attempts', 90)
    await signIn(page, 'eager@sign-in.example.com', PASSWORD)
    await page.getByRole('alert').getByText('Try again in 90 seconds.').waitFor()
    await page
      .getByRole('alert')
      .getByText(/1:[23]\d/)
      .waitFor()
    await page.unroute('**/auth/login')
    await refuse(503, 'busy', 2)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('very busy').waitFor()
    await page.unroute('**/auth/login')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('The email address or password is wrong').waitFor()

    await page.route('**/auth/login', (route) =>
      route.fulfill({ status: 403, json: { error: 'No.', code: 'sso_required' } }),
    )
    await signIn(page, 'bola@bank.example', PASSWORD)
    await page.getByText('Your organisation requires single sign-on').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    const left = page.waitForRequest('**/auth/sso/initiate?email=bola%40bank.example')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    expect((await left).isNavigationRequest()).toBe(true)
  })
})

const account = (email: string): Promise<string> => openAccount(app.server, email)

async function isVerified(email: string): Promise<boolean> {
  const { body } = await app.server.call('POST', '/auth/login', { body: { email, password: PASSWORD } })
  return body.verificationRequired !== true
}

/** Everything that a script could read in a later visit. */
const stored = (page: Page): Promise<string> =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')
