// Early ends of runs: by deadline, by their owner, and by an operator.

import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import type { RunDetail } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResearchRunId } from '../types.ts'

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
})

const drain = () => world.server.app.jobs.drain()
const cancel = (id: ResearchRunId) =>
  world.server.call('POST', `/research/${id}/cancel`, { as: ada, body: {} })
const remove = (id: ResearchRunId) => world.server.call('DELETE', `/research/${id}`, { as: ada })
/** The cancellation is saved; the run may still be finishing. */
const untilCancelled = (id: ResearchRunId) =>
  expect.poll(async () => (await world.detail(ada, id)).status, { timeout: 15_000 }).toBe('cancelled')
const reasonsOf = (run: RunDetail) => new Set(run.sources.map(({ status, reason }) => reason ?? status))
const warningsOf = (id: ResearchRunId) => world.warnings(ada, id)
const requireSettled = (run: RunDetail) => world.requireSettled(ada, run, PLENTY)

describe('the deadline', () => {
  test('during a model turn leads to a report from the findings so far', async () => {
    const advance = async () => world.server.clock.advance({ minutes: 9 })
    world.script({}, (turn, reply) => (turn === 'extract' ? { pieces: [advance, String(reply)] } : null))
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'wall_clock' })
    expect(world.modelTurns().map(({ turn }) => turn)).toEqual(['plan', 'extract', 'report'])
    expect(run.findings.length).toBeGreaterThan(0)
    await requireValidCitations(world, ada, run)
    await requireSettled(run)
  })

  test('before anything is read leads to a report that states it', async () => {
    const advance = async () => world.server.clock.advance({ minutes: 9 })
    world.web.search.fallback(() => ({ until: advance() }))
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'wall_clock', findings: [] })
    expect(reasonsOf(run)).toEqual(new Set(['deadline', 'low_relevance']))
    expect(await world.file(ada, run, 'report.md')).toContain('reached its time limit')
    await requireSettled(run)
  })

  soakTest('that passed long ago still leads to a report by rules', async () => {
    const advance = async () => world.server.clock.advance({ minutes: 30 })
    world.script({}, (turn, reply) => (turn === 'extract' ? { pieces: [advance, String(reply)] } : null))
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'wall_clock' })
    expect(await warningsOf(run.id)).toContain('without_model_late')
    await requireValidCitations(world, ada, run)
    await requireSettled(run)
  })
})

describe('cancelling', () => {
  test('before a worker starts finishes the run at once, without charge', async () => {
    const id = await world.start(ada)
    expect((await remove(id)).body).toMatchObject({ code: 'research_running' })
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    await drain()
    const run = await world.detail(ada, id)
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'cancelled', spentMinor: 0n, report: null })
    expect(world.upstream.requests).toEqual([])
    await requireSettled(run)
  })

  /** Cancels when an operation has started, and then lets it continue. */
  async function cancelDuring(begin: (begun: () => void, goOn: Promise<void>) => void): Promise<RunDetail> {
    const [begun, goOn] = [gate(), gate()]
    begin(begun.open, goOn.opened)
    const id = await world.start(ada)
    const working = drain()
    await begun.opened
    const cancelled = cancel(id)
    await untilCancelled(id)
    const again = cancel(id)
    goOn.open()
    expect([200, 409]).toContain((await again).status)
    expect(await cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    await working
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'research_finished' } })
    const run = await world.detail(ada, id)
    expect(run).toMatchObject({
      status: 'cancelled',
      stopReason: 'cancelled',
      report: null,
      refundedMinor: 0n,
    })
    expect((await world.events(ada, id)).at(-1)).toMatchObject({ kind: 'done', status: 'cancelled' })
    await requireSettled(run)
    return run
  }

  soakTest('during a search starts no further work', async () => {
    const run = await cancelDuring((begun, goOn) =>
      world.web.search.fallback(() => {
        begun()
        return { until: goOn }
      }),
    )
    expect(run).toMatchObject({ turns: 1, sources: [] })
  })

  test('that a worker has not noticed yet still blocks later writes', async () => {
    const [begun, goOn] = [gate(), gate()]
    world.web.search.fallback(() => {
      begun.open()
      return { until: goOn.opened }
    })
    const id = await world.start(ada)
    const working = drain()
    await begun.opened
    await world.server.sql.rows`
      update research_runs set status = 'cancelled', stop_reason = 'cancelled' where id = ${id}`
    goOn.open()
    await working
    const run = await world.detail(ada, id)
    expect(run).toMatchObject({ status: 'cancelled', turns: 1, sources: [] })
    await requireSettled(run)
  })

  soakTest('while pages are read lists the unread ones', async () => {
    const run = await cancelDuring((begun, goOn) =>
      world.web.wait(() => {
        begun()
        return goOn
      }),
    )
    expect(run.turns).toBe(1)
    expect(reasonsOf(run)).toEqual(new Set(['cancelled', 'low_relevance']))
  })

  test('during a turn finishes and charges that turn, and starts no other', async () => {
    const run = await cancelDuring((begun, goOn) =>
      world.script({}, (turn, reply) => {
        if (turn === 'extract') begun()
        return turn === 'extract' ? { pieces: [goOn, String(reply)] } : null
      }),
    )
    expect(world.modelTurns().map(({ turn }) => turn)).toEqual(['plan', 'extract'])
    expect(run.turns).toBe(2)
    expect(run.findings.length).toBeGreaterThan(0)
  })

  test('after the end is refused; the run can then be deleted, and its files stay', async () => {
    const run = await world.research(ada)
    expect(await cancel(run.id)).toMatchObject({ status: 409, body: { code: 'research_finished' } })
    expect(await remove(run.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await world.server.call('GET', `/research/${run.id}`, { as: ada })).status).toBe(404)
    expect(await world.events(ada, run.id)).toEqual([])
    const left = await world.server.sql.rows`
      select 1 from research_sources where run_id = ${run.id} union all
      select 1 from research_findings where run_id = ${run.id} union all
      select 1 from research_pages where run_id = ${run.id} union all
      select 1 from research_steps where run_id = ${run.id}`
    expect(left).toEqual([])
    expect(await world.file(ada, run, 'report.md')).toContain('Makoro')
  })

  soakTest('followed by deleting waits for the end', async () => {
    const [begun, goOn] = [gate(), gate()]
    world.web.wait(() => {
      begun.open()
      return goOn.opened
    })
    const id = await world.start(ada)
    const working = drain()
    await begun.opened
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'research_running' } })
    const cancelled = cancel(id)
    await untilCancelled(id)
    expect((await remove(id)).status).toBe(200)
    await Promise.all([cancelled, working])
    goOn.open()
  })
})

describe('an organisation that is suspended during a run', () => {
  test('gets a report by rules, and is charged for no further turn', async () => {
    const suspend = () =>
      world.server.call('POST', `/admin/orgs/${ada.orgId}/suspend`, {
        as: world.operator,
        body: { reason: 'a test' },
      })
    world.script({}, (turn, reply) => (turn === 'plan' ? { pieces: [suspend, String(reply)] } : null))
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'error', turns: 1 })
    expect(world.modelTurns().map(({ turn }) => turn)).toEqual(['plan'])
    expect(await warningsOf(run.id)).toContain('without_model_closed')
    await requireValidCitations(world, ada, run)
    await requireSettled(run)
  })
})
