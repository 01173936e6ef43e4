// Every screen there is, for a member of staff with a little of everything: on the narrowest phone, by day and by night, from left to
// right and from right to left, nothing sticks out and axe has nothing serious against it.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { STAFF } from '../bench/place.ts'
import { seed } from '../bench/seed.ts'
import { isWayIn, pathsOfApp } from '../bench/table.ts'
import { startApp } from './app.ts'
import { axeFaults } from './axe.ts'
import { overflowOf, PATIENT, shiftOf } from './browser.ts'
import { startAtLocalhost } from './service.ts'

const PHONE = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const
const SHIFT_MAX = 0.02

const app = startApp(() => startAtLocalhost({ SERVICE_ROOT_ADMIN_EMAIL: STAFF }))

describe('every screen is sound', () => {
  test('for strangers', async () => {
    const { page, faults } = await app.open(PHONE)
    for (const path of pathsOfApp().filter(isWayIn)) await isSound(page, path, faults)
  })

  test('for staff, who see all of them', async () => {
    const made = await seed(app.origin)
    const { page, faults } = await app.open(PHONE)
    await page.request.post('/auth/dev-login', { data: { email: STAFF }, headers: { origin: app.origin } })
    const paths = [...pathsOfApp().filter((path) => !isWayIn(path)), ...made]
    expect(paths.length).toBeGreaterThanOrEqual(40)
    for (const path of paths) await isSound(page, path, faults)
  }, 180_000)
})

async function isSound(page: Page, path: string, faults: string[]): Promise<void> {
  await page.goto(path)
  await page.locator('#screen-title').waitFor()
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  expect(await shiftOf(page), path).toBeLessThanOrEqual(SHIFT_MAX)
  expect(await overflowOf(page), path).toBe(0)
  expect(await axeFaults(page), path).toEqual([])
  await page.evaluate(`document.documentElement.dir = 'rtl'; document.documentElement.dataset.mode = 'dark'`)
  expect(await overflowOf(page), `${path}, from right to left`).toBe(0)
  expect(await axeFaults(page, ['color-contrast']), `${path}, by night`).toEqual([])
  expect(faults, path).toEqual([])
}
