// The code index in a real browser: a folder is added for the quoted price, found by its meaning, and removed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn } from '../browser.ts'
import { enterAt, signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, minorOf, SMALL_PHONE } from './journey.ts'

const app = startApp()
const folder = mkdtempSync(join(tmpdir(), 'cowrie-index-'))
afterAll(() => rmSync(folder, { recursive: true }))

const FILES: Record<string, string> = {
  'src/wallet/transfer.ts':
    '/** Moves kobo from one account to another. */\nexport async function transferFunds(from: string, to: string) {\n  await move(from, to)\n}\n',
  'src/parser.py':
    'def parse_duration(text):\n    """Turn 5m into seconds."""\n    return int(text[:-1]) * 60\n',
  'package-lock.json': '{}',
  '.env': 'KEY=1',
  'node_modules/x/index.js': 'x()',
}

test('a folder is added for the quoted price, found, and removed', async () => {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { page, faults } = await app.open(DESKTOP)
  await enter(page, 'ada@index.example.com', 100_000n)
  await page.getByText('Nothing indexed yet').waitFor()
  await isFine(page)
  const before = await minorOf(page, 'meter')

  await page.getByLabel('Add a folder').setInputFiles(folder)
  const price = page.getByTestId('index-price')
  await price.waitFor()
  await page.locator('.told').getByText('2 files to index').waitFor()
  // Skipped files are listed with a reason; generated files are not even sent.
  const out = page.locator('.left-out li')
  await expect
    .poll(async () => (await out.allInnerTexts()).toSorted(), PATIENT)
    .toEqual(['.env may hold secrets', 'package-lock.json is a lock file'])
  const told = await minorOf(page, 'index-price')
  expect(told).toBeGreaterThan(0n)
  await expect.poll(() => minorOf(page, 'meter')).toBe(before)
  await isFine(page)

  // A changed price is shown again, and nothing is charged until it is confirmed.
  const root = await app.server.person({ staff: 'super_admin' })
  const setting = '/admin/settings/price_open_kobo_per_1m'
  onTestFinished(async () => {
    await app.server.call('DELETE', setting, { as: root })
  })
  await app.server.call('PUT', setting, { as: root, body: { value: 900_000 } })
  await page.getByRole('button', { name: /^Index for at most ₦/ }).click()
  await page.getByRole('alert').getByText('The price has changed.').waitFor()
  await expect.poll(() => minorOf(page, 'index-price'), PATIENT).toBeGreaterThan(told)
  await expect.poll(() => minorOf(page, 'meter')).toBe(before)
  const anew = await minorOf(page, 'index-price')
  await page.getByRole('button', { name: /^Index for at most ₦/ }).click()
  await page.getByTestId('index-added').waitFor()
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - anew)

  // Adding the same again costs nothing.
  await page.getByLabel('Add a folder').setInputFiles(folder)
  await page.getByText('2 are unchanged and free.').waitFor()
  await expect.poll(() => minorOf(page, 'index-price')).toBe(0n)
  await page.getByRole('button', { name: 'Go back' }).click()

  await page.getByLabel('Search for').fill('transferFunds between accounts')
  await page.keyboard.press('Enter')
  const hit = page.locator('.hit').first()
  await hit.waitFor()
  await expect.poll(() => hit.locator('h3').textContent()).toMatch(/^src\/wallet\/transfer\.ts:1–\d$/)
  await expect.poll(() => hit.locator('mark').allInnerTexts()).toContain('transferFunds')
  await isFine(page)

  // Folder by folder; the chart has the same figures as the list.
  await pressOn(page.getByRole('button', { name: 'src/', exact: true }))
  await page.locator('.index-map').waitFor()
  await expect.poll(() => page.locator('.index-map .tile').count()).toBe(2)
  await pressOn(page.getByRole('button', { name: 'Remove src/parser.py' }))
  const question = page.getByRole('dialog', { name: 'Remove src/parser.py from the index?' })
  await pressOn(question.getByRole('button', { name: 'Remove' }))
  await expect.poll(() => pathsOf(page), PATIENT).toEqual(['src/wallet/transfer.ts'])
  await question.waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 320, height: 640 })
  await page.locator('.index-map').waitFor({ state: 'hidden' })
  await isFine(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Clear the index' }).click()
  await page.getByText('1 file is removed. Adding it again costs again.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear the index' }).click()
  await page.getByText('Nothing indexed yet').waitFor()
  expect(await pathsOf(page)).toEqual([])
  // The refusal because of the price is the only console message.
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})

test('two folders with the same paths are two repositories, searched separately', async () => {
  const { page, faults } = await app.open(DESKTOP)
  await enter(page, 'eve@index.example.com', 100_000n)
  for (const name of ['shop', 'bank']) {
    mkdirSync(join(folder, name, 'src'), { recursive: true })
    writeFileSync(join(folder, name, 'src/pay.ts'), `export const payFrom${name} = 'moves money'\n`)
    await page.getByLabel('Add a folder').setInputFiles(join(folder, name))
    await page.locator('.told').getByText(name, { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Index for at most ₦/ }).click()
    await page.getByTestId('index-added').waitFor()
  }
  for (const name of ['shop', 'bank']) {
    await page.getByLabel('Repository').selectOption(name)
    await page.getByLabel('Search for').fill('moves money')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.hit').allInnerTexts(), PATIENT).toHaveLength(1)
    await page.locator('.hit').getByText(`payFrom${name}`).first().waitFor()
  }
  await isFine(page)
  expect(faults).toEqual([])
})

test('a user without money sees the price and the missing amount, and loses nothing', async () => {
  const { page } = await app.open(SMALL_PHONE)
  await enter(page, 'poor@index.example.com', 0n)
  await page
    .getByLabel('Add files')
    .setInputFiles([{ name: 'a.ts', mimeType: 'text/plain', buffer: Buffer.from('export const a = 1\n') }])
  await page.getByTestId('index-price').waitFor()
  await page.getByRole('button', { name: /^Index for at most ₦/ }).click()
  await page.getByRole('link', { name: /^Top up ₦/ }).waitFor()
  await page.getByRole('button', { name: 'Continue with the rest' }).waitFor()
  await isFine(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline. You can add code when you are back online.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add files' }).isDisabled()).toBe(true)
})

test('without an index the page explains it, and buttons are disabled', async () => {
  const other = await startAtLocalhost({ SERVICE_RETRIEVAL: 'off' })
  const { page, faults, close } = await app.open(SMALL_PHONE, other.origin)
  try {
    await enterAt(page, '/app/index', 'ada@index.example.com')
    await page.getByText('You can still add files to a task.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Add a folder' }).isDisabled()).toBe(true)
    await isFine(page)
    expect(faults).toEqual([])
  } finally {
    // Closed with open connections: a stopping service waits for data that a browser has not read.
    await close()
    await other.server.close()
  }
})

async function enter(page: Page, email: string, balanceMinor: bigint): Promise<void> {
  const { orgId } = await signInAs(page, email)
  if (balanceMinor > 0n) await giveCredit(app.server, orgId, balanceMinor)
  await page.goto('/app/index')
  await page.getByTestId('meter').first().waitFor()
}

const pathsOf = async (page: Page): Promise<string[]> =>
  (await (await page.request.get(`/repo/index?repo=${basename(folder)}`)).json()).paths
