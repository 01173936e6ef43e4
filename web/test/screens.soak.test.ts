// Every screen on the narrowest phone: no overflow in either direction, and every control has a name and a size.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startApp } from './app.ts'
import { forgetShift, overflowOf, PATIENT, pressOn, shiftOf } from './browser.ts'
import { codeOf, enterForDevelopment } from './people.ts'

const PHONE = { viewport: { width: 320, height: 640 } }
const LONG = 'a-person-with-a-rather-long-address-indeed@mail.of-a-long-domain.example.com'
const TOUCH_PX = 44

const app = startApp()

type Case = [address: string, heading: string, title: string]

describe('for signed-out visitors', () => {
  test.for<Case>([
    ['/app/sign-in', 'Sign in', 'Sign in'],
    ['/app/sign-in/second-factor#challenge=x', 'One more step', 'One more step'],
    ['/app/sign-in/link#token=x&kind=magic', 'Sign in with this link', 'Your link'],
    ['/app/sign-in/link#token=x&kind=verify', 'Confirm your email address', 'Your link'],
    ['/app/sign-in/link#problem=link_invalid', 'This link does not work', 'Your link'],
    ['/app/register', 'Create an account', 'Create an account'],
    ['/app/check-mail', 'Check your mail', 'Check your mail'],
    ['/app/forgot', 'Choose a new password', 'Choose a new password'],
    ['/app/reset#token=x', 'Choose a new password', 'Choose a new password'],
    ['/app/reset#token=x&kind=invitation', 'Choose a password', 'Choose a new password'],
    ['/app/contact', 'Contact us', 'Contact us'],
    ['/app/operator-invite#token=x', 'Join the staff of Cowrie', 'Invitation'],
    ['/app/nowhere', 'Page not found', 'Not found'],
  ])('%s passes', async ([address, heading, title]) => {
    const { page, faults } = await app.open(PHONE)
    await page.goto(address)
    await isSound(page, heading, title)
    expect(new URL(page.url()).hash).toBe('')
    await isReachedByTab(page)
    await fitsTheOtherWayRound(page)
    expect(faults).toEqual([])
  })
})

test('member screens pass, and each is reachable from the others', async () => {
  const { page, faults } = await app.open(PHONE)
  await page.goto('/app/device')
  await enterForDevelopment(page, LONG)
  await isSound(page, 'Connect a device', 'Connect a device')
  await page.reload()
  await page.getByLabel('Code').waitFor()
  await isReachedByTab(page)
  for (const name of ['Settings', 'Security', 'Sessions', 'Use your tools', 'API keys', 'Organisations']) {
    // On a phone, screens that do not fit the bar are behind its last item.
    await page
      .getByRole('navigation', { name: 'Shortcuts' })
      .getByRole('link', { name: 'More' })
      .press('Enter')
    await isSound(page, 'More', 'More')
    const places = page.getByRole('navigation', { name: 'All screens' })
    await pressOn(places.getByRole('link', { name, exact: true }))
    await isSound(page, name, name)
    await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('screen-title')
  }
  await page.goto('/app/security')
  await pressOn(page.getByRole('button', { name: 'Set up an authenticator app' }))
  await page.getByLabel('Code').waitFor()
  await forgetShift(page)
  await isSound(page, 'Security', 'Security')
  const secret = (await page.getByTestId('copyable').textContent()) ?? ''
  await page.getByLabel('Code').fill(codeOf(app.server, secret))
  await page.keyboard.press('Enter')
  await page.getByLabel('I saved them').waitFor()
  await forgetShift(page)
  await isSound(page, 'Security', 'Security')
  await fitsTheOtherWayRound(page)
  for (const path of [
    '/more',
    '/settings',
    '/sessions',
    '/tools',
    '/models',
    '/keys',
    '/organisations',
    '/device',
  ]) {
    await page.goto(`/app${path}`)
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
    await fitsTheOtherWayRound(page)
  }
  expect(faults).toEqual([])
})

async function isSound(page: Page, heading: string, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await expect.poll(() => page.title(), PATIENT).toBe(`${title} · Cowrie`)
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  await expect.poll(() => page.locator('h1').count()).toBe(1)
  expect(await page.evaluate<string[]>(NAMELESS)).toEqual([])
  expect(await page.evaluate<string[]>(TOO_SMALL)).toEqual([])
  expect(await page.evaluate<string[]>(CUT_OFF)).toEqual([])
  expect(await page.evaluate<string[]>(DOUBLE_IDS)).toEqual([])
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  expect(await overflowOf(page)).toBe(0)
}

/** Every control gets the focus and shows it. */
async function isReachedByTab(page: Page): Promise<void> {
  const controls = await page.locator(CONTROLS).filter({ visible: true }).count()
  const reached = new Set<string>()
  for (let press = 0; press < controls; press++) {
    await page.keyboard.press('Tab')
    reached.add(await page.evaluate<string>(FOCUSED))
  }
  expect(reached.size).toBe(controls)
  expect([...reached].filter((focused) => !focused.startsWith('3px solid'))).toEqual([])
}

/** The layout shift is meaningless after this, because everything has moved. */
async function fitsTheOtherWayRound(page: Page): Promise<void> {
  await page.evaluate('document.documentElement.dir = "rtl"')
  expect(await overflowOf(page)).toBe(0)
}

const CONTROLS = 'a[href], button:not(:disabled), input:not([tabindex="-1"]), select, textarea'
const FOCUSED = `((element, style) => [style.outlineWidth, style.outlineStyle, element.outerHTML].join(' '))(
  document.activeElement, getComputedStyle(document.activeElement))`
const VISIBLE = '(element) => element.checkVisibility() && !element.matches(".unseen")'
const NAMELESS = `[...document.querySelectorAll('input, select, button, a, img')].filter(${VISIBLE})
  .filter((element) => !(element.labels?.length || element.ariaLabel || element.alt || element.textContent.trim()))
  .map((element) => element.outerHTML)`
const TOO_SMALL = `[...document.querySelectorAll('button, input:not([type=checkbox], [type=radio]), select, nav a')].filter(${VISIBLE})
  .filter((element) => element.getBoundingClientRect().height < ${TOUCH_PX})
  .map((element) => element.outerHTML)`
const CUT_OFF = `[...document.querySelectorAll('.copyable code')]
  .filter((box) => box.scrollWidth > box.clientWidth).map((element) => element.outerHTML)`
const DOUBLE_IDS = `[...document.querySelectorAll('[id]')].map(({ id }) => id)
  .filter((id, index, ids) => ids.indexOf(id) !== index)`
