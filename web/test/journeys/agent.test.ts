// The agent in a real browser: the price before, steps and cost during, changes and exact cost after. Paid work is not lost by
// Stop, a reload or a broken network.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answer, change, create, PROJECT, slowAnswer } from '@cowrie/testkit/agent/loop.ts'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, isNotOffline, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

let upstream: FakeUpstream
const app = startApp(async () => {
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_SANDBOX_LOCAL: 'on',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
})
afterAll(() => upstream?.close())

const REPAIR = change('add.mjs', 'export const add = (a, b) => a - b', 'export const add = (a, b) => a + b')
const NOTES = create('docs/notes.md', 'It adds.')

soakTest(
  'a new user without money sees the price and the missing amount, and keeps text and files',
  async () => {
    const { page, faults } = await enter('poor@example.com', SMALL_PHONE, 0n)
    await page.getByText('The price appears here before you spend anything.').waitFor()
    await compose(page)
    await page.getByTestId('quote-max').waitFor()
    await page.getByText('more to start.').waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: /^Run/ }).getAttribute('aria-disabled'))
      .toBe('true')
    await isFine(page)
    await page.getByRole('link', { name: /^Top up ₦.* or more/ }).click()
    await page.waitForURL('**/app/wallet/top-up?amount=*')
    await page.goto('/app/agent')
    await page.getByTestId('quote-max').waitFor()
    await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Make add add.')
    expect(await filesOf(page)).toEqual(['add.mjs', 'add.test.mjs'])

    // Rejected files are listed with a reason; attached ones stay.
    await page
      .getByLabel('Add files')
      .setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0]) }])
    await page.getByRole('alert').getByText('a.png is not text').waitFor()
    expect(await filesOf(page)).toEqual(['add.mjs', 'add.test.mjs'])

    await page.context().setOffline(true)
    await page.getByText('You are offline. Your input is saved; run it when you are back online.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Run/ }).isDisabled()).toBe(true)
    await page.context().setOffline(false)
    await page.getByTestId('quote-max').waitFor()
    expect(faults.filter(isNotForeseen)).toEqual([])
  },
)

