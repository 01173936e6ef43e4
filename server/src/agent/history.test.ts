import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  startAgentServer,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { placeInSchema } from '@cowrie/testkit/platform/placement-fixtures.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { openDb } from '../platform/db/open-db.ts'
import { endSilentRuns, forgetRuns } from './jobs.ts'
import type { AgentRunResult } from './schema.ts'
import { insertRun } from './sql.ts'

type Listed = {
  id: string
  kind: string
  status: string
  prompt: string
  result: { edits: object[]; plan: string } | null
}
type Page = { runs: Listed[]; nextCursor: string | null }

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.reset())

const run = async (who: Person, body: object = TASK) => {
  stage.upstream.script(fixingAnswer({ usage: USAGE }))
  return (await stage.server.call<AgentRunResult>('POST', '/agent/run', { as: who, body })).body
}
const list = async (who: { bearer: string }, query: Record<string, string> = {}) =>
  (await stage.server.call<Page>('GET', '/agent/runs', { as: who, query })).body
const read = (who: { bearer: string }, id: string) =>
  stage.server.call('GET', `/agent/runs/${id}`, { as: who })
const rich = () => createFundedPerson(stage.server, 1_000_000n)

/** A loop whose process died after one iteration. */
async function leftLoop({ orgId, userId }: Person, iterations = 1) {
  const id = newId('agr')
  const now = stage.server.clock.now()
  await stage.server.sql.rows`
    insert into agent_runs (id, org_id, user_id, kind, intent_id, status, prompt, lane, model, sandbox, test_command,
                            max_iterations, iterations, cost_minor, plan, edits, details, created_at, beat_at)
    values (${id}, ${orgId}, ${userId}, 'loop', ${newId('idem')}, 'running', 'Loop.', 'open', 'small-1', 'local', 'node --test',
            3, ${iterations}, ${BigInt(iterations) * 109n}, 'the plan',
            '[{"path":"a.js","action":"create","content":"x","description":"y","baseSha256":null}]'::json,
            '{"warnings":[],"evidence":"exit-code"}'::json, ${now}, ${now})`
  return id
}

const SILENT = {
  kind: 'run',
  prompt: 'Loop.',
  lane: 'open',
  model: 'small-1',
  sandbox: 'none',
  testCommand: null,
  maxIterations: 1,
} as const

describe('a past run', () => {
  test('can be read with its whole result', async () => {
    const who = await rich()
    const { balanceMinor: _, ...result } = await run(who)
    const { status, body } = await read(who, result.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: result.id,
      userId: who.userId,
      kind: 'run',
      status: 'completed',
      prompt: TASK.prompt,
      lane: 'open',
      model: 'small-1',
      sandbox: 'none',
      testCmd: null,
      maxIters: 1,
      iterations: 1,
      verified: false,
      cancelled: false,
      stopReason: null,
      costMinor: 109n,
      result,
    })
    expect(body).not.toHaveProperty('error')
    expect(body.finishedAt).toEqual(expect.any(String))
  })

  test('that failed has a reason and no result', async () => {
    const who = await rich()
    stage.upstream.script({ text: '' })
    await stage.server.call('POST', '/agent/run', { as: who, body: TASK })
    const [listed] = (await list(who)).runs
    const { body } = await read(who, listed?.id ?? '')
    expect(body).toMatchObject({ status: 'failed', code: 'upstream_failed', costMinor: 0n, result: null })
    expect(body.error).toContain('nothing was charged')
  })

  test('belongs to its organisation: members see it, others do not', async () => {
    const who = await rich()
    const { id } = await run(who)
    expect((await read(await stage.server.member(who.orgId, 'member'), id)).status).toBe(200)
    expect((await read(await rich(), id)).status).toBe(404)
    expect((await read(who, newId('agr'))).status).toBe(404)
    expect((await read(who, 'agr_1')).status).toBe(404)
    expect((await read(await stage.server.key(who, ['wallet:read']), id)).status).toBe(403)
  })
})

