// Turns whose process is killed again and again: nothing is lost, no finished step is asked again, and nothing is charged twice.
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { addEndpoint, type Receiver, startReceiver } from '@cowrie/testkit/fakes/webhook-receiver.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ProbeServer, startProbeServer } from '@cowrie/testkit/harness/processes.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVER } from '../hooks/hooks.ts'
import { ManualClock } from '../kernel/clock.ts'
import { TURN_JOB } from './steps/turn-job.ts'

const KILLS = rounds(1, 100)
const TASKS_PER_ROUND = 4
const PATIENCE = { timeout: scaledTimeout(120_000), interval: 100 }
const FILES = { 'count.txt': 'count = 0\n', 'src/a.js': 'export const a = 1\n' }
const SCRIPT = byStep(
  calls(['list', {}], ['read', { path: 'count.txt' }], ['read', { path: 'src/a.js' }]),
  calls(['edit', { path: 'count.txt', edits: [{ find: 'count = 0', replace: 'count = 1' }] }]),
  calls(['search', { query: 'count', kind: 'text' }]),
  calls(['create', { path: 'src/b.js', content: 'export const b = 2\n' }], ['delete', { path: 'src/a.js' }]),
  calls(['edit', { path: 'src/b.js', edits: [{ find: 'b = 2', replace: 'b = 3' }] }]),
  'I counted.',
)
const ANSWERS = 6
const LEASED = [TURN_JOB, DELIVER]

let world: TaskWorld
let receiver: Receiver
let variables: Record<string, string>
let replica: ProbeServer | undefined
const dataDir = scratchFolder()

