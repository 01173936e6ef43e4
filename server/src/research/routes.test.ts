// Starting, reading, cancelling and deleting runs through the API. Other tests cover the run itself.
import { createHash } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  addFindings,
  begin,
  complete,
  FILE,
  finishCancelled,
  PAGE,
  start,
} from '@cowrie/testkit/research/runs.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import type { ExportPage } from '../platform/data-export.ts'
import { researchTenantData } from './data-export.ts'
import type { ResearchRunId } from './types.ts'

let server: TestServer
let nobody: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search' } })
  nobody = await server.person()
})
afterAll(() => server.close())

async function payer(amountMinor = 1_000_000n): Promise<Person> {
  const person = await server.person({ type: 'team' })
  await giveCredit(server, person.orgId, amountMinor)
  return person
}

const call = (as: Person, method: string, path: string, body?: object) =>
  server.call(method, path, { as, ...(body && { body }) })
const read = (as: Person, id: ResearchRunId) => call(as, 'GET', `/research/${id}`)
const cancel = (as: Person, id: ResearchRunId) => call(as, 'POST', `/research/${id}/cancel`, {})
const remove = (as: Person, id: ResearchRunId) => call(as, 'DELETE', `/research/${id}`)
const statusOf = async (as: Person, id: ResearchRunId) => (await read(as, id)).body.status

/** A project with a viewer, and a user who cannot see it. */
async function project(owner: Person) {
  const { body } = await call(owner, 'POST', '/projects', { name: 'Kitchen' })
  const [viewer, outsider] = [
    await server.member(owner.orgId, 'member'),
    await server.member(owner.orgId, 'member'),
  ]
  const { status } = await call(owner, 'PUT', `/projects/${body.id}/members/${viewer.userId}`, {
    access: 'viewer',
  })
  expect(status).toBe(200)
  return { projectId: String(body.id), viewer, outsider }
}

describe('starting a run', () => {
  test('is accepted at once, within the platform budget', async () => {
    const ada = await payer()
    const body = { question: '  Why?  ', budgetMinor: 9_000_000_000_000_000n }
    const reply = await call(ada, 'POST', '/research', body)
    expect(reply).toMatchObject({
      status: 202,
      body: { status: 'running', depth: 'standard', budgetMinor: 200_000n, laneMode: 'open' },
    })
    const shown = await read(ada, reply.body.id as ResearchRunId)
    expect(shown.body).toMatchObject({
      question: 'Why?',
      phase: 'queued',
      plan: { subquestions: [] },
      report: null,
    })
  })

  test.for([
    ['no question', {}],
    ['a blank one', { question: ' \n ' }],
    ['one of 2001 characters', { question: 'x'.repeat(2_001) }],
    ['an unknown depth', { question: 'Why?', depth: 'endless' }],
    ['a negative budget', { question: 'Why?', budgetMinor: -1 }],
    ['a budget with a fraction', { question: 'Why?', budgetMinor: 1.5 }],
  ] as const)('with %s is refused with 400', async ([, body]) => {
    expect(await call(nobody, 'POST', '/research', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields' },
    })
  })

  test('counts 2000 characters without surrounding blanks', async () => {
    const question = ` ${'x'.repeat(2_000)} `
    expect((await call(await payer(), 'POST', '/research', { question })).status).toBe(202)
  })

  test('without money for a report is refused with 402, for the budget and for the wallet', async () => {
    const [ada, poor] = [await payer(), await payer(1n)]
    const budgeted = await call(ada, 'POST', '/research', { question: 'Why?', budgetMinor: 1 })
    expect(budgeted).toMatchObject({ status: 402, body: { code: 'budget_too_low' } })
    const broke = await call(poor, 'POST', '/research', { question: 'Why?' })
    expect(broke).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } })
  })

  test('beyond the concurrency limit is refused with 429, until a run finishes', async () => {
    const ada = await payer()
    const ids = await Promise.all([1, 2, 3, 4].map(() => start(server, ada)))
    const again = () => call(ada, 'POST', '/research', { question: 'Why?' })
    expect(await again()).toMatchObject({ status: 429, body: { code: 'too_many_research_runs' } })
    await cancel(ada, ids[0] as ResearchRunId)
    expect((await again()).status).toBe(202)
  })

  test('with the same idempotency key returns the same run', async () => {
    const ada = await payer()
    const ask = () =>
      server.call('POST', '/research', {
        as: ada,
        body: { question: 'Why?' },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    expect((await call(ada, 'GET', '/research')).body.runs).toHaveLength(1)
  })

  test('in a project is for its editors', async () => {
    const ada = await payer()
    const { projectId, viewer, outsider } = await project(ada)
    const into = (as: Person, id: string) =>
      call(as, 'POST', '/research', { question: 'Why?', projectId: id })
    // The error does not reveal whether the project exists.
    const refused = { status: 403, body: { code: 'project_editor_only' } }
    expect(await into(viewer, projectId)).toMatchObject(refused)
    expect(await into(outsider, projectId)).toMatchObject(refused)
    expect(await into(ada, newId('prj'))).toMatchObject(refused)
    expect((await into(ada, projectId)).status).toBe(202)
  })

  test('for a conversation is for its owner', async () => {
    const ada = await payer()
    const thread = await call(ada, 'POST', '/chat/threads', {})
    const into = (as: Person) =>
      call(as, 'POST', '/research', { question: 'Why?', conversationId: thread.body.id })
    expect((await into(await server.member(ada.orgId, 'admin'))).status).toBe(404)
    expect((await into(ada)).status).toBe(202)
  })
})

