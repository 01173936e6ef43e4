// Tasks in a real browser: from the sample to a verified difference, the next message and the way back; stop, reload, a second
// device, and the keyboard alone.

import { answer, create, PROJECT } from '@cowrie/testkit/agent/loop.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn, tabTo } from '../browser.ts'
import { enterAt, signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, isNotOffline, minorOf, PHONE } from './journey.ts'

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
afterEach(() => upstream.reset())
afterAll(() => upstream?.close())

const FIX = ['edit', { path: 'src/kobo.js', edits: [{ find: 'a - b', replace: 'a + b' }] }] as const
const NOTES = ['create', { path: 'docs/notes.md', content: 'Amounts are added.\n' }] as const
const drain = () => app.server.app.jobs.drain()

test('on a phone, the sample becomes a verified difference, and a follow-up can be reverted', async () => {
  const { page, faults } = await enter('tasks-phone@example.com', PHONE)
  const bytes = await countBytes(page)
  upstream.fallback(byStep(calls([...FIX]), 'I **fixed** `add`.', calls([...NOTES]), 'I wrote notes.'))
  await page.goto('/app/tasks')
  await page.getByText('Describe a change. Get a tested diff.').waitFor()
  await isFine(page)
  const before = await minorOf(page, 'meter')
  await page.getByRole('button', { name: /^Fix the sample · at most ₦/ }).click()
  await page.waitForURL('**/app/tasks/tsk_*')
  await page.getByText('Queued').first().waitFor()
  await drain()
  await page.getByText('The tests failed before and pass now.').waitFor()
  expect(await page.getByTestId('tests').textContent()).toBe('1 of 2 pass → 2 of 2 pass')
  await isFine(page)
  const cost = await minorOf(page, 'turn-cost')
  expect(cost).toBeGreaterThan(0n)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(before - cost)

  // The changes open as a sheet, and Escape leads back.
  await page.getByRole('button', { name: 'Show 1 changed file' }).click()
  const sheet = page.getByRole('dialog', { name: 'Workspace' })
  await sheet.getByText('return a + b').first().waitFor()
  await isFine(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  process.stdout.write(`phone journey to a verified difference: ${await bytes()} bytes\n`)

  // The next message, in place.
  await page.getByLabel('Message').fill('Write notes.')
  await page.getByRole('button', { name: /^Send · at most ₦/ }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await drain()
  await page.getByText('I wrote notes.').first().waitFor()
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('')

  // The first turn is one line now. It opens, and the files return to its state.
  await page.getByLabel('Turn 1').getByText('I fixed add.').click()
  await page.getByLabel('Turn 1').getByText(/step/i).first().click()
  await page.getByLabel('Turn 1').getByText('Edited').waitFor()
  await page.getByRole('button', { name: 'Revert to here Turn 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to here' }).click()
  await page.getByText('Files reverted to turn 1.').first().waitFor()
  await page.keyboard.press('Escape')
  const task = new URL(page.url()).pathname.split('/').at(-1)
  const reply = await page.request.get(`/tasks/${task}/files/docs/notes.md`)
  expect(reply.status()).toBe(404)
  await isFine(page)
  expect(faults.filter(isNotForeseen)).toEqual([])
})

soakTest(
  'on a desktop, a running turn survives a reload, is followed on a second device, and stops',
  async () => {
    const email = 'tasks-desk@example.com'
    const { page, faults } = await enter(email, DESKTOP)
    const middle = gate()
    upstream.fallback(
      byStep(
        { pieces: ['I look at ', middle.opened, 'the test.'], ...calls(['list', {}]) },
        calls([...FIX]),
        'Done.',
      ),
    )
    await page.goto('/app/tasks/new')
    await page.getByLabel('What should change?').fill('Fix it.')
    await page.getByLabel('Choose files', { exact: true }).setInputFiles([
      { name: 'a.js', mimeType: 'text/javascript', buffer: Buffer.from('export const a = 1\n') },
      { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0]) },
      { name: '.env', mimeType: 'text/plain', buffer: Buffer.from('TOKEN=1\n') },
    ])
    await page.getByText('1 file, ').waitFor()
    await page.getByText('logo.png').waitFor()
    await page.getByText('is not sent: files with this name hold secrets.').waitFor()
    await isFine(page)
    await page.getByRole('button', { name: /^Start · at most ₦/ }).click()
    await page.waitForURL('**/app/tasks/tsk_*')
    const work = drain()
    await page.getByText('I look at').waitFor()
    await page.reload()
    await page.getByText('I look at').waitFor()

    const second = await app.open(PHONE)
    await enterAt(second.page, new URL(page.url()).pathname, email)
    await second.page.getByText('I look at').waitFor()
    await second.page.getByRole('button', { name: 'Stop' }).click()
    await second.page.getByRole('button', { name: 'Stopping after this step …' }).waitFor()
    middle.open()
    await work
    for (const each of [page, second.page])
      await each.getByText('You stopped it. The work so far is kept.').waitFor()
    const { turns } = await (
      await page.request.get(`/tasks/${new URL(page.url()).pathname.split('/').at(-1)}`)
    ).json()
    expect(turns).toMatchObject([{ stopReason: 'stopped' }])

    // The workspace beside it: files and cost.
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'a.js' }).click()
    await page.getByText('export const a = 1').waitFor()
    await page.getByRole('tab', { name: 'Cost' }).click()
    await expect.poll(() => minorOf(page, 'task-spent'), PATIENT).toBe(BigInt(turns[0].spentMinor))
    await isFine(page)
    expect([...faults, ...second.faults].filter(isNotForeseen)).toEqual([])
  },
)

