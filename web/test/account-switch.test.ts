// A page shows and sends data of one user in one organisation, whatever happens in other tabs or in the service.

import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT } from './browser.ts'
import { enterAt } from './people.ts'

const app = startApp()

test('a page that missed an organisation switch sends nothing to the new organisation, and then shows it', async () => {
  const { page, faults } = await app.open()
  // Browsers drop messages to sleeping tabs.
  await page.context().addInitScript('BroadcastChannel.prototype.postMessage = () => undefined')
  await enterAt(page, '/app/team', 'two-tabs@whose.example.com')
  const other = await page.context().newPage()
  await other.goto('/app/team')
  await other.getByLabel('Team name').fill('Another team')
  await other.getByRole('button', { name: 'Create team' }).click()
  await other.getByText('Another team').first().waitFor()

  const sent = postsOf(page)
  await page.getByLabel('Team name').fill('Sent by mistake')
  await page.getByRole('button', { name: 'Create team' }).click()
  // The page now shows the other organisation, and nothing was created.
  await page.getByRole('button', { name: 'Invite member' }).waitFor()
  expect(sent).toEqual([])
  expect(faults).toEqual([])
})

soakTest('a busy service keeps the screen and the typed text', async () => {
  const { page } = await app.open()
  await enterAt(page, '/app/team', 'busy-service@whose.example.com')
  await page.getByLabel('Team name').fill('Half typed')
  await page.route(/\/me$/, (route) =>
    route.fulfill({ status: 503, json: { error: 'busy', code: 'busy' }, headers: { 'retry-after': '60' } }),
  )
  const asked = page.waitForResponse(/\/me$/)
  await page.evaluate('dispatchEvent(new Event("online"))')
  await asked
  await page.evaluate('new Promise((done) => setTimeout(done))')
  await expect.poll(() => page.getByLabel('Team name').inputValue()).toBe('Half typed')
})

test('an answer that arrives after sign-out is not stored for the next user', async () => {
  const { page } = await app.open()
  await enterAt(page, '/app/more', 'late-answer@whose.example.com')
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const asked = page.waitForRequest(/\/wallet\/proof$/)
  await page.route(/\/wallet\/proof$/, async (route) => {
    await held
    await route.fulfill({ json: { matches: true } }).catch(() => undefined)
  })
  await page.getByRole('link', { name: 'Wallet', exact: true }).first().click()
  await asked
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').waitFor()
  const late = page.waitForResponse(/\/wallet\/proof$/)
  answer()
  await late
  await expect.poll(() => page.evaluate<string[]>(KEPT), PATIENT).toEqual([])
})

const postsOf = (page: Page): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  return sent
}

const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open('cowrie')
  opening.onupgradeneeded = () => opening.transaction.abort()
  opening.onerror = () => resolve([])
  opening.onsuccess = () => {
    const counting = opening.result.transaction('kept').objectStore('kept').getAllKeys()
    counting.onsuccess = () => resolve(counting.result)
  }
})`
