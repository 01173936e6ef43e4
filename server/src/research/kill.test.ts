// Runs whose process is killed, stalls or races: finished work is kept, nothing runs or is charged twice, and the
// report equals that of an undisturbed run.
import { rmSync } from 'node:fs'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ProbeServer, startProbeServer } from '@cowrie/testkit/harness/processes.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import {
  type BlockingOutside,
  startBlockingOutside,
  withoutMarks,
} from '@cowrie/testkit/research/blocking-outside.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import {
  requireEventsOnce,
  requireFoundOnce,
  requirePaidOnce,
  type StartedRun,
  seqsOf,
} from '@cowrie/testkit/research/run-invariants.ts'
import { openStalls, STALLS, type Stalls } from '@cowrie/testkit/research/stalls.ts'
import { type ResearchWorld, type RunDetail, startResearchWorld } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../kernel/clock.ts'
import type { ResearchRunId } from './types.ts'
import { QUESTION } from './world/pages.ts'
import { QUICK_STEPS, STANDARD_STEPS, turnsOf } from './world/run-steps.ts'

const METRICS = 'a token for numbers'
const PATIENCE = { timeout: scaledTimeout(120_000), interval: 150 }

let outside: BlockingOutside
let world: ResearchWorld
let stalls: Stalls
let variables: Record<string, string>
const dataDir = scratchFolder()
const alive = new Set<ProbeServer>()
/** The replica that survives. */
let survivor: ProbeServer

