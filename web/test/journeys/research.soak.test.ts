// Research: a question for a known price, followed live, read with its sources, stopped and downloaded; and projects.

import {
  type FakeUpstream,
  gate,
  type StreamPiece,
  startFakeUpstream,
} from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type FakeWeb, startWeb } from '@cowrie/testkit/fakes/web-pages.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scriptedModel, turnOf } from '@cowrie/testkit/research/model-script.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { QUESTION } from '../../../server/src/research/world/pages.ts'
import { startApp } from '../app.ts'
import { PATIENT, pressOn, shiftOf } from '../browser.ts'
import { enterAt } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, isNotOffline, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

const PLENTY = 1_000_000n
/** Two publishers, a page that refuses, and one that forbids automated reading. */
const SHOWN = /^\/(harbour-review|coast-daily|forbidden|private)/

let web: FakeWeb
let upstream: FakeUpstream
const app = startApp(async () => {
  web = await startWeb()
  upstream = await startFakeUpstream()
  asUsual()
  return startAtLocalhost({
    ...web.variables,
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  })
})
afterAll(async () => {
  await web.close()
  await upstream.close()
})

test('a question has a maximum cost, which can be lowered but not raised, and is kept until it is sent', async () => {
  const aki = await payer('aki@example.com')
  const { page, faults } = await enter(aki, '/app/research', PHONE)
  const depths = await depthsFor(aki)
  for (const { depth, maxMinor } of depths)
    await expect.poll(() => minorOf(page, `ceiling-${depth}`)).toBe(maxMinor)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  await isFine(page)
  await page.getByLabel('Question', { exact: true }).fill(QUESTION)
  await page.getByRole('radio', { name: 'Quick' }).check()
  await page.getByLabel('Limit in NGN').fill('9999')
  await page.getByText('This depth never costs more than').waitFor()
  await pressOn(page.getByLabel('Limit in NGN'))
  await expect.poll(() => focused(page), PATIENT).toBe('budget')
  await page.getByRole('button', { name: 'Use the maximum' }).click()
  const most = quick(depths).maxMinor
  await page.getByRole('button', { name: `Start · up to ${naira(most)}` }).waitFor()
  await expect.poll(() => draftOf(page), PATIENT).toBe(QUESTION)
  await page.reload()
  await expect.poll(() => page.getByLabel('Question', { exact: true }).inputValue(), PATIENT).toBe(QUESTION)
  expect((await app.server.call<{ runs: object[] }>('GET', '/research', { as: aki })).body.runs).toEqual([])
  expect(faults).toEqual([])
})

