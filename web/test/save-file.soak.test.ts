// Files that the app generates.
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT } from './browser.ts'
import { enterAt } from './people.ts'

const app = startApp()

test('a saved file stays readable for a minute for slow browsers, and is then released', async () => {
  const { page } = await app.open()
  await page.clock.install()
  await enterAt(page, '/app/keys', 'saver@save-file.example.com')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Build server')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.evaluate(COUNT_RELEASED)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download .env' }).click()
  await saved
  await page.clock.fastForward(30_000)
  expect(await page.evaluate<number>('window.released')).toBe(0)
  await page.clock.fastForward(60_000)
  await expect.poll(() => page.evaluate<number>('window.released'), PATIENT).toBe(1)
})

const COUNT_RELEASED = `
  window.released = 0
  URL.revokeObjectURL = () => void window.released++`
