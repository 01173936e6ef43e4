// The changes of a task in a real browser: read, accept, reject with undo, comment, with the keyboard and on a phone.

import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { axeFaults } from '../axe.ts'
import { overflowOf, PATIENT } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, PHONE } from './journey.ts'

let upstream: FakeUpstream
const app = startApp(async () => {
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_SANDBOX_LOCAL: 'off',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
})
afterAll(() => upstream?.close())

const middle = Array.from({ length: 60 }, (_, i) => `export const value${i} = ${i} // line ${i}\n`).join('')
const FILES = {
  'src/money/kobo.ts': `import { sum } from './sum.ts'\n${middle}export const last = "a"\n`,
  'src/money/old.ts': 'export const gone = true\n',
}
const EDIT = calls(
  [
    'edit',
    {
      path: 'src/money/kobo.ts',
      edits: [
        { find: "import { sum } from './sum.ts'", replace: "import { total } from './total.ts'" },
        { find: 'export const last = "a"', replace: 'export const last = "b"\nexport const more = 1' },
      ],
    },
  ],
  ['create', { path: 'docs/kobo.md', content: '# Kobo\n\nOne hundredth of a naira.\n' }],
  ['delete', { path: 'src/money/old.ts' }],
)

async function enter(email: string, options: BrowserContextOptions): Promise<{ page: Page; task: string }> {
  upstream.fallback(byStep(EDIT, 'Renamed `sum` to `total`.'))
  const { page } = await app.open(options)
  const { orgId } = await signInAs(page, email)
  await giveCredit(app.server, orgId, 200_000n)
  const files = Object.entries(FILES).map(([path, content]) => ({ path, content }))
  const made = await page.request.post('/tasks', { data: { workspace: { kind: 'files', files } } })
  const { id: task } = (await made.json()) as { id: string }
  const started = await page.request.post(`/tasks/${task}/turns`, {
    data: { prompt: 'Rename sum to total.' },
    headers: { 'idempotency-key': `turn-${task}` },
  })
  expect(started.status()).toBe(202)
  await app.server.app.jobs.drain()
  await page.goto(`/app/tasks/${task}`)
  return { page, task }
}

const pathsOf = async (page: Page, task: string): Promise<string[]> => {
  const reply = (await (await page.request.get(`/tasks/${task}/diff`)).json()) as {
    files: { path: string }[]
  }
  return reply.files.map(({ path }) => path)
}
const KOBO = 'src/money/kobo.ts'
const ALL = ['docs/kobo.md', KOBO, 'src/money/old.ts']

