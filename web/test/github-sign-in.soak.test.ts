// Sign-in with GitHub in a browser: it leaves for GitHub and returns. The rules of the service have their own tests.
import {
  type FakeGithubLogin,
  type FakePerson,
  startFakeGithubLogin,
} from '@cowrie/testkit/fakes/github/login.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startApp } from './app.ts'
import { isFine, PHONE } from './journeys/journey.ts'
import { enterPassword, openAccount } from './people.ts'
import { mailedLink, startAtLocalhost } from './service.ts'

let github: FakeGithubLogin
const app = startApp(async () => {
  github = await startFakeGithubLogin()
  return startAtLocalhost({
    SERVICE_GITHUB_CLIENT_ID: 'cowrie-client',
    SERVICE_GITHUB_CLIENT_SECRET: 'the client secret',
    SERVICE_GITHUB_BASE_URL: github.url,
    SERVICE_GITHUB_API_URL: github.url,
    SERVICE_TRIAL_CREDIT_MINOR: '50000',
  })
})
afterAll(() => github?.close())

const NEXT = '/app/tasks/new?sample=1&prompt=Fix+the+failing+test.'
let ids = 5_000
const person = (email: string): FakePerson => ({
  id: ++ids,
  login: `octo-${ids}`,
  emails: [{ email, primary: true, verified: true }],
})

/** Goes to GitHub, where the person decides. */
async function leave(page: Page, decision: 'Authorize' | 'Cancel' = 'Authorize'): Promise<void> {
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.getByRole('link', { name: decision }).click()
}
const open = async () => {
  const { page, faults } = await app.open(PHONE)
  return { page, faults: () => faults.filter((fault) => !fault.startsWith('elsewhere:')) }
}

test('a new person registers with one click, has trial credit, and continues with the prompt', async () => {
  const { page, faults } = await open()
  github.visitor = person('new@github.example.com')
  await page.goto(`/app/register?${new URLSearchParams({ country: 'KE', next: NEXT })}`)
  await isFine(page)
  await leave(page)
  await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Fix the failing test.')
  await page.getByTestId('meter').getByText('KSh').waitFor()
  expect(faults()).toEqual([])
})

test('an existing account is linked by its mailbox, then GitHub opens it at the requested page', async () => {
  const email = await openAccount(app.server, 'known@github.example.com')
  github.visitor = person(email)
  const { page, faults } = await open()
  await page.goto(`/app/sign-in?${new URLSearchParams({ next: NEXT })}`)
  await leave(page)
  await page.getByText('You have an account with this address.').waitFor()
  await page.goto(await mailedLink(app.server, email))
  await isFine(page)
  await page.getByRole('button', { name: 'Link GitHub' }).click()
  await page.getByText('GitHub is linked. Sign in with it.').waitFor()
  await leave(page)
  await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Fix the failing test.')
  await page.goto('/app/sessions')
  await page.getByText(/· GitHub/).waitFor()
  expect(faults()).toEqual([])
})

test('a person who declines at GitHub reads why, and continues with the password', async () => {
  const email = await openAccount(app.server, 'declines@github.example.com')
  const { page, faults } = await open()
  github.visitor = person(email)
  await page.goto(`/app/sign-in?${new URLSearchParams({ next: NEXT })}`)
  await leave(page, 'Cancel')
  await page.getByText('You did not allow the sign-in at GitHub.').waitFor()
  await enterPassword(page, email)
  await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Fix the failing test.')
  expect(faults()).toEqual([])
})

test('an answer that belongs to another browser opens no session', async () => {
  const { page } = await open()
  const foreign = await open()
  github.visitor = person('attacker@github.example.com')
  await foreign.page.goto('/app/sign-in')
  await foreign.page.getByRole('link', { name: 'Continue with GitHub' }).click()
  const stolen = await foreign.page.getByRole('link', { name: 'Authorize' }).getAttribute('href')
  await page.goto(String(stolen))
  await page.getByText('Sign-in with GitHub failed. Start again.').waitFor()
  expect((await page.request.get('/me')).status()).toBe(401)
})
