// Tasks in a real browser, the rest: a dropped folder, a download, a swipe, missing money, and a pull request by keyboard alone.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { type FakeGithub, startGithub } from '@cowrie/testkit/fakes/github/github.ts'
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { WRITE_PERMISSIONS } from '@cowrie/testkit/tasks/github-world.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn, tabTo } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, isNotOffline, PHONE, SMALL_PHONE } from './journey.ts'

let github: FakeGithub
let upstream: FakeUpstream
const app = startApp(async () => {
  github = await startGithub()
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    ...github.variables,
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_SANDBOX_LOCAL: 'off',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
})
afterEach(() => upstream.reset())
afterAll(() => Promise.all([upstream?.close(), github?.close()]))
const drain = () => app.server.app.jobs.drain()

async function enter(email: string, options: BrowserContextOptions, balanceMinor = 500_000n) {
  const opened = await app.open(options)
  const { orgId } = await signInAs(opened.page, email)
  if (balanceMinor > 0n) await giveCredit(app.server, orgId, balanceMinor)
  return { ...opened, orgId }
}

const LONG = Array.from({ length: 400 }, (_, n) => `export const rate${n} = ${n}\n`).join('')
const FOLDER: Readonly<Record<string, string>> = {
  'shop/.gitignore': 'dist/\n*.log\n',
  'shop/src/rates.js': LONG,
  'shop/src/pay.js': `export const key = '${planted('paystack-live').secret}'\n`,
  'shop/.env': `TOKEN=${planted('github').secret}\n`,
  'shop/dist/rates.js': 'built\n',
  'shop/node_modules/left-pad/index.js': 'x\n',
  'shop/debug.log': 'x\n',
  'shop/logo.png': '\u0000',
}

test('a dropped folder names ignored, left-out and secret files, is sent compressed, and its changes are downloaded', async () => {
  const { page, faults } = await enter('tasks-folder@example.com', { ...PHONE, acceptDownloads: true })
  upstream.fallback(
    byStep(
      calls(
        ['create', { path: 'docs/a.md', content: 'a\n' }],
        ['create', { path: 'docs/b.md', content: 'b\n' }],
      ),
      'Done.',
    ),
  )
  await page.goto('/app/tasks/new')
  await page.getByLabel('What should change?').fill('Write notes.')
  await page.locator('.drop-place').waitFor()
  await page.evaluate(dropScript(FOLDER))
  await page.getByTestId('accepted').getByText('3 files').waitFor()
  await page.getByTestId('accepted').getByText('2 ignored').waitFor()
  await page.getByText('1 file is left out').waitFor()
  await page.getByText('logo.png').waitFor()
  const secrets = page.getByRole('list', { name: 'Files with secrets' })
  await secrets.getByText('is not sent: files with this name hold secrets.').waitFor()
  await secrets.getByText('line 1 looks like a secret. The model sees a placeholder.').waitFor()
  await isFine(page)
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/tasks'),
  )
  await page.getByRole('button', { name: /^Start · at most ₦/ }).click()
  const request = await sent
  expect(request.headers()['content-encoding']).toBe('gzip')
  const packed = request.postDataBuffer() ?? Buffer.alloc(0)
  const body = gunzipSync(packed).toString('utf8')
  expect(packed.length).toBeLessThan(body.length / 2)
  expect([body.includes('rate399'), body.includes('TOKEN'), body.includes('left-pad')]).toEqual([
    true,
    false,
    false,
  ])
  await page.waitForURL('**/app/tasks/tsk_*')
  await drain()
  const read = JSON.stringify(upstream.requests.map(({ body: asked }) => asked.messages))
  expect(read).not.toContain(planted('paystack-live').secret)

  // One file per page; a swipe leads to the next one.
  await page.getByRole('button', { name: 'Show 2 changed files' }).click()
  const file = page.locator('.diff-pager .diff-file')
  await expect.poll(() => file.getAttribute('aria-label'), PATIENT).toBe('docs/a.md')
  await page.evaluate(swipeScript(300, 60))
  await expect.poll(() => file.getAttribute('aria-label'), PATIENT).toBe('docs/b.md')
  await page.evaluate(swipeScript(60, 300))
  await expect.poll(() => file.getAttribute('aria-label'), PATIENT).toBe('docs/a.md')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download patch' }).first().click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('write-notes.patch')
  expect(readFileSync(await saved.path(), 'utf8')).toContain('+++ b/docs/b.md')
  await isFine(page)
  expect(faults.filter(isNotOffline)).toEqual([])
})

test('without money the missing amount is named, and text and files stay through a reload and a lost network', async () => {
  const { page, faults } = await enter('tasks-poor@example.com', SMALL_PHONE, 0n)
  await page.goto('/app/tasks/new')
  await page.getByText('The price appears here before you spend anything.').waitFor()
  await page.getByLabel('What should change?').fill('Make add add.')
  await page
    .getByLabel('Choose files', { exact: true })
    .setInputFiles([{ name: 'add.mjs', mimeType: 'text/javascript', buffer: Buffer.from('export {}\n') }])
  await page.getByText('more to start.').waitFor()
  await isFine(page)
  await page.getByRole('link', { name: /^Top up ₦.* or more/ }).click()
  await page.waitForURL('**/app/wallet/top-up?amount=*')
  await page.goto('/app/tasks/new')
  await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Make add add.')
  await page.getByTestId('accepted').getByText('1 file').waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline. Your text is saved.').waitFor()
  expect(await page.getByRole('button', { name: /^Start|price/ }).isDisabled()).toBe(true)
  await page.context().setOffline(false)
  expect(faults.filter(isNotOffline)).toEqual([])
})