test('on a desktop, changes are read by keys, rejected with undo, accepted, and commented', async () => {
  const { page, task } = await enter('reader@example.com', DESKTOP)
  // Three columns leave room for one file at a time.
  await page.locator('.changes-sum').getByText('3 files changed').waitFor()
  await expect.poll(() => overflowOf(page), PATIENT).toBe(0)
  await page.keyboard.press('j')
  await page.getByText('2 of 3').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1920, height: 900 })
  const kobo = page.getByRole('region', { name: KOBO })
  const hunks = kobo.locator('.hunk')
  await expect.poll(() => hunks.count(), PATIENT).toBe(2)

  // Keys: the second hunk of the file, and the line in it.
  for (const _ of ['docs', 'first', 'second']) await page.keyboard.press('n')
  await expect.poll(() => hunks.nth(1).and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.press('k')
  await expect
    .poll(() =>
      page.evaluate<string>("document.activeElement?.closest('section')?.getAttribute('aria-label')"),
    )
    .toBe(KOBO)

  await kobo.getByRole('button', { name: 'Show 20 more lines' }).first().click()
  await kobo.getByText('value20 = 20').waitFor()
  if (isSoak) expect(await axeFaults(page)).toEqual([])

  await hunks.first().getByRole('button', { name: 'Accept' }).click()
  await hunks.first().getByRole('button', { name: 'Accepted' }).waitFor()
  await hunks.nth(1).getByRole('button', { name: 'Reject' }).click()
  await expect.poll(() => hunks.count(), PATIENT).toBe(1)
  const stored = () => page.request.get(`/tasks/${task}/files/${KOBO}`).then((reply) => reply.text())
  expect(await stored()).toContain('last = "a"')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => hunks.count(), PATIENT).toBe(2)
  expect(await stored()).toContain('last = "b"')
  // The mark belongs to the hunk and is still there after a reload.
  await page.reload()
  await hunks.first().getByRole('button', { name: 'Accepted' }).waitFor()

  await page.getByRole('button', { name: 'More actions for the changes' }).click()
  await page.getByRole('button', { name: 'Revert all' }).click()
  await page.getByText('All changes reverted.').waitFor()
  expect(await pathsOf(page, task)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => hunks.count(), PATIENT).toBe(2)
  expect(await pathsOf(page, task)).toEqual(ALL)

  await page.getByRole('button', { name: 'Split' }).click()
  await expect.poll(() => page.locator('table.split').count(), PATIENT).toBeGreaterThan(0)
  await expect.poll(() => overflowOf(page), PATIENT).toBe(0)

  await hunks.nth(1).focus()
  await page.keyboard.press('c')
  await page.getByLabel(/What should change at line/).fill('Call it rest.')
  await page.getByRole('button', { name: 'Add to message' }).click()
  await expect
    .poll(() => page.locator('textarea').first().inputValue())
    .toMatch(/^src\/money\/kobo\.ts:\d+: Call it rest\.$/)
})

soakTest('on a phone, one file fills the page, and a long difference renders only what is near', async () => {
  const { page, task } = await enter('phone@example.com', PHONE)
  await page.getByRole('button', { name: 'Workspace' }).click()
  const file = page.locator('.diff-pager .diff-file')
  await expect.poll(() => file.getAttribute('aria-label'), PATIENT).toBe('docs/kobo.md')
  expect(await page.locator('.changes').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect.poll(() => file.getAttribute('aria-label')).toBe(KOBO)
  await page.getByRole('button', { name: `Reject ${KOBO}` }).click()
  await page.getByText(`Rejected the changes to ${KOBO}.`).waitFor()
  expect(await pathsOf(page, task)).toEqual(['docs/kobo.md', 'src/money/old.ts'])

  await page.route('**/diff', (route) => route.fulfill({ json: LARGE }))
  await page.setViewportSize({ width: 1920, height: 900 })
  await page.reload()
  await expect.poll(() => page.locator('.diff-file').count(), PATIENT).toBe(CHANGED_FILES)
  await expect.poll(() => page.locator('.line').count()).toBeGreaterThan(20)
  expect(await page.locator('.line').count()).toBeLessThan(1_500)
  await page.locator('.diff-file').last().scrollIntoViewIfNeeded()
  await page
    .getByText(`new${CHANGED_FILES - 1}`)
    .first()
    .waitFor()
  expect(await page.locator('.line').count()).toBeLessThan(2_000)
})

/** Files with 20 changed lines each. */
const CHANGED_FILES = rounds(100, 300)
const LARGE = {
  added: CHANGED_FILES * 10,
  removed: CHANGED_FILES * 10,
  change: 9,
  skipped: [],
  files: Array.from({ length: CHANGED_FILES }, (_, file) => {
    const lines = (sign: string, name: string) =>
      Array.from({ length: 10 }, (_, i) => `${sign}const ${name}${file} = ${i}\n`).join('')
    const path = `src/part${file % 12}/file${String(file).padStart(3, '0')}.ts`
    return {
      path,
      action: 'update',
      added: 10,
      removed: 10,
      patch: `--- a/${path}\n+++ b/${path}\n@@ -1,10 +1,10 @@\n${lines('-', 'old')}${lines('+', 'new')}`,
      isBinary: false,
      isWhole: false,
      sha256: '0'.repeat(64),
    }
  }),
}
