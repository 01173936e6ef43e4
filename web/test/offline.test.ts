// Offline visits: the app opens from stored data and shows its age.
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT } from './browser.ts'
import { enterAt } from './people.ts'

const app = startApp()

test('stored data can be read offline, and is deleted at sign-out', async () => {
  const { page } = await app.open({ serviceWorkers: 'allow' })
  await enterAt(page, '/app/sign-in', 'reader@offline.example.com')
  await page.getByTestId('meter').getByText('₦0.00').waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  // The service worker stores requests only from the second visit on.
  await page.goto('/app/wallet')
  await page.getByTestId('proof').waitFor()
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)

  await page.context().setOffline(true)
  await page.reload()
  await page.getByText(/^Offline/).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor()
  await page.getByTestId('balance').first().getByText('₦0.00').waitFor()

  await page.context().setOffline(false)
  await expect.poll(() => page.getByText(/^Offline/).count(), PATIENT).toBe(0)
  await page.goto('/app/more')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').waitFor()
  await expect.poll(() => page.evaluate<string[]>(KEPT), PATIENT).toEqual([])
})

const KEPT = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('cowrie')
  // Without a stored cache, checking must not create one.
  opening.onupgradeneeded = () => opening.transaction.abort()
  opening.onerror = () => resolve([])
  opening.onsuccess = () => {
    const counting = opening.result.transaction('kept').objectStore('kept').getAllKeys()
    counting.onerror = reject
    counting.onsuccess = () => resolve(counting.result)
  }
})`