describe('the list of runs', () => {
  test('is paginated, newest first, with paths but no contents and only the start of long texts', async () => {
    const who = await rich()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.unshift((await run(who, { ...TASK, prompt: `Task ${i} ${'long '.repeat(1_000)}` })).id)
      stage.server.clock.advance({ seconds: 1 })
    }
    const first = await list(who, { limit: '2' })
    const second = await list(who, { limit: '2', cursor: first.nextCursor ?? '' })
    expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
    expect(first.runs[0]?.prompt).toHaveLength(1_000)
    expect(first.runs[0]?.result).toMatchObject({
      edits: [{ path: 'src/add.js', action: 'update' }],
      plan: '1. Do it.',
    })
    expect(first.runs[0]?.result?.edits[0]).not.toHaveProperty('content')
    expect((await list(await rich())).runs).toEqual([])
  })

  test('does not read the contents of edits', async () => {
    const who = await rich()
    const { id } = await run(who)
    await stage.server.sql.rows`
      update agent_runs set edits = ${'[{"path":"\\u0000","content":"\\ud800"}]'}::text::json where id = ${id}`
    const { status, body } = await stage.server.call<Page>('GET', '/agent/runs', { as: who })
    expect(status).toBe(200)
    expect(body.runs[0]?.result?.edits).toEqual([{ path: 'src/add.js', action: 'update' }])
  })

  test('can be filtered by kind and status', async () => {
    const who = await rich()
    const { id } = await run(who)
    const loop = await leftLoop(who)
    const ids = async (query: Record<string, string>) => (await list(who, query)).runs.map((each) => each.id)
    expect(await ids({ kind: 'loop' })).toEqual([loop])
    expect(await ids({ status: 'completed' })).toEqual([id])
    expect(await ids({ kind: 'run', status: 'running' })).toEqual([])
    const refused = await stage.server.call('GET', '/agent/runs?kind=walk', { as: who })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    await endSilent()
  })
})

const endSilent = async () => {
  stage.server.clock.advance({ minutes: 3 })
  await endSilentRuns(stage.server.app)
}

describe('a run whose process has died', () => {
  test('fails after two minutes, and its charges stay listed', async () => {
    const who = await rich()
    const [charged, fresh] = [await leftLoop(who), await leftLoop(who, 0)]
    stage.server.clock.advance({ seconds: 100 })
    await endSilentRuns(stage.server.app)
    expect((await read(who, charged)).body).toMatchObject({ status: 'running', finishedAt: null })
    await endSilent()
    expect((await read(who, charged)).body).toMatchObject({
      status: 'failed',
      stopReason: 'interrupted',
      code: 'interrupted',
      iterations: 1,
      costMinor: 109n,
      result: { plan: 'the plan', edits: [{ path: 'a.js', content: 'x' }], evidence: 'exit-code' },
    })
    expect((await read(who, fresh)).body).toMatchObject({ status: 'failed', costMinor: 0n, result: null })
  })

  test('is ended in the database of its organisation, and leftovers elsewhere are ignored', async () => {
    const who = await rich()
    const left = await leftLoop(who)
    await placeInSchema(stage.server, who.orgId)
    const [own] = await stage.server.app.db.tx(who.orgId, async (tx) => {
      await insertRun(tx, { ...SILENT, ...who, id: newId('agr'), intentId: newId('idem') })
      return tx.content.rows<{ id: string }>`select id from agent_runs`
    })
    await endSilent()
    expect((await read(who, own?.id ?? '')).body).toMatchObject({ status: 'failed' })
    const told = (id: string) => stage.server.logged.filter((line) => line.includes(id)).length
    expect([told(own?.id ?? ''), told(left)]).toEqual([1, 0])
  })

  test('is reported once, in the current database of its organisation, although a move left a copy', async () => {
    const who = await rich()
    const id = await leftLoop(who)
    await placeInSchema(stage.server, who.orgId)
    // Another replica, so that this one has no cached placement.
    const elsewhere = openDb(stage.server.url, {
      ...GENEROUS_TIMEOUTS,
      clock: stage.server.clock,
      role: 'cowrie_app',
      max: 1,
    })
    await elsewhere.tx(who.orgId, (tx) => insertRun(tx, { ...SILENT, ...who, id, intentId: newId('idem') }))
    await elsewhere.close()
    await endSilent()
    expect((await read(who, id)).body).toMatchObject({ status: 'failed' })
    expect(stage.server.logged.filter((line) => line.includes(id))).toHaveLength(1)
  })

  test('is found by the scheduled job', async () => {
    const who = await rich()
    const id = await leftLoop(who)
    await stage.server.app.jobs.drain()
    stage.server.clock.advance({ minutes: 3 })
    await stage.server.app.jobs.drain()
    expect((await read(who, id)).body).toMatchObject({ status: 'failed' })
  })
})

test('results are deleted after ninety days, and their charges stay', async () => {
  const who = await rich()
  const { id } = await run(who)
  stage.server.clock.advance({ days: 89 })
  await forgetRuns(stage.server.app)
  expect((await read(who, id)).status).toBe(200)
  stage.server.clock.advance({ days: 2 })
  expect(await forgetRuns(stage.server.app)).toBeGreaterThan(0)
  expect((await read(who, id)).status).toBe(404)
  const { body } = await stage.server.call<{ entries: object[] }>('GET', '/wallet/ledger?source=agent', {
    as: who,
  })
  expect(body.entries).toMatchObject([{ ref: `${id}.1`, amountMinor: 109n }])
})
