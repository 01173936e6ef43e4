import {
  answer,
  change,
  deltasOf,
  findProcesses,
  type LoopTestServer,
  openLoopClient,
  readBooks,
  runToEnd,
  SHELL,
  slowAnswer,
  startLoopServer,
  startReplica,
} from '@cowrie/testkit/agent/loop.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { RENEW_MS } from '../../kernel/lease.ts'
import type { ResultFrame } from './schema.ts'

let loops: LoopTestServer
let second: TestServer
let secondAddress: string
beforeAll(async () => {
  loops = await startLoopServer()
  second = await startReplica(loops)
  secondAddress = await second.listen()
})
afterAll(async () => {
  await second.close()
  await loops.close()
})
afterEach(() => loops.upstream.reset())

const POOR = change('word.txt', 'bad', 'poor')
const GOOD = change('word.txt', 'poor', 'good')
const NONE = { prompt: 'x', context: SHELL.context }
let sleeps = 0
/** A command that runs for hours and that no other test uses. */
const uniqueSleep = () => `sleep 9999.${process.pid}${++sleeps}`
const books = (who: { orgId: string }) => readBooks(loops.server, who.orgId)
const isDetached = async (key: string) =>
  (
    await loops.server.sql
      .rows`select id from idempotency_keys where key = ${key} and detached_at is not null`
  ).length === 1
const over = (who: { orgId: string }) =>
  expect.poll(async () => (await books(who)).runs[0]?.status).not.toBe('running')

describe('a client that disconnects', () => {
  test('pays only for the dispatched turn, and gets the outcome with its key', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR))
    const first = await openLoopClient(loops.address, ada, SHELL, 'hang-up')
    await expect.poll(() => deltasOf(first.frames)).toContain('1. Look.')
    first.disconnect()
    await first.ended
    // The turn continues after the server noticed the disconnect.
    await expect.poll(() => isDetached('hang-up')).toBe(true)
    const waiting = openLoopClient(secondAddress, ada, SHELL, 'hang-up')
    wait.open()
    const again = await waiting
    const frames = await again.ended
    const last = frames.at(-1) as ResultFrame

    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(frames).toHaveLength(1)
    expect(last).toMatchObject({
      cancelled: true,
      verified: false,
      iterations: 1,
      stopReason: 'cancelled',
      result: { edits: [{ path: 'word.txt', content: 'poor\n' }] },
    })
    expect(await books(ada)).toMatchObject({
      held: 0n,
      count: 1n,
      charged: last.totalCostMinor,
      balance: 1_000_000n - last.totalCostMinor,
      runs: [
        { status: 'cancelled', stop_reason: 'cancelled', iterations: 1, cost_minor: last.totalCostMinor },
      ],
    })
    expect(loops.upstream.requests).toHaveLength(1)
    expect(loops.upstream.aborted).toBe(0)
  })

  test('has cancelled, even if its turn completes the task', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR))
    const first = await openLoopClient(loops.address, ada, NONE, 'late')
    await expect.poll(() => deltasOf(first.frames)).toContain('1. Look.')
    first.disconnect()
    await expect.poll(() => isDetached('late')).toBe(true)
    wait.open()
    await over(ada)
    expect((await books(ada)).runs).toMatchObject([
      { status: 'cancelled', stop_reason: 'cancelled', iterations: 1 },
    ])
  })

  soakTest('gets the same bytes again, however often it asks', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(POOR), answer(GOOD))
    const first = await runToEnd(loops.address, ada, SHELL, 'again')
    const replies = await Promise.all(
      [1, 2].map(() =>
        loops.server.call('POST', '/agent/run-loop', {
          as: ada,
          body: SHELL,
          headers: { 'idempotency-key': 'again' },
        }),
      ),
    )
    const [one, two] = replies.map(({ text }) => text)
    expect(one).toBe(two)
    expect(one).toContain(`"seq":${first.last.seq},`)
    expect(replies[0]?.headers).toMatchObject({ 'idempotency-replayed': 'true' })
    expect(loops.upstream.requests).toHaveLength(2)
    expect((await books(ada)).charged).toBe(first.last.totalCostMinor)
  })

  test('while its tests run has them killed immediately', async () => {
    const ada = await loops.customer()
    const sleep = uniqueSleep()
    const testCmd = `if grep -q bad word.txt; then exit 1; fi; exec ${sleep}`
    loops.upstream.script(answer(POOR))
    const first = await openLoopClient(loops.address, ada, { ...SHELL, testCmd })
    await expect.poll(() => findProcesses(sleep)).toContain(sleep)
    first.disconnect()
    await over(ada)
    expect(await books(ada)).toMatchObject({
      held: 0n,
      count: 1n,
      runs: [{ status: 'cancelled', iterations: 1 }],
    })
    expect(await findProcesses(sleep)).toEqual([])
  })

  test('before its first turn is dispatched pays nothing', async () => {
    const ada = await loops.customer()
    const sleep = uniqueSleep()
    const body = { ...SHELL, testCmd: `exec ${sleep}` }
    const first = await openLoopClient(loops.address, ada, body, 'early')
    await expect.poll(() => findProcesses(sleep)).toContain(sleep)
    first.disconnect()
    await over(ada)
    const { last } = await runToEnd(loops.address, ada, body, 'early')
    expect(last).toMatchObject({
      cancelled: true,
      iterations: 0,
      totalCostMinor: 0n,
      balanceMinor: 1_000_000n,
    })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 0n, balance: 1_000_000n })
    expect(loops.upstream.requests).toEqual([])
    expect(await findProcesses(sleep)).toEqual([])
  })
})

