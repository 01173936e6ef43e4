// Locations of runs and reports: in a project, in a conversation, in the organisation's own schema, and after
// deletion.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import type { ScriptedTurn } from '@cowrie/testkit/research/model-script.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResearchRunId } from '../types.ts'
import { QUESTION } from '../world/pages.ts'

const PLENTY = 1_000_000n

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.renew()
  ada = await world.customer(PLENTY)
  await world.server.sql.rows`update orgs set type = 'team', tier = 'team' where id = ${ada.orgId}`
})

const call = <T = Record<string, unknown>>(as: Person, method: string, path: string, body?: object) =>
  world.server.call<T>(method, path, { as, ...(body && { body }) })
const warningsOf = async (id: ResearchRunId) =>
  (await world.events(ada, id)).flatMap((event) => (event.kind === 'warning' ? [event.code] : []))

/** Runs `work` while the model answers the first turn of a kind. */
function meanwhile(during: ScriptedTurn, work: () => Promise<unknown>): void {
  let isDone = false
  const once = async () => {
    if (isDone) return
    isDone = true
    await work()
  }
  world.script({}, (turn, reply) => (turn === during ? { pieces: [once, String(reply)] } : null))
}

describe('a run in a project', () => {
  test('stores its report there, visible to those who see the project', async () => {
    const projectId = String((await call(ada, 'POST', '/projects', { name: 'Harbours' })).body.id)
    const [viewer, editor, stranger] = [
      await world.server.member(ada.orgId, 'member'),
      await world.server.member(ada.orgId, 'member'),
      await world.server.member(ada.orgId, 'member'),
    ]
    await call(ada, 'PUT', `/projects/${projectId}/members/${viewer.userId}`, { access: 'viewer' })
    await call(ada, 'PUT', `/projects/${projectId}/members/${editor.userId}`, { access: 'editor' })
    const start = (as: Person) =>
      call(as, 'POST', '/research', { question: QUESTION, depth: 'quick', projectId })
    expect(await start(viewer)).toMatchObject({ status: 403, body: { code: 'project_editor_only' } })
    expect(await start(stranger)).toMatchObject({ status: 403, body: { code: 'project_editor_only' } })

    const run = await world.research(editor, { projectId })
    await requireValidCitations(world, viewer, run)
    type Project = { attachments: { id: string; name: string; origin: string }[] }
    const { body } = await call<Project>(viewer, 'GET', `/projects/${projectId}`)
    expect(body.attachments.map(({ id }) => id).toSorted()).toEqual(
      run.report?.files.map(({ id }) => id).toSorted(),
    )
    for (const { url } of run.report?.files ?? []) expect((await call(stranger, 'GET', url)).status).toBe(404)
    expect((await call(stranger, 'GET', `/research/${run.id}`)).status).toBe(404)
    expect((await call(viewer, 'DELETE', `/research/${run.id}`)).status).toBe(403)
    expect((await call(editor, 'DELETE', `/research/${run.id}`)).status).toBe(200)
    expect(await world.file(viewer, run, 'report.md')).toContain('Makoro')
  })
})

describe('a run for a conversation', () => {
  type Thread = { id: string; messages: { role: string; content: string }[] }
  const begin = async () => (await call<Thread>(ada, 'POST', '/chat/threads', { title: 'Harbours' })).body.id
  const messagesOf = async (id: string) =>
    (await call<Thread>(ada, 'GET', `/chat/threads/${id}`)).body.messages

  test('posts its report there once', async () => {
    const conversationId = await begin()
    const run = await world.research(ada, { conversationId })
    await world.server.app.jobs.drain()
    const messages = await messagesOf(conversationId)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(messages.map(({ content }) => content)).toEqual([
      QUESTION,
      await world.file(ada, run, 'report.md'),
    ])
  })

  test('that was deleted meanwhile keeps its report in files, with a warning', async () => {
    const conversationId = await begin()
    meanwhile('extract', () => call(ada, 'DELETE', `/chat/threads/${conversationId}`))
    const run = await world.research(ada, { conversationId })
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
    expect(await warningsOf(run.id)).toEqual(['not_posted'])
    await requireValidCitations(world, ada, run)
  })

  test('of another user is refused', async () => {
    const conversationId = await begin()
    const other = await world.server.member(ada.orgId, 'member')
    const reply = await call(other, 'POST', '/research', { question: QUESTION, conversationId })
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('an organisation', () => {
  const move = () => call(world.operator, 'PUT', `/orgs/${ada.orgId}/policy`, { dataIsolation: 'schema' })
  const placeOf = () => world.server.sql.maybe<{ place: string }>`
    select place from content_places where org_id = ${ada.orgId}`
  const inShared = () => world.server.sql.rows`
    select id from public.research_runs where org_id = ${ada.orgId}`

  test.for(isSoak ? (['extract', 'report'] as const) : (['report'] as const))(
    'that moves to its own schema during the %s step loses nothing of its run',
    async (during) => {
      let moved = 0
      meanwhile(during, async () => {
        moved = (await move()).status
      })
      const run = await world.research(ada)
      expect(moved).toBe(200)
      expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
      expect(await placeOf()).toMatchObject({ place: expect.stringContaining('schema') })
      expect(await inShared()).toEqual([])
      await requireValidCitations(world, ada, run)
      expect(await world.charged(ada)).toBe(run.spentMinor)
      expect(await world.wallet(ada)).toMatchObject({ heldMinor: 0n, balanceMinor: PLENTY - run.spentMinor })
    },
  )

  test('that moves afterwards finds its runs and files, and starts others', async () => {
    const run = await world.research(ada)
    expect((await move()).status).toBe(200)
    expect(await inShared()).toEqual([])
    expect(await world.detail(ada, run.id)).toEqual(run)
    await requireValidCitations(world, ada, run)
    expect((await world.research(ada)).status).toBe('completed')
  })

  test('cannot be closed during a run, and its runs are deleted with it', async () => {
    const { name } = await world.server.sql.one<{
      name: string
    }>`select name from orgs where id = ${ada.orgId}`
    const close = (forfeitMinor: bigint) =>
      call(ada, 'DELETE', `/orgs/${ada.orgId}`, { confirm: name, forfeitMinor })
    const refused: unknown[] = []
    meanwhile('extract', async () => refused.push((await close(PLENTY)).body.code))
    const run = await world.research(ada)
    expect(refused).toEqual(['org_not_closable'])
    expect(run.status).toBe('completed')
    const rows = await world.server.sql.rows<{ key: string }>`
      select storage_key as key from attachments where org_id = ${ada.orgId}`
    const keys = rows.map(({ key }) => key)
    // One file per format of the report.
    expect(keys).toHaveLength(5)
    const closed = await close(PLENTY - run.spentMinor)
    expect(closed.status, closed.text).toBe(200)
    await world.server.app.jobs.drain()
    expect(await inShared()).toEqual([])
    for (const key of keys) expect(await world.server.app.storage.get(key)).toBeNull()
  })
})
