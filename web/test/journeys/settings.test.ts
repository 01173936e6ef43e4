// Browser settings: language, appearance, data saver, shortcuts; and navigation by keyboard.

import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../app.ts'
import { overflowOf, PATIENT, pressOn } from '../browser.ts'
import { enterAt, enterForDevelopment } from '../people.ts'
import { DESKTOP, isFine, PHONE, SMALL_PHONE } from './journey.ts'

const app = startApp()

test('settings apply immediately, survive a reload, and can return to the service default', async () => {
  const { page, faults } = await app.open(SMALL_PHONE)
  await enterAt(page, '/app/settings', 'reader@settings.example.com')
  await isFine(page)
  const html = page.locator('html')
  await page.getByLabel('Colours').selectOption('kente')
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('Density').selectOption('compact')
  await page.getByLabel('Less motion').check()
  await page.getByLabel('Use less data').selectOption('on')
  await page.getByText('Now on.').waitFor()
  await page.getByLabel('Show the cost of each answer').uncheck()
  await page.reload()
  const worn = '[data-skin=kente][data-mode=dark][data-layout=compact][data-motion=less]'
  await page.locator(`html${worn}`).waitFor()
  await expect.poll(() => page.getByLabel('Use less data').inputValue()).toBe('on')
  await expect.poll(() => page.getByLabel('Show the cost of each answer').isChecked()).toBe(false)
  await page.getByTestId('bytes').getByText(/\d/).waitFor()
  await isFine(page)
  await page.getByLabel('Colours').selectOption('')
  await page.getByLabel('Less motion').uncheck()
  await page.locator('html[data-skin=indigo][data-mode=dark][data-motion=full]').waitFor()

  await page.getByLabel('العربية').check()
  await page.locator('html[lang=ar][dir=rtl]').waitFor()
  await isFine(page)
  const languages = () =>
    app.server.sql.rows`select language from users where email = 'reader@settings.example.com'`
  await expect.poll(languages, PATIENT).toEqual([{ language: 'ar' }])
  await page.reload()
  await page.getByLabel('English').check()
  await page.locator('html[lang=en][dir=ltr]').waitFor()
  await expect.poll(() => html.getAttribute('data-mode')).toBe('dark')
  expect(faults).toEqual([])
})