test('a running loop keeps its row and its key alive', async () => {
  const ada = await loops.customer()
  const timers = vi.spyOn(globalThis, 'setInterval')
  const wait = gate()
  loops.upstream.script(slowAnswer(wait.opened, POOR))
  const running = await openLoopClient(loops.address, ada, NONE, 'lives')
  await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
  loops.server.clock.advance({ minutes: 14 })
  for (const [beat, everyMs] of timers.mock.calls) if (everyMs === RENEW_MS) beat()
  timers.mockRestore()
  await expect
    .poll(
      () => loops.server.sql.rows`
        select 1 from idempotency_keys k join agent_runs r on r.intent_id = k.id
        where k.key = 'lives' and k.claimed_at = ${loops.server.clock.now()} and r.beat_at = k.claimed_at`,
    )
    .toHaveLength(1)
  loops.server.clock.advance({ minutes: 14 })
  await expect
    .poll(
      () => loops.server.sql.rows`
        select 1 from idempotency_keys where key = 'lives' and lease_until > ${loops.server.clock.now()}`,
      { timeout: 15_000 },
    )
    .toHaveLength(1)
  expect(await openLoopClient(secondAddress, ada, NONE, 'lives')).toMatchObject({
    status: 409,
    refusal: { code: 'idempotency_in_progress' },
  })
  wait.open()
  expect((await running.ended).at(-1)).toMatchObject({ iterations: 1 })
  expect((await books(ada)).count).toBe(1n)
})

test('a loop and its key end in one transaction', async () => {
  const ada = await loops.customer()
  loops.upstream.script(answer(POOR))
  await runToEnd(loops.address, ada, NONE, 'together')
  const same = await loops.server.sql.rows`
    select 1 from idempotency_keys k join agent_runs r on r.intent_id = k.id and r.xmin = k.xmin
    where k.key = 'together' and k.state = 'done' and r.status = 'completed'`
  expect(same).toHaveLength(1)
})

describe('a loop whose process has died', () => {
  test('has ended for a retry with its key, with the charged iterations; the slow process charges nothing', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(answer(POOR), slowAnswer(wait.opened, GOOD))
    const lost = await openLoopClient(loops.address, ada, SHELL, 'crash')
    await expect.poll(() => loops.upstream.requests.length).toBe(2)
    loops.server.clock.advance({ minutes: 16 })

    const { last, headers } = await runToEnd(secondAddress, ada, SHELL, 'crash')
    expect(headers.get('content-type')).toContain('text/event-stream')
    expect(last).toMatchObject({
      seq: 1,
      cancelled: true,
      iterations: 1,
      stopReason: 'interrupted',
      result: { edits: [{ path: 'word.txt', content: 'poor\n' }] },
    })
    wait.open()
    expect((await lost.ended).at(-1)).toMatchObject({ code: 'work_ended' })
    expect(await books(ada)).toMatchObject({
      held: 0n,
      count: 1n,
      charged: last.totalCostMinor,
      runs: [{ status: 'cancelled', stop_reason: 'interrupted', iterations: 1 }],
    })
  })

  test('and which charged nothing is started again', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR), answer(POOR))
    const lost = await openLoopClient(loops.address, ada, NONE, 'crash-early')
    await expect.poll(() => deltasOf(lost.frames)).toContain('1. Look.')
    loops.server.clock.advance({ minutes: 16 })
    const { last } = await runToEnd(secondAddress, ada, NONE, 'crash-early')
    expect(last).toMatchObject({ iterations: 1, stopReason: 'not_verified', cancelled: false })
    wait.open()
    expect((await lost.ended).at(-1)).toMatchObject({ code: 'work_ended' })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
  })

  soakTest('is waited for when it is only slow and says that it lives', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR))
    const slow = await openLoopClient(loops.address, ada, NONE, 'slow')
    await expect.poll(() => deltasOf(slow.frames)).toContain('1. Look.')
    loops.server.clock.advance({ minutes: 16 })
    await loops.server.sql
      .rows`update agent_runs set beat_at = ${loops.server.clock.now()} where org_id = ${ada.orgId}`
    const other = await openLoopClient(secondAddress, ada, NONE, 'slow')
    wait.open()
    const [theirs, ours] = await Promise.all([slow.ended, other.ended])
    expect(ours.at(-1)).toMatchObject({ iterations: 1, stopReason: 'not_verified' })
    expect(theirs.at(-1)).toMatchObject({ code: 'idempotency_in_progress' })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, runs: [{ status: 'completed' }] })
  })
})

test('a service that shuts down releases the turn in flight, and another replica takes over the key', async () => {
  const ada = await loops.customer()
  loops.upstream.script(slowAnswer(gate().opened, POOR), answer(POOR))
  const cut = await openLoopClient(secondAddress, ada, NONE, 'restart')
  await expect.poll(() => deltasOf(cut.frames)).toContain('1. Look.')
  await second.service.engine.close()
  expect((await cut.ended).at(-1)).toMatchObject({ code: 'restarting' })
  await over(ada)
  expect(await books(ada)).toMatchObject({ held: 0n, count: 0n, runs: [{ status: 'failed', iterations: 0 }] })
  await expect.poll(() => loops.upstream.aborted).toBe(1)
  const { last } = await runToEnd(loops.address, ada, NONE, 'restart')
  expect(last).toMatchObject({ iterations: 1, stopReason: 'not_verified' })
})