beforeAll(async () => {
  // The replica without workers starts and reads tasks. The others use the time of the database.
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  receiver = await startReceiver()
  world = await startTaskWorld({ clock: new ManualClock(new Date()), variables: { ...sandbox } })
  variables = {
    ...sandbox,
    SERVICE_UPSTREAM_BASE_URL: world.upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DATABASE_POOL: '16',
    DATABASE_URL: world.server.url,
  }
  // Slow enough that a kill often hits a call under way.
  world.upstream.fallback((request) => {
    const reply = SCRIPT(request)
    const answer = typeof reply === 'string' ? { text: reply } : reply
    return { ...answer, pieces: [() => pause(Math.random() * 120), answer.text ?? 'Working.'] }
  })
})
afterAll(async () => {
  await replica?.kill()
  await world.close()
  await receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type StartedTurn = { readonly as: Person; readonly task: string; readonly turn: string }

async function startTurns(as: Person, count: number): Promise<StartedTurn[]> {
  const turns: StartedTurn[] = []
  for (let n = 0; n < count; n++) {
    const task = await world.create(as, FILES)
    turns.push({ as, task, turn: await world.start(as, task, { prompt: `Count in ${task}.` }) })
  }
  return turns
}

/** Expires the leases of dead processes and wakes the others. */
async function passLeases(): Promise<void> {
  await world.server.sql.rows`
    update jobs set due_at = now() - interval '1 second' where name = any(${LEASED}) and state = 'running'`
  for (const name of LEASED) world.server.app.db.notify('jobs', name)
}

const openTurns = async (turns: readonly StartedTurn[]): Promise<number> => {
  const rows = await world.server.sql.rows`
    select id from task_turns where id = any(${turns.map(({ turn }) => turn)}::text[]) and finished_at is null`
  return rows.length
}

test(
  `${KILLS} kills during turns lose nothing, ask nothing twice, charge nothing twice and report each turn`,
  async () => {
    const ada = await world.customer(1_000_000_000n)
    await addEndpoint(world.server, ada, `${receiver.url}/ada`, { events: ['task.turn.finished'] })
    // Slow enough that a kill also hits webhooks between the end of their turn and their delivery.
    receiver.answer('/ada', (response) =>
      setTimeout(() => response.writeHead(204).end(), Math.random() * 300),
    )
    const turns: StartedTurn[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      if ((await openTurns(turns)) < 2) turns.push(...(await startTurns(ada, TASKS_PER_ROUND)))
      replica = await startProbeServer(variables)
      await passLeases()
      const seen = world.upstream.requests.length
      await expect.poll(() => world.upstream.requests.length, PATIENCE).toBeGreaterThan(seen)
      await pause(Math.random() * 300)
      await replica.kill()
    }
    replica = await startProbeServer(variables)
    await passLeases()
    await expect.poll(() => openTurns(turns), PATIENCE).toBe(0)
    for (const turn of turns) await requireWhole(turn)
    await passLeases()
    await expect.poll(pendingWebhooks, PATIENCE).toBe(0)
    requireReported(turns)
    const { held } = await world.server.sql.one<{ held: number }>`
      select count(*)::int as held from holds where org_id = ${ada.orgId} and state = 'settled'`
    expect(held).toBe(turns.length * ANSWERS)
  },
  scaledTimeout(1_800_000),
)

async function pendingWebhooks(): Promise<number> {
  const rows = await world.server.sql.rows`select id from hook_deliveries where status = 'pending'`
  return rows.length
}

/** One event for each turn. A delivery whose process died is repeated with the same id. */
function requireReported(turns: readonly StartedTurn[]): void {
  const events = receiver
    .at('/ada')
    .map(({ headers, body: { data } }) => `${data.turnId} ${headers['webhook-id']}`)
  const reported = [...new Set(events)].map((event) => event.split(' ')[0])
  expect(reported.sort()).toEqual(turns.map(({ turn }) => turn).sort())
}

async function requireWhole({ as, task, turn: id }: StartedTurn): Promise<void> {
  const view = await world.read(as, task)
  const [turn] = view.turns
  expect(turn).toMatchObject({ id, stopReason: 'completed', summary: 'I counted.' })
  expect(await world.file(as, task, 'count.txt')).toBe('count = 1\n')
  expect(await world.file(as, task, 'src/b.js')).toBe('export const b = 3\n')
  expect(await world.file(as, task, 'src/a.js')).toBeNull()
  await requireAskedOnce(task, id)
  await requirePaidOnce(id, turn?.spentMinor)
  const events = await world.events(as, task)
  for (const kind of ['tool_result', 'tool', 'cost', 'change'] as const) {
    const names = events.filter((event) => event.kind === kind).map((event) => JSON.stringify(event))
    expect(new Set(names).size, kind).toBe(names.length)
  }
  expect(events.filter(({ kind }) => kind === 'cost')).toHaveLength(ANSWERS)
  expect(events.filter(({ kind }) => kind === 'change')).toHaveLength(4)
}

/** Every request was recorded before as a dispatch of its step, so an answered step was never asked again. */
async function requireAskedOnce(task: string, turn: string): Promise<void> {
  const steps = await world.server.sql.rows<{ dispatches: number }>`
    select dispatches from task_steps where turn_id = ${turn} and kind = 'model' order by n`
  const asked = Array.from({ length: ANSWERS }, () => 0)
  for (const { body } of world.upstream.requests) {
    const messages = (body.messages ?? []) as { role: string }[]
    if (!JSON.stringify(messages).includes(task)) continue
    const answers = messages.filter(({ role }) => role === 'assistant').length
    asked[answers] = (asked[answers] ?? 0) + 1
  }
  expect(steps).toHaveLength(ANSWERS)
  for (const [i, { dispatches }] of steps.entries()) {
    expect(asked[i]).toBeGreaterThanOrEqual(1)
    // A process may be killed between its record and its request.
    expect(asked[i]).toBeLessThanOrEqual(dispatches)
  }
}

/** One settled hold for each answer, none open, and the turn shows their sum. */
async function requirePaidOnce(turn: string, spentMinor: bigint | undefined): Promise<void> {
  const holds = await world.server.sql.rows<{ ref: string; state: string; charged: bigint }>`
    select ref, state, charged_minor as charged from holds where ref like ${`${turn}.%`}`
  const settled = holds.filter(({ state }) => state === 'settled')
  expect(new Set(settled.map(({ ref }) => ref.split('.')[1])).size).toBe(ANSWERS)
  expect(settled).toHaveLength(ANSWERS)
  expect(holds.filter(({ state }) => state === 'open')).toEqual([])
  expect(settled.reduce((sum, { charged }) => sum + charged, 0n)).toBe(spentMinor)
}
