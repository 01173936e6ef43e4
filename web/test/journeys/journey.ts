// Checks after every step of a journey.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFaults } from '../axe.ts'
import { overflowOf, PATIENT } from '../browser.ts'

/** The browser settings of the users in our journeys. */
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

/** Browsers log every request without a network, or interrupted by a network change. */
export const isNotOffline = (fault: string): boolean =>
  !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/.test(fault)

/**
 * A finished screen: everything is loaded, nothing overflows, axe finds nothing serious. In `npm test` axe checks only
 * dialogs here; every-screen.test.ts checks every screen.
 */
export async function isFine(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  expect(await overflowOf(page)).toBe(0)
  if (isSoak || (await page.locator('dialog[open]').count()) > 0) expect(await axeFaults(page)).toEqual([])
}

/** The amount shown by an element, in minor units: "₦1,234.50" is 123450n. */
export async function minorOf(page: Page, testId: string): Promise<bigint> {
  const text = (await page.getByTestId(testId).first().textContent()) ?? ''
  return BigInt(text.replace(/[^\d]/g, ''))
}
