// Every screen with example data for a staff member, on the narrowest phone, light and dark, left-to-right and right-to-left:
// nothing overflows and axe finds nothing serious.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { STAFF } from '../bench/environment.ts'
import { seed } from '../bench/seed.ts'
import { isWayIn, pathsOfApp } from '../bench/table.ts'
import { startApp } from './app.ts'
import { axeFaults, contrastFaults } from './axe.ts'
import { overflowOf, PATIENT, shiftOf } from './browser.ts'
import { startAtLocalhost } from './service.ts'

const PHONE = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const
const SHIFT_MAX = 0.02

const app = startApp(() => startAtLocalhost({ SERVICE_ROOT_ADMIN_EMAIL: STAFF }))

describe('every screen passes', () => {
  test('for signed-out visitors', async () => {
    const { page, faults } = await app.open(PHONE)
    expect(await unsound(page, pathsOfApp().filter(isWayIn))).toEqual([])
    expect(faults).toEqual([])
  })

  test('for staff, who see all screens', async () => {
    const made = await seed(app.origin)
    const { page, faults } = await app.open(PHONE)
    await page.request.post('/auth/dev-login', { data: { email: STAFF }, headers: { origin: app.origin } })
    const paths = [...pathsOfApp().filter((path) => !isWayIn(path)), ...made]
    expect(paths.length).toBeGreaterThanOrEqual(40)
    // `npm test` checks one in six; the soak checks each.
    expect(await unsound(page, isSoak ? paths : paths.filter((_, i) => i % 6 === 0))).toEqual([])
    expect(faults).toEqual([])
  }, 600_000)
})

/** All problems of all screens, so that they can be fixed together. */
async function unsound(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const note = (what: string) => found.push(`${path}: ${what}`)
    await visit(page, path)
    await page.locator('#screen-title').waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
    const shifted = await shiftOf(page)
    if (shifted > SHIFT_MAX) note(`moves by ${shifted.toFixed(3)}`)
    if ((await overflowOf(page)) > 0) note('is too wide')
    for (const fault of await axeFaults(page)) note(fault)
    if ((await page.evaluate<number>(WIDTH_FROM_RIGHT_TO_LEFT)) > PHONE.viewport.width)
      note('is too wide from right to left')
    if (isSoak) {
      await page.evaluate(
        `document.documentElement.dir = 'rtl'; document.documentElement.dataset.mode = 'dark'`,
      )
      for (const fault of await contrastFaults(page)) note(`by night: ${fault}`)
    }
  }
  return found
}

/** Mirrors the page only for measuring, without a redraw. */
const WIDTH_FROM_RIGHT_TO_LEFT = `(() => {
  const page = document.documentElement
  const { dir } = page
  page.dir = 'rtl'
  const { scrollWidth } = page
  page.dir = dir
  return scrollWidth
})()`

/** The soak reloads every screen. `npm test` loads the first and then navigates within the app, which is faster. */
async function visit(page: Page, path: string): Promise<void> {
  if (isSoak || page.url() === 'about:blank') await page.goto(path)
  else await page.evaluate(FOLLOW_LINK, path)
}

/** Follows a link of the app. Layout shift counts from when the last screen is gone. */
const FOLLOW_LINK = `async (path) => {
  const link = Object.assign(document.createElement('a'), { href: path })
  document.body.append(link)
  link.click()
  link.remove()
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))
  shifts.takeRecords()
  window.shifted = 0
}`