test('a run continues while its tab is closed, and its report links to every source and back', async () => {
  const ada = await payer('ada@example.com')
  const { page, faults } = await enter(ada, '/app/research', PHONE)
  const limit = quick(await depthsFor(ada)).maxMinor - 100n
  await page.getByLabel('Question', { exact: true }).fill(QUESTION)
  await page.getByRole('radio', { name: 'Quick' }).check()
  await page.getByLabel('Limit in NGN').fill(plain(limit))
  const [asked, goOn] = [gate(), gate()]
  web.wait(async () => {
    asked.open()
    await goOn.opened
  })
  await page.getByRole('button', { name: `Start · up to ${naira(limit)}` }).click()
  await page.waitForURL(/\/app\/research\/run_/)
  const work = drain()
  await asked.opened
  for (const kind of ['phase', 'plan', 'search', 'turn']) await told(page, kind).first().waitFor()
  await expect.poll(() => page.locator('.subquestions li').count()).toBeGreaterThan(0)
  await expect.poll(() => minorOf(page, 'run-cost'), PATIENT).toBeGreaterThan(0n)
  await page.getByTestId('held').waitFor()
  await isFine(page)

  // The tab is closed while the run continues. A reopened tab shows every event once.
  const address = page.url()
  await page.goto('about:blank')
  goOn.open()
  await page.goto(address)
  await told(page, 'phase').first().waitFor()
  await work
  await page.getByTestId('run-state').getByText('Complete').waitFor()
  await page.getByRole('tab', { name: 'Steps' }).click()
  for (const kind of ['source', 'finding', 'report', 'done']) await told(page, kind).first().waitFor()
  const seqs = await page.evaluate<number[]>(SEQS)
  expect(seqs).toEqual(seqs.map((_, at) => at + 1))
  const run = await detail(ada, idOf(address))
  await expect.poll(() => minorOf(page, 'run-cost')).toBe(run.spentMinor)
  expect(run.spentMinor).toBeLessThanOrEqual(limit)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(PLENTY - run.spentMinor)

  await page.getByRole('tab', { name: 'Sources' }).click()
  await page.getByRole('button', { name: 'Failed' }).click()
  await page.getByText('the site responded with status 403').waitFor()
  await page.getByRole('button', { name: 'Skipped' }).click()
  await page.getByRole('listitem').getByText('Skipped').first().waitFor()

  await page.getByRole('tab', { name: 'Report' }).click()
  const cite = page
    .locator('.report-text')
    .getByRole('link', { name: /^Source \d+$/ })
    .nth(1)
  const n = (await cite.textContent())?.replace(/\D/g, '')
  await isFine(page)
  await pressOn(cite)
  await expect.poll(() => focused(page), PATIENT).toBe(`source-${n}`)
  const source = page.locator(`#source-${n}`)
  const quote = (await source.locator('blockquote').first().textContent()) ?? ''
  await source.getByText('The text as it was read').click()
  await source.locator('mark').getByText(quote).waitFor()
  await page.goBack()
  await expect.poll(() => page.evaluate<string>('document.activeElement.dataset.cite'), PATIENT).toBe('1')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download report.md' }).click()
  const saved = await (await downloading).createReadStream()
  const text = Buffer.concat(await Array.fromAsync(saved)).toString()
  expect(text).toBe((await app.server.call('GET', run.report?.files[0]?.url ?? '', { as: ada })).text)
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: 'List of sources' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await expect.poll(() => page.locator('.printed li').count()).toBe(run.sources.length)
  expect(faults).toEqual([])
})