test('a loop shows its steps and cost, is charged exactly, and its patch applies', async () => {
  const { page, faults } = await enter('ada@example.com', {
    ...PHONE,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await compose(page)
  const first = await minorOf(page, 'quote-max')
  // A click right after the last letter finds no price for it yet, and nothing starts.
  const begun: string[] = []
  page.on('request', (request) => /\/agent\/run(-loop)?$/.test(request.url()) && begun.push(request.url()))
  await page.evaluate(PRESS_AT_ONCE)
  await page.getByLabel('What should change?').fill('Make add add. '.repeat(200))
  await expect.poll(() => minorOf(page, 'quote-max'), PATIENT).toBeGreaterThan(first)
  await page.getByLabel('What should change?').fill('Make add add.')
  await expect.poll(() => minorOf(page, 'quote-max'), PATIENT).toBe(first)
  expect(begun).toEqual([])
  await testWith(page, 'node add.test.mjs')
  await expect.poll(() => minorOf(page, 'quote-max'), PATIENT).toBeGreaterThan(first)
  await page.getByText('Your plan allows 3.').waitFor()
  await isFine(page)
  const ceiling = await minorOf(page, 'quote-max')
  const before = await minorOf(page, 'meter')

  const middle = gate()
  upstream.script(slowAnswer(middle.opened, REPAIR, NOTES))
  await page.getByRole('button', { name: /^Run · up to ₦/ }).click()
  await steps(page).getByText('Tests before the change').waitFor()
  await steps(page).getByText('Planning').waitFor()
  await expect.poll(() => page.getByTestId('held').textContent(), PATIENT).toMatch(/^₦.* held$/)
  await isFine(page)
  middle.open()

  await page.getByRole('heading', { name: 'Agent run' }).waitFor()
  await page.getByText('Tests passed').waitFor()
  await isFine(page)
  await expect
    .poll(() => stepNames(page))
    .toEqual(['Tests before the change', 'Plan the change', 'Edit', 'Verify'])
  const cost = await minorOf(page, 'run-cost')
  expect(cost).toBeGreaterThan(0n)
  expect(cost).toBeLessThanOrEqual(ceiling)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - cost)
  const ledger = await (await page.request.get('/wallet/ledger?limit=1')).json()
  expect(ledger.entries[0]).toMatchObject({ source: 'agent', type: 'debit', amountMinor: Number(cost) })

  // The changes, visible and for screen readers.
  const file = page.locator('.diff-file').first()
  await expect.poll(() => file.locator('summary').textContent()).toMatch(/add\.mjs.*\+1 −1/s)
  await expect
    .poll(() => file.locator('.line').allInnerTexts())
    .toEqual([expect.stringContaining('removed'), expect.stringContaining('added')])
  await page.keyboard.press('n')
  await expect.poll(() => focusedHunk(page), PATIENT).toBe(0)
  await page.keyboard.press('n')
  await expect.poll(() => focusedHunk(page), PATIENT).toBe(1)
  await page.keyboard.press('p')
  await expect.poll(() => focusedHunk(page), PATIENT).toBe(0)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download patch' }).click(),
  ])
  const name = download.suggestedFilename()
  expect(applied(name, readFileSync(await download.path(), 'utf8'))).toEqual([
    'export const add = (a, b) => a + b\n',
    'It adds.\n',
  ])
  await page.getByRole('button', { name: 'Copy command' }).click()
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'), PATIENT)
    .toBe(`git apply ${name}`)

  // The same from the history, after a reload and without local data.
  await page.reload()
  await page.getByText('Tests passed').waitFor()
  await expect.poll(() => minorOf(page, 'run-cost')).toBe(cost)
  await page.getByRole('button', { name: 'Download patch' }).waitFor()
  await page.evaluate(FORGET)
  await page.reload()
  await page.getByText('original unknown').waitFor()
  await page.locator('summary', { hasText: 'original unknown' }).click()
  await isFine(page)
  const input = page.getByLabel('The file add.mjs before the change')
  await input.setInputFiles([{ name: 'add.mjs', mimeType: 'text/plain', buffer: Buffer.from('other') }])
  await page.getByText('This is not the version that the run used.').waitFor()
  await page.getByRole('button', { name: 'Download files' }).waitFor()
  await input.setInputFiles([asFile(PROJECT[0])])
  await page.getByRole('button', { name: 'Download patch' }).waitFor()

  await page.getByRole('link', { name: 'Past runs' }).click()
  await page.getByRole('link', { name: 'Make add add.' }).waitFor()
  await isFine(page)
  expect(faults).toEqual([])
})

soakTest('Stop ends the loop after its step, keeps the work and shows the cost', async () => {
  const { page, faults } = await enter('stopper@example.com', DESKTOP)
  await compose(page)
  await testWith(page, 'node add.test.mjs')
  const before = await minorOf(page, 'meter')
  const middle = gate()
  upstream.script(slowAnswer(middle.opened, REPAIR))
  await runIt(page)
  await steps(page).getByText('characters written').waitFor()
  const again = page.waitForRequest('**/agent/run-loop')
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByText('Stopping after this step.').waitFor()
  // The page asks for the outcome only after the service must have noticed the stop.
  await again
  middle.open()
  await page.getByRole('heading', { name: 'Agent run' }).waitFor()
  await page.getByText('Stopped', { exact: true }).waitFor()
  await page.locator('.diff-file', { hasText: 'add.mjs' }).waitFor()
  const cost = await minorOf(page, 'run-cost')
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - cost)
  expect(cost).toBeGreaterThan(0n)
  expect(faults.filter(isNotForeseen)).toEqual([])
})

