// The front page as a stranger sees it: on a phone with a slow network, without scripts, without a network, and in Arabic.
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { axeFaults } from '../axe.ts'
import { overflowOf, PATIENT, shiftOf, slowDown } from '../browser.ts'
import { PHONE } from './journey.ts'

const app = startApp()

const SLOW_3G = { kbps: 400, latencyMs: 400 }
const BYTES_MAX = 25_000
const PAINT_MS = 2_500
/** Longer than the recorded task. */
const PLAYED_MS = 20_000

test('a stranger on a slow phone reads the price, plays the task and takes the prompt to the registration', async () => {
  const { page, faults } = await app.open({ ...PHONE, locale: 'en-KE', reducedMotion: 'no-preference' })
  await page.clock.install()
  const session = await slowDown(page, SLOW_3G)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const painted = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  )
  expect(painted).toBeLessThan(PAINT_MS)
  expect(await overflowOf(page)).toBe(0)

  // The recorded task plays once it is seen, and ends as the page without scripts.
  const task = page.getByRole('region', { name: 'A recorded task' })
  await task.scrollIntoViewIfNeeded()
  await expect.poll(() => task.locator('.shown').count(), PATIENT).toBeGreaterThan(0)
  await page.clock.runFor(PLAYED_MS)
  await expect.poll(() => task.getAttribute('class'), PATIENT).toBe('task')
  await task.getByText('The failing test passes now').waitFor()
  await task.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => task.getAttribute('class')).toContain('playing')
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  expect(await page.getByText('M-Pesa').count()).toBeGreaterThan(0)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(BYTES_MAX)

  await page.goto('/?country=EG')
  await page.getByLabel('What should change?').fill('Rename change to balance.')
  await page.getByRole('button', { name: 'Try it on the sample' }).click()
  await page.waitForURL('**/app/register?**')
  const next = new URL(page.url()).searchParams.get('next')
  expect(next).toBe('/app/tasks/new?sample=1&prompt=Rename+change+to+balance.')
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await expect.poll(() => page.getByLabel('Country').inputValue(), PATIENT).toBe('EG')
  expect(faults).toEqual([])
})

test('without scripts the page shows the finished task, and language and country are links', async () => {
  const { page } = await app.open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
  await page.goto('/')
  await page.getByText('The failing test passes now').waitFor()
  await page.getByRole('contentinfo').getByRole('link', { name: 'العربية' }).click()
  await page.getByRole('contentinfo').getByRole('link', { name: /^مصر/ }).click()
  await page.getByRole('heading', { level: 1, name: 'وكيل برمجة يذكر سعره أولًا.' }).waitFor()
  await page.getByText('Fawry').first().waitFor()
  await page.getByRole('contentinfo').getByRole('link', { name: 'الأسعار' }).click()
  await page.getByRole('heading', { level: 1, name: 'الأسعار' }).waitFor()
  expect(await page.locator('td bdi').first().textContent()).toContain('E£')
})

test('after the first visit the page opens without a network', async () => {
  const { page } = await app.open({ serviceWorkers: 'allow' })
  await page.goto('/')
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await page.goto('/pricing')
  await page.context().setOffline(true)
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'A coding agent that states its price first.' }).waitFor()
  await page.goto('/pricing?country=KE')
  await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
  expect(
    await page.evaluate<string>(`getComputedStyle(document.querySelector('.paper')).maxInlineSize`),
  ).toBe('none')
})

test('no page has a finding of axe or scrolls sideways, in both themes and directions', async () => {
  for (const [width, colorScheme, lang] of [
    [320, 'light', 'en'],
    [1280, 'dark', 'ar'],
  ] as const) {
    const { page, faults } = await app.open({ viewport: { width, height: 800 }, colorScheme })
    for (const path of ['/', '/pricing', '/terms', '/status']) {
      await page.goto(`${path}?lang=${lang}`)
      expect(await overflowOf(page), path).toBe(0)
      expect(await axeFaults(page), `${path} ${lang}`).toEqual([])
    }
    expect(faults).toEqual([])
  }
})