test('a run is cancelled after its current step, and only then deleted', async () => {
  const bisi = await payer('bisi@example.com')
  const [asked, goOn] = [gate(), gate()]
  asUsual((turn) => (turn === 'extract' ? [async () => asked.open(), () => goOn.opened] : []))
  const id = await start(bisi)
  const { page, faults } = await enter(bisi, `/app/research/${id}`, DESKTOP)
  const work = drain()
  await asked.opened
  await told(page, 'source').first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.getByText('Cancel the run before you delete it.').waitFor()
  await isFine(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await page.getByText('Finishing the current step.').waitFor()
  goOn.open()
  await work
  await page.getByTestId('run-ending').getByText('Cancelled. There is no report').waitFor()
  const run = await detail(bisi, id)
  expect(run).toMatchObject({ status: 'cancelled', report: null })
  await expect.poll(() => minorOf(page, 'run-cost')).toBe(run.spentMinor)
  expect(run.spentMinor).toBeGreaterThan(0n)
  await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(PLENTY - run.spentMinor)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No reports yet').waitFor()
  expect(faults).toEqual([])
})

test('a run that stops at its limit has a report, a failed one is refunded, and the limit of active runs is explained', async () => {
  const chidi = await payer('chidi@example.com')
  const { leastMinor } = quick(await depthsFor(chidi))
  const stopped = await start(chidi, { budgetMinor: leastMinor + 200n })
  await drain()
  web.search.fallback(() => ({ status: 400 }))
  const failed = await start(chidi)
  await drain()
  web.search.fallback(() => null)

  const { page, faults } = await enter(chidi, `/app/research/${stopped}`, SMALL_PHONE)
  await page
    .getByTestId('run-ending')
    .getByText(/^Stopped at your limit. The report was written from \d+ source/)
    .waitFor()
  await page.locator('.report-text p').first().waitFor()
  await isFine(page)
  await page.goto(`/app/research/${failed}`)
  await page.getByTestId('run-ending').getByText('It failed: no search got a response.').waitFor()
  await expect.poll(() => minorOf(page, 'refunded')).toBe((await detail(chidi, failed)).spentMinor)

  // Two runs are active, which is the limit: both are listed before anything is clicked.
  const going = [await start(chidi), await start(chidi)]
  await page.goto('/app/research')
  const full = page.getByRole('status', { name: 'Active runs' })
  await full.getByText('All 2 of your runs are active').waitFor()
  await expect.poll(() => full.getByRole('link').count(), PATIENT).toBe(2)
  await page.getByLabel('Question', { exact: true }).fill('One more?')
  const refused = page.waitForResponse((answer) => answer.status() === 429)
  await page.getByRole('button', { name: 'Start · up to' }).click()
  await refused
  await expect.poll(() => page.getByRole('button', { name: 'Start · up to' }).isEnabled(), PATIENT).toBe(true)
  await expect.poll(() => page.getByLabel('Question', { exact: true }).inputValue()).toBe('One more?')
  await isFine(page)
  for (const id of going) await app.server.call('POST', `/research/${id}/cancel`, { as: chidi, body: {} })

  const root = await app.server.person({ staff: 'super_admin' })
  const turn = (method: string, body?: object) =>
    app.server.call(method, '/admin/settings/research_enabled', { as: root, ...(body && { body }) })
  await turn('PUT', { value: false })
  await page.reload()
  await page.getByText('It is turned off on this platform.').waitFor()
  await turn('DELETE')
  // The service refused the third run, which the browser logs.
  expect(faults.filter((fault) => !fault.includes('429'))).toEqual([])
})

test('without money the question stays, and the missing amount links to the wallet', async () => {
  const efe = await app.server.person({ email: 'efe@example.com' })
  const { page, faults } = await enter(efe, '/app/research', PHONE)
  await page.getByLabel('Question', { exact: true }).fill('Why?')
  await page.getByLabel('Question', { exact: true }).press('Control+Enter')
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Top up ₦[\d.]+ or more$/ })
    .waitFor()
  await expect.poll(() => page.getByLabel('Question', { exact: true }).inputValue()).toBe('Why?')
  await page.context().setOffline(true)
  await page.getByText('You are offline. Your question is saved').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Start · up to' }).isDisabled()).toBe(true)
  // The service refused to start, which the browser logs.
  expect(faults.filter((fault) => isNotOffline(fault) && !fault.includes('402'))).toEqual([])
})

test('a project is created, shared, filled and viewed; a viewer sees disabled actions', async () => {
  const dayo = await payer('dayo@example.com', 'team')
  const viewer = await app.server.member(dayo.orgId, 'member')
  const { page, faults } = await enter(dayo, '/app/projects', PHONE)
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Harbours')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbours' }).waitFor()
  const projectId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Harbours of Africa')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbours of Africa' }).waitFor()
  await page.getByRole('button', { name: 'Share with a member' }).click()
  await page.getByLabel('Member', { exact: true }).selectOption({ label: viewer.email })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('combobox', { name: `Access of ${viewer.email}` }).waitFor()

  await start(dayo, { projectId })
  await start(dayo)
  await drain()
  await page.reload()
  const runs = page.getByRole('region', { name: 'Research', exact: true })
  await runs.getByText(QUESTION).waitFor()
  await expect.poll(() => runs.getByRole('listitem').count()).toBe(1)
  const files = page.getByRole('region', { name: 'Files' })
  await expect.poll(() => files.getByRole('listitem').count()).toBe(3)
  await isFine(page)
  const downloading = page.waitForEvent('download')
  await files.getByRole('button', { name: 'Download sources.json' }).click()
  expect((await downloading).suggestedFilename()).toBe('sources.json')
  await files.getByRole('button', { name: 'Delete report.html' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => files.getByRole('listitem').count(), PATIENT).toBe(2)
  await page.getByRole('link', { name: 'New research' }).click()
  await expect.poll(() => page.getByLabel('Project').inputValue(), PATIENT).toBe(projectId)

  const other = await enter(viewer, `/app/projects/${projectId}`, DESKTOP)
  await other.page.getByText('Can view').first().waitFor()
  for (const name of ['Rename', 'Share with a member', 'Delete report.md'])
    await expect.poll(() => other.page.getByRole('button', { name }).isDisabled()).toBe(true)
  await isFine(other.page)
  await other.page.getByRole('link', { name: QUESTION }).click()
  await other.page.locator('.report-text').waitFor()
  await isFine(other.page)
  await other.page.getByRole('button', { name: 'More actions' }).click()
  await other.page.getByText('Only editors of its project can do this.').waitFor()
  await expect.poll(() => other.page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  expect([...faults, ...other.faults]).toEqual([])
})