describe('a list of runs', () => {
  test('shows the newest first, page by page', async () => {
    const ada = await payer()
    const ids: ResearchRunId[] = []
    for (let at = 0; at < 3; at++) {
      ids.unshift(await start(server, ada))
      server.clock.advance({ seconds: 1 })
    }
    const first = await call(ada, 'GET', '/research?limit=2')
    const second = await call(ada, 'GET', `/research?limit=2&cursor=${first.body.nextCursor}`)
    const shown = [first, second].map(({ body }) =>
      (body.runs as { id: ResearchRunId }[]).map(({ id }) => id),
    )
    expect(shown).toEqual([ids.slice(0, 2), ids.slice(2)])
    expect(second.body.nextCursor).toBeNull()
  })

  test.for(['0', '101', 'all'])('rejects a limit of %s', async (limit) => {
    expect((await call(nobody, 'GET', `/research?limit=${limit}`)).status).toBe(400)
  })

  test('omits runs in projects that the caller cannot see', async () => {
    const ada = await payer()
    const { projectId, viewer, outsider } = await project(ada)
    const [inside, outside] = [await start(server, ada, { projectId }), await start(server, ada)]
    const seen = async (as: Person) =>
      ((await call(as, 'GET', '/research')).body.runs as { id: ResearchRunId }[])
        .map(({ id }) => id)
        .toSorted()
    expect(await seen(viewer)).toEqual([inside, outside].toSorted())
    expect(await seen(outsider)).toEqual([outside])
    expect(await seen(nobody)).toEqual([])
    const within = (as: Person) => call(as, 'GET', `/research?projectId=${projectId}`)
    expect((await within(viewer)).body.runs).toMatchObject([{ id: inside }])
    expect((await within(outsider)).status).toBe(404)
    expect((await call(ada, 'GET', '/research?projectId=x')).status).toBe(400)
    expect((await read(viewer, inside)).status).toBe(200)
    expect((await read(outsider, inside)).status).toBe(404)
    expect((await call(outsider, 'GET', `/research/${inside}/stream`)).status).toBe(404)
  })
})

describe('a run', () => {
  test('shows its plan, processed sources with reasons, findings and files', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await addFindings(server, ada, id)
    const going = await read(ada, id)
    expect(going.body).toMatchObject({
      plan: { subquestions: ['What is in it?'] },
      sources: [
        { n: 1, url: 'https://example.com/1', title: 'Page 1', status: 'read', reason: null },
        { n: 2, status: 'failed', reason: 'http_403' },
        { n: 3, status: 'skipped', reason: 'low_relevance' },
      ],
      findings: [{ id: 'F1', claim: 'It takes patience.', quote: 'tomatoes and patience', sources: [1] }],
      report: null,
      finishedAt: null,
    })
    expect(going.text).not.toMatch(/nonce|snippet|canonical|hold|microKobo/i)
    await complete(server, ada, id)
    const done = await read(ada, id)
    expect(done.body).toMatchObject({
      ...{ status: 'completed', stopReason: 'completed', phase: 'done', finishedAt: expect.any(String) },
      report: { files: [{ ...FILE, url: `/attachments/${FILE.id}` }] },
    })
  })

  test('returns the stored text of a source, to verify quotes', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await addFindings(server, ada, id)
    const { body } = await call(ada, 'GET', `/research/${id}/sources/1`)
    expect(body).toMatchObject({ n: 1, text: PAGE, sha256: createHash('sha256').update(PAGE).digest('hex') })
    for (const n of ['2', '4', '9', '0', 'x'])
      expect((await call(ada, 'GET', `/research/${id}/sources/${n}`)).status, n).toBe(404)
    expect((await call(nobody, 'GET', `/research/${id}/sources/1`)).status).toBe(404)
  })
})