beforeAll(async () => {
  outside = await startBlockingOutside()
  variables = {
    ...outside.variables,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DATABASE_POOL: '32',
    METRICS_TOKEN: METRICS,
    SERVICE_RESEARCH_EXTRACT_BATCH: '8',
  }
  // A replica without workers starts and reads runs. The others use the time of the database.
  const clock = new ManualClock(new Date())
  world = await startResearchWorld({ variables, clock, tables: STALLS }, outside.web)
  stalls = openStalls(world.server.url)
})
afterAll(async () => {
  await Promise.all([...alive].map((each) => each.kill()))
  await stalls.close()
  await world.close()
  await outside.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function startReplica(): Promise<ProbeServer> {
  const replica = await startProbeServer({ ...variables, DATABASE_URL: world.server.url })
  alive.add(replica)
  return replica
}

async function killReplica(replica: ProbeServer): Promise<void> {
  await replica.kill()
  alive.delete(replica)
  await stalls.terminate()
}

async function startRun(as: Person, input: object = {}): Promise<StartedRun> {
  const id = await world.start(as, { depth: 'standard', ...input })
  const { nonce } = await world.server.sql.one<{ nonce: string }>`
    select nonce from research_runs where id = ${id}`
  const step = async () => {
    const open = await world.server.sql.rows<{ step: string }>`
      select step from research_steps where run_id = ${id} and done_at is null`
    return open.map((each) => each.step).join()
  }
  outside.know({ id, nonce, step })
  return { id, as }
}

/** Expires the leases of dead processes and wakes the others. */
async function passLeases(): Promise<void> {
  await world.server.sql.rows`
    update jobs set due_at = now() - interval '1 second' where name = 'research.run' and state = 'running'`
  world.server.app.db.notify('jobs', 'research.run')
}

const untilFinished = (runs: readonly StartedRun[]) =>
  expect
    .poll(async () => {
      const rows = await world.server.sql.rows<{ id: ResearchRunId }>`
        select id from research_runs where id = any(${runs.map(({ id }) => id)}::text[]) and finished_at is null`
      return rows.length
    }, PATIENCE)
    .toBe(0)

async function doneSteps({ id }: StartedRun): Promise<string[]> {
  const rows = await world.server.sql.rows<{ step: string }>`
    select step from research_steps where run_id = ${id} and done_at is not null`
  return rows.map(({ step }) => step).toSorted()
}

const reportOf = async ({ as }: StartedRun, run: RunDetail): Promise<string> =>
  withoutMarks(await world.file(as, run, 'report.md')).replaceAll(/\d{4}-\d\d-\d\d/g, 'some day')

/** The soak test kills longer runs. */
const [KILLED_DEPTH, STEPS] = isSoak ? ['standard', STANDARD_STEPS] : ['quick', QUICK_STEPS]
const TURNS = turnsOf(STEPS)

/** Where a process is killed: waiting for the outside world, or inside a transaction. */
type Boundary = { readonly outside?: string; readonly stall?: string }

/** The steps where a run is killed: all of them in the soak, otherwise the first with a model turn. */
const KILLED_STEPS = isSoak ? STEPS.map(([step]) => step) : ['plan']
const KILLED_TURNS = TURNS.filter((step) => KILLED_STEPS.includes(step))

/** All boundaries in order. `outside` is the last call before a stall, where all runs wait for each other. */
function boundariesOf(readOf: Readonly<Record<string, number>>): Boundary[] {
  let before: string | undefined
  let isKilled = true
  const found: Boundary[] = []
  const add = (boundary: Boundary) => isKilled && found.push(boundary)
  const stall = (point: string) => add({ stall: point, ...(before !== undefined && { outside: before }) })
  const call = (name: string) => {
    before = name
    add({ outside: name })
  }
  for (const [step, hasTurn] of STEPS) {
    isKilled = KILLED_STEPS.includes(step)
    if (hasTurn) {
      stall(`dispatch ${step}`)
      call(step)
    } else call(step.replace('.', ' '))
    stall(`finish ${step}`)
    if (!hasTurn) stall(`read ${readOf[step]}`)
  }
  isKilled = true
  stall('end')
  return found
}

describe('killed runs', () => {
  let plainReport: string
  let readOf: Record<string, number>

  beforeAll(async () => {
    const ada = await world.customer()
    const run = await startRun(ada, { depth: KILLED_DEPTH })
    await world.server.app.jobs.drain()
    plainReport = await reportOf(run, await world.detail(ada, run.id))
    const rows = await world.server.sql.rows<{ pass: number; n: number }>`
      select pass, max(n)::int as n from research_sources where run_id = ${run.id} and status = 'read' group by pass`
    readOf = Object.fromEntries(rows.map(({ pass, n }) => [`search.${pass}`, n]))
    expect(await doneSteps(run)).toEqual(STEPS.map(([step]) => step).toSorted())
    await requirePaidOnce(world, run, TURNS)
    await requireEventsOnce(world, run)
  })

  test('resume at every boundary, and deliver the same report once for the same money', async () => {
    const ROUNDS = rounds(1, 3)
    const boundaries = boundariesOf(readOf)
    const each = Math.ceil(boundaries.length / ROUNDS)
    const runs: StartedRun[] = []
    for (let i = 0; i < each; i++) runs.push(await startRun(await world.customer(), { depth: KILLED_DEPTH }))
    for (let round = 0; round < ROUNDS; round++)
      await killAt(
        runs.flatMap((run, i) => {
          const boundary = boundaries[round * each + i]
          return boundary ? [{ run, ...boundary }] : []
        }),
      )
    survivor = await startReplica()
    await passLeases()
    await untilFinished(runs)
    await requireAskedAgain(runs)
    for (const run of runs) {
      const detail = await world.detail(run.as, run.id)
      expect(detail).toMatchObject({ status: 'completed', stopReason: 'completed' })
      await requirePaidOnce(world, run, TURNS)
      await requireEventsOnce(world, run)
      expect(await doneSteps(run)).toEqual(STEPS.map(([step]) => step).toSorted())
      await requireValidCitations(world, run.as, detail)
      requireFoundOnce(detail)
      expect(await reportOf(run, detail)).toBe(plainReport)
    }
  }, 900_000)

  /** Two dispatches of each turn were lost: one without its answer, one without its commit. */
  async function requireAskedAgain(runs: readonly StartedRun[]): Promise<void> {
    const dispatched = await world.server.sql.rows<{ step: string; lost: number }>`
      select step, (sum(dispatches) - count(*))::int as lost from research_steps
      where run_id = any(${runs.map(({ id }) => id)}::text[]) and dispatches > 0 group by step`
    const lost = new Map(dispatched.map((each) => [each.step, each.lost]))
    for (const step of KILLED_TURNS) expect(lost.get(step), step).toBeGreaterThanOrEqual(2)
  }

  type Target = Boundary & { readonly run: StartedRun }

  /** One process takes all runs, each to its boundary, and is killed when all are there. */
  async function killAt(targets: readonly Target[]): Promise<void> {
    for (const { run, outside: call } of targets) if (call) outside.hold(run.id, call)
    for (const { run, stall } of targets) if (stall) await stalls.set(run.id, stall)
    const replica = await startReplica()
    await passLeases()
    const waiting = targets.filter(({ outside: call }) => call !== undefined)
    await expect
      .poll(() => waiting.filter(({ run }) => !outside.isHeld(run.id)).map((each) => each.outside), PATIENCE)
      .toEqual([])
    const stalled = targets.filter(({ stall }) => stall !== undefined)
    for (const { run, outside: call } of stalled) if (call) outside.release(run.id)
    await expect
      .poll(async () => {
        const reached = await stalls.reached()
        return stalled.filter(({ run }) => !reached.has(run.id)).map(({ stall }) => stall)
      }, PATIENCE)
      .toEqual([])
    await killReplica(replica)
    for (const { run } of targets) outside.release(run.id)
    await stalls.clear(...targets.map(({ run }) => run.id))
  }
})

describe('two replicas', () => {
  const QUICK = { depth: 'quick' }
  const QUICK_TURNS = turnsOf(QUICK_STEPS)

  soakTest(
    'a replica that stalled beyond its lease writes and charges nothing, while the other repeats the turn',
    {
      timeout: scaledTimeout(120_000),
    },
    async () => {
      const run = await startRun(await world.customer(), QUICK)
      outside.hold(run.id, 'extract.1.1')
      await expect.poll(() => outside.isHeld(run.id), PATIENCE).toBe(true)
      survivor.process.kill('SIGSTOP')
      // Its answer is blocked until it resumes.
      outside.release(run.id)
      outside.hold(run.id, 'extract.1.1')
      const other = await startReplica()
      await passLeases()
      await expect.poll(() => outside.isHeld(run.id), PATIENCE).toBe(true)
      const before = await everythingOf(run)
      survivor.process.kill('SIGCONT')
      await expect.poll(() => lostBy(survivor), PATIENCE).toBe(true)
      expect(await everythingOf(run)).toEqual(before)
      outside.release(run.id)
      await untilFinished([run])
      await killReplica(other)
      await requirePaidOnce(world, run, QUICK_TURNS)
      await requireEventsOnce(world, run)
    },
  )

  /** Whether a process noticed that it lost the run. */
  async function lostBy({ address }: ProbeServer): Promise<boolean> {
    const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } })
    return /^cowrie_job_seconds_count\{job="research\.run",outcome="lost"\} [1-9]/m.test(
      await response.text(),
    )
  }

  /** All rows of a run and of its money. */
  async function everythingOf({ id, as }: StartedRun): Promise<unknown> {
    const { sql } = world.server
    return {
      run: await sql.rows`select to_json(r)::text as row from research_runs r where id = ${id}`,
      steps:
        await sql.rows`select to_json(s)::text as row from research_steps s where run_id = ${id} order by step`,
      found:
        await sql.rows`select to_json(f)::text as row from research_findings f where run_id = ${id} order by ordinal`,
      sources:
        await sql.rows`select to_json(s)::text as row from research_sources s where run_id = ${id} order by n`,
      events: await sql.rows`select seq, event::text from stream_events where stream_id = ${id} order by seq`,
      holds:
        await sql.rows`select to_json(h)::text as row from holds h where org_id = ${as.orgId} order by id`,
      money: await sql.rows`select id, kind from movements where org_id = ${as.orgId} order by seq`,
    }
  }

  test('allow an individual two concurrent runs, however many requests arrive', {
    timeout: scaledTimeout(120_000),
  }, async () => {
    const ada = await world.customer()
    const release = outside.holdOthers()
    const here = await world.server.listen()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => post(i % 2 ? here : survivor.address, ada)),
    )
    const accepted = replies.filter(({ status }) => status === 202)
    expect(accepted).toHaveLength(2)
    const refused = replies.filter(({ status }) => status !== 202)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['too_many_research_runs']))
    const runs = accepted.map(({ body }) => ({ id: body.id, as: ada }))
    const streams = [here, survivor.address].map((address) => streamed(address, runs[0] as StartedRun))
    release()
    await untilFinished(runs)
    // Every replica streams all of it.
    for (const frames of await Promise.all(streams)) {
      expect(frames.map(({ seq }) => seq)).toEqual(await seqsOf(world, runs[0] as StartedRun))
      expect(frames.at(-1)).toMatchObject({ kind: 'done', status: 'completed' })
    }
  })

  async function post(address: string, { bearer }: Person) {
    const response = await fetch(`${address}/research`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question: QUESTION, ...QUICK }),
    })
    const body = (await response.json()) as { id: ResearchRunId; code?: string }
    return { status: response.status, body }
  }

  async function streamed(address: string, { id, as }: StartedRun): Promise<{ seq: number; kind: string }[]> {
    const response = await fetch(`${address}/research/${id}/stream`, {
      headers: { authorization: `Bearer ${as.bearer}` },
    })
    const text = await response.text()
    return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
  }

  soakTest(
    'a run cancelled on one replica finishes on the other, and the dispatched turn is charged',
    {
      timeout: scaledTimeout(120_000),
    },
    async () => {
      const run = await startRun(await world.customer())
      outside.hold(run.id, 'extract.1.1')
      await expect.poll(() => outside.isHeld(run.id), PATIENCE).toBe(true)
      const cancelled = cancel(run)
      await expect.poll(async () => (await world.detail(run.as, run.id)).status, PATIENCE).toBe('cancelled')
      outside.release(run.id)
      expect((await cancelled).status).toBe(200)
      await untilFinished([run])
      await requirePaidOnce(world, run, ['plan', 'extract.1.1'])
      const calls = outside.callsOf(run.id).filter((call) => !call.startsWith('search'))
      expect(calls).toEqual(['plan', 'extract.1.1'])
      const events = await requireEventsOnce(world, run)
      expect(events.at(-1)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' })
      expect((await world.detail(run.as, run.id)).report).toBeNull()
    },
  )

  const cancel = ({ id, as }: StartedRun) =>
    world.server.call('POST', `/research/${id}/cancel`, { as, body: {} })

  test('of a concurrent cancellation and end, the first one decides', {
    timeout: scaledTimeout(120_000),
  }, async () => {
    const points = Array.from({ length: rounds(2, 4) }, (_, i) => (i % 2 ? 'finish repair' : 'end'))
    const runs = await Promise.all(points.map(async () => startRun(await world.customer(), QUICK)))
    for (const { id } of runs) outside.hold(id, 'repair')
    for (const [i, { id }] of runs.entries()) await stalls.set(id, points[i] as string)
    await expect.poll(() => runs.every(({ id }) => outside.isHeld(id)), PATIENCE).toBe(true)
    for (const { id } of runs) outside.release(id)
    await expect.poll(async () => (await stalls.reached()).size, PATIENCE).toBe(runs.length)
    const cancelling = runs.map(cancel)
    await stalls.clear(...runs.map(({ id }) => id))
    const replies = await Promise.all(cancelling)
    await untilFinished(runs)
    for (const [i, run] of runs.entries()) {
      const { status } = await world.detail(run.as, run.id)
      expect(replies[i]?.status).toBe({ cancelled: 200, completed: 409 }[String(status)])
      if (points[i] === 'end') expect(status).toBe('completed')
      await requirePaidOnce(world, run, QUICK_TURNS)
      await requireEventsOnce(world, run)
      const released = await world.server.sql.rows`
        select 1 from movements m join holds h on h.id = m.hold_id
        where h.org_id = ${run.as.orgId} and h.ref = ${`${run.id}.aside`} and m.kind = 'release'`
      expect(released).toHaveLength(1)
    }
  })
})
