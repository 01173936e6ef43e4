// Every screen there is, for a member of staff with a little of everything: on the narrowest phone, by day and by night, from left to
// right and from right to left, nothing sticks out and axe has nothing serious against it.

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

describe('every screen is sound', () => {
  test('for strangers', async () => {
    const { page, faults } = await app.open(PHONE)
    expect(await unsound(page, pathsOfApp().filter(isWayIn))).toEqual([])
    expect(faults).toEqual([])
  })

  test('for staff, who see all of them', async () => {
    const made = await seed(app.origin)
    const { page, faults } = await app.open(PHONE)
    await page.request.post('/auth/dev-login', { data: { email: STAFF }, headers: { origin: app.origin } })
    const paths = [...pathsOfApp().filter((path) => !isWayIn(path)), ...made]
    expect(paths.length).toBeGreaterThanOrEqual(40)
    // One in six shows what all share; the soak visits each.
    expect(await unsound(page, isSoak ? paths : paths.filter((_, i) => i % 6 === 0))).toEqual([])
    expect(faults).toEqual([])
  }, 600_000)
})

/** What is wrong with which of the screens: all of it, so that it can be mended at once. */
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

/** Turns the page round only to measure it: nothing is drawn, so nothing moves. */
const WIDTH_FROM_RIGHT_TO_LEFT = `(() => {
  const page = document.documentElement
  const { dir } = page
  page.dir = 'rtl'
  const { scrollWidth } = page
  page.dir = dir
  return scrollWidth
})()`

/** The soak loads every screen anew. `npm test` loads the first and then moves within the app, which costs far less. */
async function visit(page: Page, path: string): Promise<void> {
  if (isSoak || page.url() === 'about:blank') await page.goto(path)
  else await page.evaluate(FOLLOW_LINK, path)
}

/** Follows a link of the app. What moves is counted from when the last screen is gone. */
const FOLLOW_LINK = `async (path) => {
  const link = Object.assign(document.createElement('a'), { href: path })
  document.body.append(link)
  link.click()
  link.remove()
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))
  shifts.takeRecords()
  window.shifted = 0
}`