soakTest('paid work is recovered after a reload and a broken network, and never charged twice', async () => {
  const { page, faults } = await enter('dropped@example.com', PHONE)
  page.on('dialog', (dialog) => void dialog.accept())
  await compose(page)
  await testWith(page, 'node add.test.mjs')
  const before = await minorOf(page, 'meter')
  const middle = gate()
  upstream.script(slowAnswer(middle.opened, REPAIR))
  await runIt(page)
  await steps(page).getByText('characters written').waitFor()
  await page.reload()
  await page.getByRole('main').getByText('Checking the result.').waitFor()
  middle.open()
  await page.getByText('Stopped', { exact: true }).waitFor()
  const first = await minorOf(page, 'run-cost')
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - first)

  // A single run whose answer is lost: the same key returns it, and it is charged once.
  await page.getByRole('link', { name: 'New run' }).click()
  await page.getByLabel('What should change?').fill('Make `add` add.')
  await page.getByLabel('Run once').check()
  const keys: (string | undefined)[] = []
  await page.route('**/agent/run', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await page.context().setOffline(true)
    await route.abort('internetdisconnected')
  })
  upstream.script((request) => answer(REPAIR)(request).replace('It is repaired.', 'Now `add` is right.'))
  await runIt(page)
  await page.getByRole('main').getByText('You are offline. We check the run').waitFor()
  await page.context().setOffline(false)
  await page.getByText('No tests were run').waitFor()
  const second = await minorOf(page, 'run-cost')
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - first - second)
  expect(new Set(keys).size).toBe(1)

  // Code in text is formatted as code, without backticks.
  await page.getByText('Now add is right.', { exact: true }).locator('code', { hasText: 'add' }).waitFor()
  await page.getByRole('link', { name: 'Past runs' }).click()
  const named = page.getByRole('link', { name: 'Make add add.', exact: true })
  await expect.poll(() => named.count(), PATIENT).toBe(2)
  await expect.poll(() => named.first().locator('code').textContent()).toBe('add')
  await isFine(page)
  expect(faults.filter(isNotForeseen)).toEqual([])
})

soakTest.for([320, 360])(
  'a result with several files fits %d pixels, and its summary is formatted',
  async (width) => {
    const { page, faults } = await enter(`several-${width}@example.com`, {
      ...SMALL_PHONE,
      viewport: { width, height: 740 },
    })
    await compose(page)
    await page.getByLabel('Run once').check()
    const files = ['config', 'components', 'controllers', 'repositories', 'services'].map((folder) =>
      create(`packages/server/source/${folder}/transaction-settlement-${folder}.notes.md`, 'It adds.'),
    )
    upstream.script((request) =>
      answer(
        REPAIR,
        ...files,
      )(request).replace('It is repaired.', 'The sign was **wrong**; dial *170# to check.'),
    )
    await runIt(page)
    const chip = page.getByText('No tests were run')
    await chip.waitFor()
    expect(await chip.getAttribute('class')).not.toContain('warn')
    await page
      .getByText('The sign was wrong; dial *170# to check.')
      .locator('strong', { hasText: 'wrong' })
      .waitFor()
    await isFine(page)
    expect(faults.filter(isNotForeseen)).toEqual([])
  },
)

soakTest(
  'an attached .env is not sent until it is allowed, and a key in code is masked for the model',
  async () => {
    const { page, faults } = await enter('secrets@example.com', SMALL_PHONE)
    const key = planted('paystack-live').secret
    const env = planted('github').secret
    await page.getByLabel('What should change?').fill('Make pay pay.')
    await page.getByLabel('Add files').setInputFiles(
      [
        { path: '.env', content: `TOKEN=${env}\n` },
        { path: 'pay.js', content: `export const key = '${key}'\n` },
      ].map(asFile),
    )
    await expect.poll(() => filesOf(page), PATIENT).toEqual(['pay.js'])
    const withheld = page.getByRole('list', { name: 'Files with secrets' })
    await withheld.getByText('is not sent: files with this name hold secrets.').waitFor()
    await withheld.getByText('line 1 looks like a secret. The model sees a placeholder.').waitFor()
    await page.locator('.price[aria-busy="false"]').getByTestId('quote-max').waitFor()
    await isFine(page)
    upstream.reset()
    upstream.script(answer())
    await page.getByRole('button', { name: /^Run · up to ₦/ }).click()
    await page.getByText('Withheld from the model because of secrets:').waitFor()
    const read = () => upstream.requests.map(({ body }) => JSON.stringify(body.messages)).join()
    expect([read().includes(key), read().includes(env)]).toEqual([false, false])
    await isFine(page)

    await page.goto('/app/agent')
    await page.getByLabel('What should change?').fill('Use the token.')
    await page.getByLabel('Add files').setInputFiles([asFile({ path: '.env', content: `TOKEN=${env}\n` })])
    await page.getByRole('button', { name: 'Send anyway: .env' }).click()
    await expect.poll(() => filesOf(page), PATIENT).toContain('.env')
    await page.locator('.price[aria-busy="false"]').getByTestId('quote-max').waitFor()
    upstream.script(answer())
    await page.getByRole('button', { name: /^Run · up to ₦/ }).click()
    await page.getByRole('heading', { name: 'Agent run' }).waitFor()
    expect([read().includes(key), read().includes(env)]).toEqual([false, true])
    expect(faults.filter(isNotForeseen)).toEqual([])
  },
)