test('an approval is asked for with its reason, by the keyboard alone', async () => {
  const { page, faults } = await enter('tasks-keys@example.com', DESKTOP)
  const workflow = ['create', { path: '.github/workflows/ci.yml', content: 'on: push\n' }] as const
  upstream.fallback(byStep(calls([...workflow]), 'Done.'))
  await page.goto('/app/tasks/new')
  await tabTo(page, `document.activeElement?.id === 'prompt'`)
  await page.keyboard.type('Add a workflow.')
  await tabTo(page, `document.activeElement?.getAttribute('value') === 'files'`)
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Nothing to upload.').waitFor()
  await page.getByRole('button', { name: /^Start · at most ₦/ }).waitFor()
  await page.getByLabel('What should change?').press('Control+Enter')
  await page.waitForURL('**/app/tasks/tsk_*')
  await drain()
  await page.getByText('on: push').first().waitFor()
  await isFine(page)
  await tabTo(page, `document.activeElement?.textContent === 'Approve'`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  await drain()
  await page.getByLabel('Turn 1').getByText('Done.').first().waitFor()

  // Rename and archive through the menu; the list finds it again.
  await moreActions(page, 'Rename')
  await page.getByLabel('Title').fill('The workflow')
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { name: 'The workflow' }).waitFor()
  const archived = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await moreActions(page, 'Archive')
  await archived
  await page.goto('/app/tasks')
  await page.getByText('Describe a change. Get a tested diff.').waitFor()
  await pressOn(page.getByRole('button', { name: 'Archived' }))
  await page.getByRole('link', { name: /The workflow/ }).waitFor()
  await page.getByLabel('Search tasks').fill('no such task')
  await page.getByText('No archived tasks.').waitFor()
  await isFine(page)
  expect(faults.filter(isNotForeseen)).toEqual([])
})

soakTest(
  'a task of a terminal gets its next message from a phone, and the terminal runs the tools',
  async () => {
    const { page, faults } = await enter('tasks-terminal@example.com', PHONE)
    upstream.fallback(byStep(calls(['todo', { items: ['sum'] }]), 'The list has one item.'))
    const todo = { name: 'todo', description: 'Changes the list.', inputSchema: { type: 'object' } }
    const made = await page.request.post('/tasks', {
      data: { title: 'Sums', workspace: { kind: 'client', name: 'ada-laptop', tools: [todo] } },
    })
    const { id } = await made.json()
    await page.goto(`/app/tasks/${id}`)
    await page.getByText('The terminal on ada-laptop runs the tools. Keep cowrie open there.').waitFor()
    await page.getByLabel('Message').fill('Add sum to the list.')
    await page.getByRole('button', { name: /^Send · at most ₦/ }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await drain()
    await page.getByText('Waiting for the terminal on ada-laptop.').waitFor()
    await page.getByText('Run cowrie resume in that folder to continue.').waitFor()
    await isFine(page)
    const { needs } = await (await page.request.get(`/tasks/${id}`)).json()
    expect(needs).toMatchObject([{ kind: 'tool', tool: 'todo', input: { items: ['sum'] } }])
    const results = [{ callId: needs[0].callId, ok: true, output: 'noted' }]
    await page.request.post(`/tasks/${id}/tool-results`, { data: { results } })
    await drain()
    await page.getByText('The list has one item.').first().waitFor()
    await isFine(page)
    expect(faults.filter(isNotForeseen)).toEqual([])
  },
)

soakTest('a run of the API is read in the history, downloaded, and continued as a task', async () => {
  const { page, faults } = await enter('tasks-runs@example.com', { ...PHONE, acceptDownloads: true })
  upstream.script(answer(create('docs/notes.md', 'It adds.')))
  const made = await page.request.post('/agent/run', { data: { prompt: 'Write `notes`.', context: PROJECT } })
  expect(made.status(), await made.text()).toBe(200)
  await page.goto('/app/agent/runs')
  await page.getByRole('link', { name: 'Write notes.' }).click()
  await page.getByText('No tests were run').waitFor()
  await page.getByText('It adds.').waitFor()
  expect(await minorOf(page, 'run-cost')).toBeGreaterThan(0n)
  await isFine(page)
  const download = page.waitForEvent('download')
  await moreActions(page, 'Download files')
  expect((await download).suggestedFilename()).toMatch(/^cowrie-\w{6}\.zip$/)
  await page.getByRole('button', { name: 'Continue as a task' }).click()
  await page.waitForURL('**/app/tasks/new')
  await page.getByTestId('accepted').getByText('1 file').waitFor()
  // The old address of the agent leads to the same form.
  await page.goto('/app/agent?prompt=Go+on.')
  await page.waitForURL('**/app/tasks/new?prompt=*')
  await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Go on.')
  expect(faults.filter(isNotForeseen)).toEqual([])
})

async function enter(
  email: string,
  options: BrowserContextOptions,
): Promise<{ page: Page; faults: string[] }> {
  const opened = await app.open(options)
  const { orgId } = await signInAs(opened.page, email)
  await giveCredit(app.server, orgId, 500_000n)
  return opened
}

async function moreActions(page: Page, name: string): Promise<void> {
  await pressOn(page.getByRole('button', { name: 'More actions', exact: true }))
  await pressOn(page.getByRole('button', { name, exact: true }))
}

/** The bytes on the wire since now. */
async function countBytes(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  let sum = 0
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    sum += encodedDataLength
  })
  session.on('Network.responseReceived', ({ response }) => {
    sum += response.encodedDataLength
  })
  await session.send('Network.enable')
  return async () => sum
}

/** Missing files and reloads during a stream are logged by browsers. */
const isNotForeseen = (fault: string): boolean =>
  isNotOffline(fault) && !/ERR_ABORTED|status of 404/.test(fault)