soakTest('enabled features are listed with their source', async () => {
  const admin = await app.server.person({ staff: 'operator' })
  onTestFinished(async () => {
    await app.server.call('DELETE', '/admin/flags/new_diff', { as: admin })
  })
  await app.server.call('PUT', '/admin/flags/new_diff', {
    as: admin,
    body: { defaultEnabled: true, description: 'Shows the new diff view.', tierOverrides: {} },
  })
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/settings', 'flagged@settings.example.com')
  const row = page
    .getByRole('region', { name: 'Features' })
    .getByRole('listitem')
    .filter({ hasText: 'new_diff' })
  await row.getByText('same for everyone').waitFor()
  await row.getByText('On', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

soakTest('shortcuts open screens and rows, are ignored while typing, and can be turned off', async () => {
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/organisations', 'hands@settings.example.com')
  await page.getByText('Current').waitFor()
  await press(page, 'g', 'w')
  await page.waitForURL('**/app/wallet')
  await press(page, 'g', 'h')
  await page.waitForURL('**/app')

  await press(page, '?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await help.getByText('Find anything').waitFor()
  await isFine(page)
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })

  await press(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type('in')
  await page.getByRole('option', { name: /^Invoices/, selected: true }).waitFor()
  await isFine(page)
  await press(page, 'ArrowDown')
  await page.getByRole('option', { name: /^Invite a member/, selected: true }).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('api')
  await press(page, 'Enter')
  await page.waitForURL('**/app/keys')
  await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('screen-title')

  // An action of the palette opens its dialog.
  await press(page, 'Control+k')
  await page.keyboard.type('create an api')
  await page.getByRole('option', { name: /^Create an API key/, selected: true }).waitFor()
  await press(page, 'Enter')
  await page.getByRole('dialog', { name: 'New key' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // Shortcuts are ignored while typing.
  const name = page.getByLabel('Name')
  const create = () => pressOn(page.getByRole('button', { name: 'New key' }))
  await create()
  await name.focus()
  await page.keyboard.type('g w ? /')
  await expect.poll(() => name.inputValue()).toBe('g w ? /')
  for (const each of ['First', 'Second']) {
    if (each === 'Second') await create()
    await name.fill(each)
    await pressOn(page.getByRole('button', { name: 'Create key' }))
    await pressOn(page.getByLabel('I saved it'), ' ')
    await pressOn(page.getByRole('button', { name: 'Done' }))
  }
  // A new key is shown before it is listed.
  await page.getByRole('button', { name: 'Revoke Second' }).waitFor()
  await press(page, 'j')
  expect(await focusedRow(page)).toBe('Second')
  await press(page, 'j')
  expect(await focusedRow(page)).toBe('First')
  await press(page, 'k')
  expect(await focusedRow(page)).toBe('Second')

  await page.goto('/app/settings')
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await press(page, 'g', 'w', '?', 'Control+k')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/app/settings')
  expect(faults).toEqual([])
})

soakTest(
  'in a low window the side bar shows the five places, the open group and, for staff, the console',
  async () => {
    const low = { viewport: { width: 1280, height: 720 } }
    const { page, faults } = await app.open(low)
    await enterAt(page, '/app/settings', 'low@settings.example.com')
    await isFine(page)
    const side = page.locator('nav.side')
    for (const name of ['Home', 'Tasks', 'Chat', 'Wallet', 'More', 'Security', 'Sessions', 'Settings'])
      await side.getByRole('link', { name, exact: true }).waitFor()
    expect(await hiddenAt(page)).toEqual([])

    const staff = await app.server.person({ staff: 'operator' })
    const desk = await app.open({ viewport: { width: 1280, height: 480 } })
    await enterAt(desk.page, '/app/ops', staff.email)
    const audit = desk.page.locator('nav.side').getByRole('link', { name: 'Audit' })
    await audit.waitFor()
    // Below the visible part, until it is selected.
    expect(await hiddenAt(desk.page)).toContain('Audit')
    await audit.click()
    await desk.page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await expect.poll(() => hiddenAt(desk.page)).not.toContain('Audit')
    await desk.page.getByRole('link', { name: 'Back to the app' }).click()
    await desk.page.getByTestId('meter').waitFor()
    expect([...faults, ...desk.faults]).toEqual([])
  },
)

soakTest(
  'with double text size filters have enough room, one per line on a phone, and nothing overflows',
  async () => {
    const staff = await app.server.person({ staff: 'operator' })
    const { page, faults } = await app.open(SMALL_PHONE)
    await page.addInitScript(
      `document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })`,
    )
    await page.goto('/app/audit')
    await page.getByLabel('Email').waitFor()
    expect(await overflowOf(page)).toBe(0)
    await enterForDevelopment(page, staff.email)
    for (const path of ['/app/audit', '/app/usage', '/app/ops/audit', '/app/ops/orgs', '/app/ops/settings']) {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.goto(path)
      await expect.poll(() => page.locator(FILTERS).count(), PATIENT).toBeGreaterThan(1)
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
      expect(new Set(await page.evaluate<number[]>(lefts)).size, path).toBe(1)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 640 })
        expect(await overflowOf(page), path).toBe(0)
        expect(Math.min(...(await page.evaluate<number[]>(ems))), path).toBeGreaterThan(7.5)
      }
    }
    expect(faults).toEqual([])
  },
)

const FILTERS = ':is(.filters, .usage-asked) > *'
const lefts = `[...document.querySelectorAll('${FILTERS}')].map((each) => each.getBoundingClientRect().left)`
/** Their approximate width in letters. */
const ems = `[...document.querySelectorAll('${FILTERS}')].map((each) => each.getBoundingClientRect().width / 32)`

soakTest('an overlaying keyboard covers no input or button', async () => {
  const { page, faults } = await app.open(PHONE)
  await enterAt(page, '/app/tasks/new', 'thumbs@settings.example.com')
  const ways = [
    ['/app/tasks/new', 'What should change?', '.start-bar'],
    ['/app/chat', 'Your message', '.composer'],
  ] as const
  for (const [path, label, bar] of ways) {
    await page.goto(path)
    if (path === '/app/chat') await page.getByRole('button', { name: 'Write a SQL query' }).click()
    await page.getByLabel(label, { exact: true }).fill('A text that stays visible')
    for (const [seen, most] of [
      [440, 440],
      [740, 690],
    ] as const) {
      // As in browsers without another API.
      await page.evaluate(`Object.defineProperty(visualViewport, 'height', { value: ${seen}, configurable: true })
        visualViewport.dispatchEvent(new Event('resize'))`)
      const end = `document.querySelector('${bar}').getBoundingClientRect().bottom`
      await expect.poll(() => page.evaluate<number>(end), { message: path }).toBeLessThanOrEqual(most)
    }
  }
  expect(faults).toEqual([])
})

/** Side navigation items that are cut off or covered. */
const hiddenAt = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('nav.side :is(a, button)')].filter((each) => {
    const { left, top, bottom } = each.getBoundingClientRect()
    return [top + 2, bottom - 2].some((at) => !each.contains(document.elementFromPoint(left + 20, at)))
  }).map((each) => each.textContent.replaceAll(/ |Ctrl/g, ''))`)

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate<string | null>(
    `document.activeElement.closest('li')?.querySelector('.row-name')?.textContent`,
  )
