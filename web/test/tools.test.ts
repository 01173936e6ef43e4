// Keys with budgets and limits, and the guide of a coding tool, in a real browser.
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flushRequestLog } from '../../server/src/metering/requests/request-log.ts'
import { startApp } from './app.ts'
import { axeFaults } from './axe.ts'
import { overflowOf, PATIENT, pressOn } from './browser.ts'
import { enterAt } from './people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const PROMPT = 'hello '.repeat(4_000)

const app = startApp()

soakTest(
  'a key gets a budget and limits, shows what is spent and left, and warns before the budget is used up',
  async () => {
    const { orgId, email } = await app.server.person({ email: 'budget@tools.example.com' })
    await giveCredit(app.server, orgId, 100_000n)
    const { page, faults } = await app.open(PHONE)
    await enterAt(page, '/app/keys', email)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByText('Budget and limits').click()
    await page.getByLabel('Budget (₦)').fill('1,234')
    await page.getByLabel('Period').selectOption('Per day')
    await page.getByRole('combobox', { name: 'Models' }).fill('open')
    await page.getByRole('combobox', { name: 'Models' }).press('Enter')
    await page.getByRole('button', { name: 'Remove open' }).waitFor()
    // Not yet a chip: the form has it all the same.
    await page.getByRole('combobox', { name: 'Models' }).fill('claude-*')
    await page.getByLabel('Requests per minute').fill('60')
    await page.getByRole('combobox', { name: 'Allowed addresses' }).fill('127.0.0.1, ::1')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('This is ambiguous; write 1234 or 1234.00.').waitFor()
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('budgetMinor')
    await page.getByLabel('Budget (₦)').fill('50')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await textOf(page, '.once [data-testid="copyable"]')
    const keys = page.getByRole('region', { name: 'Active keys' })
    await keys.getByText('₦0.00 of ₦50.00 spent today, ₦50.00 left').waitFor()
    await keys.getByText('Models: open, claude-* · 60 requests per minute · From 127.0.0.1, ::1').waitFor()
    expect(await overflowOf(page)).toBe(0)

    expect(await callModel(key, PROMPT)).toBe(200)
    await page.reload()
    await keys.getByText(/of ₦50.00 spent today/).waitFor()
    const spent = /₦(\d+)\.(\d\d) of/.exec((await keys.textContent()) ?? '')
    const minor = BigInt(`${spent?.[1]}${spent?.[2]}`)
    expect(minor).toBeGreaterThan(100n)
    await setBudget(page, formatMinor((minor * 10n) / 9n))
    await keys.getByText(/^(89|90) % used$/).waitFor()
    expect(await page.locator('meter.cap-bar.near').count()).toBe(1)
    await setBudget(page, formatMinor(minor))
    await keys.getByText('Budget used up').waitFor()
    expect(await callModel(key, PROMPT)).toBe(402)
    expect(await axeFaults(page)).toEqual([])
    await setBudget(page, '', async () => {
      await page.getByRole('button', { name: 'Remove open' }).click()
      await page.getByRole('button', { name: 'Remove claude-*' }).click()
    })
    await keys.getByText(`₦${formatMinor(minor)} spent`, { exact: true }).waitFor()
    expect(await keys.getByText('Models:').count()).toBe(0)
    await keys.getByRole('link', { name: 'Requests' }).waitFor()
    expect(faults).toEqual([])
  },
)

test('a tool is set up with its own key, which fills the snippet, and its first call is reported', async () => {
  const { orgId, email } = await app.server.person({ email: 'caller@tools.example.com' })
  await giveCredit(app.server, orgId, 100_000n)
  const { page, faults } = await app.open(PHONE)
  await page.clock.install()
  await enterAt(page, '/app/keys', email)
  await page.getByRole('link', { name: 'Set up Claude Code, Codex, Cursor and other tools' }).click()
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: 'Codex' }).click()
  await page.getByRole('heading', { name: '1. Install Codex' }).waitFor()
  await page.getByText('npm install -g @openai/codex').waitFor()
  const snippet = page.locator('.tool-file [data-testid="copyable"]')
  expect(await snippet.textContent()).toContain(`base_url = "${app.origin}/v1"`)
  expect(await snippet.textContent()).toContain('YOUR_API_KEY')
  await page.getByLabel('Model', { exact: true }).selectOption('open')
  await page.getByLabel('Budget (₦)').fill('500')
  await pressOn(page.getByRole('button', { name: 'Create key' }))
  const key = await textOf(page, '.once [data-testid="copyable"]')
  await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('tool-key')
  const filled = (await snippet.textContent()) ?? ''
  expect(filled).toContain(`experimental_bearer_token = "${key}"`)
  expect(filled).toContain('model = "open"')
  await page.getByText('Or with one command').click()
  await page.getByText(`cowrie setup codex --model open --base-url ${app.origin}`).waitFor()

  const status = page.locator('.first-call [role="status"]')
  await page.getByText('Waiting for the first call …').waitFor()
  await page.clock.fastForward(600_000)
  await page.clock.runFor(4_000)
  await page.getByRole('button', { name: 'Keep waiting' }).click()
  expect(await callModel(key, 'hello')).toBe(200)
  await flushRequestLog(app.server.app)
  await page.clock.runFor(4_000)
  await expect.poll(() => status.textContent(), PATIENT).toMatch(/^First call received: open, ₦\d+\.\d\d\.$/)
  await page.getByTestId('first-call-age').waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Show it in the request log' }).click()
  await expect.poll(() => page.locator('details.request').count(), PATIENT).toBe(1)
  await page.goto('/app/tools?client=codex')
  await page.getByText('YOUR_API_KEY').first().waitFor()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'Models and prices' }).click()
  await page.getByText('All tokens').first().waitFor()
  await page.getByText('₦900.00').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(faults).toEqual([])
})

async function callModel(key: string, content: string): Promise<number> {
  const { status } = await app.server.call('POST', '/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'open', max_tokens: 50, messages: [{ role: 'user', content }] },
  })
  return status
}

async function setBudget(page: Page, budget: string, change = async () => {}): Promise<void> {
  await page.getByRole('button', { name: 'Edit Laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Laptop”' })
  await dialog.getByLabel('Budget (₦)').fill(budget)
  await change()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).textContent()) ?? ''
}

/** "12.34". */
const formatMinor = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