type Terms = { depth: string; maxMinor: bigint; leastMinor: bigint }
type Detail = {
  spentMinor: bigint
  sources: object[]
  report: { files: { url: string }[] } | null
}

async function payer(email: string, type: 'individual' | 'team' = 'individual'): Promise<Person> {
  const person = await app.server.person({ email, type })
  await giveCredit(app.server, person.orgId, PLENTY)
  asUsual()
  return person
}

/** The model answers correctly and the pages of two publishers are found. Turns wait for the test. */
function asUsual(waits: (turn: string | null) => StreamPiece[] = () => []): void {
  const model = scriptedModel()
  web.wait()
  web.show(web.pages.filter(({ path }) => SHOWN.test(path)).map(({ path }) => path))
  upstream.fallback((request) => {
    const turn = turnOf(request.body.messages as Parameters<typeof turnOf>[0])
    return { pieces: [...waits(turn), String(model.reply(request))] }
  })
}

const depthsFor = async (as: Person) =>
  (await app.server.call<{ depths: Terms[] }>('GET', '/research/config', { as })).body.depths

function quick(depths: readonly Terms[]): Terms {
  const found = depths.find(({ depth }) => depth === 'quick')
  if (!found) throw new Error('there is no quick research')
  return found
}

async function start(as: Person, wish: object = {}): Promise<string> {
  const body = { question: QUESTION, depth: 'quick', ...wish }
  const reply = await app.server.call<{ id: string }>('POST', '/research', { as, body })
  expect(reply.status, reply.text).toBe(202)
  return reply.body.id
}

const drain = () => app.server.app.jobs.drain()
const detail = async (as: Person, id: string) =>
  (await app.server.call<Detail>('GET', `/research/${id}`, { as })).body

async function enter(as: Person, path: string, options: Parameters<typeof app.open>[0]) {
  const opened = await app.open(options)
  await enterAt(opened.page, path, as.email)
  await opened.page.locator('#screen-title').waitFor()
  await expect.poll(() => opened.page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
  return opened
}

const told = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]`)
const idOf = (address: string): string => new URL(address).pathname.split('/').at(-1) ?? ''
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.id')
const plain = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
const naira = (minor: bigint): string =>
  `₦${Number(minor / 100n).toLocaleString('en-NG')}.${String(minor % 100n).padStart(2, '0')}`

const SEQS = `[...document.querySelectorAll('[data-seq]')].map((row) => Number(row.dataset.seq))`
/** The question as stored in the browser. */
const draftOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open('cowrie')
    opening.onsuccess = () => {
      const rows = opening.result.transaction('kept').objectStore('kept').getAll()
      rows.onsuccess = () => resolve(rows.result.find(({ id }) => id.endsWith('research.question'))?.value ?? '')
    }
  })`)