test('by keyboard alone: import a repository, follow the work, accept and reject hunks, and open the pull request', async () => {
  const { page, faults } = await enter('tasks-keyboard@example.com', DESKTOP)
  github.install(802, 'adunni').permissions = { ...WRITE_PERMISSIONS }
  const repo = github.addRepo('adunni/rates', 802, { 'src/rates.js': LONG })
  const claim = await page.request.post('/vcs/installations/claim', { data: { installationId: 802 } })
  expect(claim.status(), await claim.text()).toBe(200)
  const edit = (n: number) => ({ find: `rate${n} = ${n}\n`, replace: `rate${n} = ${2 * n}\n` })
  upstream.fallback(
    byStep(calls(['edit', { path: 'src/rates.js', edits: [edit(10), edit(300)] }]), 'Doubled two rates.'),
  )
  await page.goto('/app/tasks/new')
  await tabTo(page, `document.activeElement?.id === 'prompt'`)
  await page.keyboard.type('Double two rates.')
  await tabTo(page, `document.activeElement?.getAttribute('value') === 'files'`)
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('Repository').waitFor()
  await tabTo(page, `document.activeElement?.name === 'repository'`)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByLabel('Branch').inputValue(), PATIENT).toBe('trunk')
  await isFine(page)
  await page.locator('.new-task button[type=submit][aria-disabled="false"]').waitFor()
  await tabTo(page, `document.activeElement?.type === 'submit'`)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/app/tasks/tsk_*')
  await drain()
  await page.getByLabel('Turn 1').getByText('Doubled two rates.').first().waitFor()

  await expect.poll(() => page.locator('.hunk').count(), PATIENT).toBe(2)
  await page.keyboard.press('n')
  await tabTo(
    page,
    `document.activeElement?.textContent === 'Accept' && document.activeElement.closest('.hunk')`,
  )
  await page.keyboard.press('Enter')
  await page.keyboard.press('n')
  await tabTo(
    page,
    `document.activeElement?.textContent === 'Reject' && document.activeElement.closest('.hunk')`,
  )
  await page.keyboard.press('Enter')
  await page.getByText('Rejected one change in src/rates.js.').waitFor()
  await expect.poll(() => page.locator('.hunk').count(), PATIENT).toBe(1)
  await isFine(page)

  await pressOn(page.getByRole('button', { name: 'Open pull request' }))
  await page.getByRole('dialog').getByLabel('Title').waitFor()
  await isFine(page)
  await page.getByRole('dialog').getByLabel('Title').press('Enter')
  await page.getByTestId('pull-state').getByText('Draft').waitFor()
  const [branch = ''] = [...repo.commits.keys()].filter((name) => name.startsWith('cowrie/'))
  const rates = repo.commits.get(branch)?.['src/rates.js'] ?? ''
  expect([rates.includes('rate10 = 20\n'), rates.includes('rate300 = 300\n')]).toEqual([true, true])
  expect(faults.filter(isNotOffline)).toEqual([])
})

/** Drops files as a folder, as browsers give them. */
const dropScript = (files: Readonly<Record<string, string>>): string => `(() => {
  const files = ${JSON.stringify(files)}
  const folder = (path) => ({
    isFile: false,
    name: path.split('/').at(-1),
    fullPath: '/' + path,
    createReader() {
      const below = Object.keys(files).filter((name) => name.startsWith(path + '/'))
      const names = new Set(below.map((name) => name.slice(path.length + 1).split('/')[0]))
      const parts = [[...names].map((name) => entryOf(path + '/' + name)), []]
      return { readEntries: (done) => done(parts.shift()) }
    },
  })
  const entryOf = (path) => {
    if (files[path] === undefined) return folder(path)
    const file = new File([files[path]], path.split('/').at(-1))
    return { isFile: true, name: file.name, fullPath: '/' + path, file: (done) => done(file) }
  }
  const event = new Event('drop', { bubbles: true, cancelable: true })
  const items = [{ kind: 'file', webkitGetAsEntry: () => folder('shop') }]
  Object.defineProperty(event, 'dataTransfer', { value: { items, files: [], types: ['Files'] } })
  document.querySelector('.drop-place').dispatchEvent(event)
})()`

const swipeScript = (from: number, to: number): string => `(() => {
  const pager = document.querySelector('.diff-pager')
  for (const [type, clientX] of [['touchstart', ${from}], ['touchend', ${to}]]) {
    const touch = new Touch({ identifier: 1, target: pager, clientX, clientY: 300 })
    const touches = type === 'touchend' ? [] : [touch]
    pager.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: [touch] }))
  }
})()`