describe('cancelling', () => {
  test('a queued run finishes it at once and releases the money, once', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    expect((await call(ada, 'GET', '/wallet')).body.heldMinor).toBeGreaterThan(0n)
    const reply = await cancel(ada, id)
    expect(reply).toMatchObject({
      status: 200,
      body: { id, status: 'cancelled', stopReason: 'cancelled', finishedAt: expect.any(String) },
    })
    expect((await call(ada, 'GET', '/wallet')).body.heldMinor).toBe(0n)
    expect(await cancel(ada, id)).toMatchObject({ status: 409, body: { code: 'research_finished' } })
  })

  test('a running run waits until the current step is over', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await begin(server, ada, id)
    const asked = cancel(ada, id)
    await expect.poll(() => statusOf(ada, id), { timeout: 15_000 }).toBe('cancelled')
    await finishCancelled(server, ada, id)
    expect((await asked).body).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) })
    expect(await cancel(ada, id)).toMatchObject({ status: 409, body: { code: 'research_finished' } })
  })

  test('a finished run is refused with 409', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await complete(server, ada, id)
    expect(await cancel(ada, id)).toMatchObject({ status: 409, body: { code: 'research_finished' } })
    expect(await statusOf(ada, id)).toBe('completed')
  })

  test('and deleting runs in a project is for its editors, and the run does not exist for those who cannot see it', async () => {
    const ada = await payer()
    const { projectId, viewer, outsider } = await project(ada)
    const id = await start(server, ada, { projectId })
    for (const ask of [cancel, remove]) {
      expect(await ask(viewer, id)).toMatchObject({ status: 403, body: { code: 'project_editor_only' } })
      expect((await ask(outsider, id)).status).toBe(404)
    }
    expect(await statusOf(ada, id)).toBe('running')
    expect((await cancel(ada, id)).status).toBe(200)
  })

  test('is for every member of the organisation without a project', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    expect((await cancel(await server.member(ada.orgId, 'member'), id)).status).toBe(200)
  })
})

describe('deleting', () => {
  test('a running run is refused with 409', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    expect(await remove(ada, id)).toMatchObject({ status: 409, body: { code: 'research_running' } })
    expect(await statusOf(ada, id)).toBe('running')
  })

  test('a finished run deletes all that belongs to it', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await addFindings(server, ada, id)
    await complete(server, ada, id)
    expect(await remove(ada, id)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await read(ada, id)).status).toBe(404)
    expect((await call(ada, 'GET', `/research/${id}/stream`)).status).toBe(404)
    const left = await server.sql.one<{ n: number }>`
      select (select count(*) from research_sources where run_id = ${id})::int
           + (select count(*) from research_pages where run_id = ${id})::int
           + (select count(*) from research_findings where run_id = ${id})::int
           + (select count(*) from streams where id = ${id})::int as n`
    expect(left.n).toBe(0)
    expect((await remove(ada, id)).status).toBe(404)
  })

  test('a run that is being cancelled waits for its end', async () => {
    const ada = await payer()
    const id = await start(server, ada)
    await begin(server, ada, id)
    const cancelled = cancel(ada, id)
    await expect.poll(() => statusOf(ada, id), { timeout: 15_000 }).toBe('cancelled')
    const removed = remove(ada, id)
    await finishCancelled(server, ada, id)
    expect((await removed).status).toBe(200)
    expect([200, 404]).toContain((await cancelled).status)
  })
})

test('everything is exported, page by page', async () => {
  const ada = await payer()
  const ids = [await start(server, ada), await start(server, ada)].toSorted()
  for (const id of ids) await addFindings(server, ada, id)
  const page = (name: string, after: string | null) =>
    server.app.db.tx(ada.orgId, async (tx) => researchTenantData.exports?.[name]?.(tx, ada.orgId, after, 3))
  const whole = async (name: string) => {
    const rows: object[] = []
    let after: string | null = null
    do {
      const next: ExportPage | undefined = await page(name, after)
      rows.push(...(next?.rows ?? []))
      after = next?.next ?? null
    } while (after !== null && rows.length < 99)
    return rows as Record<string, unknown>[]
  }
  const runs = await whole('researchRuns')
  expect(runs.map(({ id }) => id)).toEqual(ids)
  expect(Object.keys(runs[0] ?? {}).filter((name) => /nonce|hold/i.test(name))).toEqual([])
  const numbered = async (name: string) => (await whole(name)).map(({ runId, n }) => [runId, n])
  expect(await numbered('researchSources')).toEqual(ids.flatMap((id) => [1, 2, 3, 4].map((n) => [id, n])))
  expect(await numbered('researchFindings')).toEqual(ids.map((id) => [id, 1]))
  expect(await whole('researchPages')).toMatchObject(ids.map((runId) => ({ runId, n: 1, text: PAGE })))
})
