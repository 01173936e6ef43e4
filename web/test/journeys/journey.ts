// What must hold after every step of a journey, whoever makes it.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFaults } from '../axe.ts'
import { overflowOf, PATIENT } from '../browser.ts'

/** The readers our journeys are made by. */
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
}
export const SMALL_PHONE: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
}

/** Browsers note every request that found no network, or that a change of it cut off. */
export const isNotOffline = (fault: string): boolean =>
  !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/.test(fault)

/**
 * A screen at rest: everything has come, nothing sticks out, axe has nothing serious against it. In `npm test` axe looks at
 * dialogs here; every-screen.test.ts shows it every screen.
 */
export async function isFine(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  expect(await overflowOf(page)).toBe(0)
  if (isSoak || (await page.locator('dialog[open]').count()) > 0) expect(await axeFaults(page)).toEqual([])
}

/** The amount that an element shows, in minor units: "₦1,234.50" is 123450n. */
export async function minorOf(page: Page, testId: string): Promise<bigint> {
  const text = (await page.getByTestId(testId).first().textContent()) ?? ''
  return BigInt(text.replace(/[^\d]/g, ''))
}