async function enter(email: string, options: BrowserContextOptions, balanceMinor = 200_000n) {
  const opened = await app.open(options)
  const { orgId } = await signInAs(opened.page, email)
  if (balanceMinor > 0n) await giveCredit(app.server, orgId, balanceMinor)
  await opened.page.goto('/app/agent')
  await opened.page.getByLabel('What should change?').waitFor()
  await expect.poll(() => minorOf(opened.page, 'meter'), PATIENT).toBe(balanceMinor)
  return opened
}

type Sent = { path: string; content: string } | undefined
const asFile = (file: Sent) => ({
  name: file?.path ?? '',
  mimeType: 'text/plain',
  buffer: Buffer.from(file?.content ?? ''),
})

async function compose(page: Page): Promise<void> {
  await page.getByLabel('What should change?').fill('Make add add.')
  await page.getByLabel('Add files').setInputFiles(PROJECT.map(asFile))
  await expect.poll(() => filesOf(page), PATIENT).toEqual(['add.mjs', 'add.test.mjs'])
  // The price of the text alone may be shown until the price with files arrives.
  await page.locator('.price[aria-busy="false"]').getByTestId('quote-max').waitFor()
}

async function testWith(page: Page, command: string): Promise<void> {
  await page.getByLabel('Until the tests pass').check()
  await page.getByLabel('Test command').fill(command)
}

/** Types one more letter and clicks before the next frame. */
const PRESS_AT_ONCE = `(async () => {
  const field = document.querySelector('#prompt')
  field.value += '!'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  for (let turn = 0; turn < 10; turn++) await null
  field.form.requestSubmit()
})()`

/** Deletes the data that the browser stored for this page. */
const FORGET = `new Promise((done) => {
  Object.assign(indexedDB.deleteDatabase('cowrie'), { onblocked: done, onsuccess: done })
})`

const runIt = (page: Page): Promise<void> => page.getByRole('button', { name: /^Run · up to ₦/ }).click()
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
const filesOf = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Attached files' }).locator('bdi').allTextContents()
const stepNames = (page: Page): Promise<string[]> => steps(page).locator('strong').allTextContents()
const focusedHunk = (page: Page): Promise<number> =>
  page.evaluate<number>(`[...document.querySelectorAll('.hunk')].indexOf(document.activeElement)`)
/** The outcome request of a running run fails first, which the browser logs; it is repeated. */
const isNotForeseen = (fault: string): boolean => isNotOffline(fault) && !fault.includes('409 (Conflict)')

/** The changed and the new file, after git has applied the patch to a checkout of the sent files. */
function applied(name: string, patch: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-agent-'))
  try {
    for (const { path, content } of PROJECT) writeFileSync(join(folder, path), content)
    writeFileSync(join(folder, name), patch)
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['apply', '--check', name], { cwd: folder })
    execFileSync('git', ['apply', name], { cwd: folder })
    return ['add.mjs', 'docs/notes.md'].map((path) => readFileSync(join(folder, path), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
