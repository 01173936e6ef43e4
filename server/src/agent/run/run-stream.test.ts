import {
  answer,
  change,
  create,
  deltasOf,
  type LoopTestServer,
  openLoopClient,
  openRunClient,
  type RunFrame,
  readBooks,
  SHELL,
  slowAnswer,
  startLoopServer,
  startReplica,
} from '@cowrie/testkit/agent/loop.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRunResult } from '../schema.ts'

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

const TASK = { prompt: 'Let there be a good word.', context: SHELL.context }
const GOOD = change('word.txt', 'bad', 'good')
const WRONG = change('word.txt', 'no such line', 'good')
const books = (who: { orgId: string }) => readBooks(loops.server, who.orgId)
const lastOf = (frames: readonly RunFrame[]) => frames.at(-1) as Extract<RunFrame, { result: object }>
const stepsOf = (frames: readonly RunFrame[]) => frames.flatMap((frame) => ('step' in frame ? [frame] : []))
const runPlain = (as: Person, key: string, accept = 'application/json') =>
  loops.server.call<AgentRunResult>('POST', '/agent/run', {
    ...{ as, body: TASK, headers: { 'idempotency-key': key, accept } },
  })
const stop = (as: Person, id: string | undefined) =>
  second.call<{ id: string; status: string; code?: string }>('POST', `/agent/runs/${id}/stop`, {
    ...{ as, body: {} },
  })
const runningId = async (who: { orgId: string }) => {
  await expect.poll(async () => (await books(who)).runs.length).toBe(1)
  return (await books(who)).runs[0]?.id
}
const isDetached = async (key: string) =>
  (await loops.server.sql.rows`select 1 from idempotency_keys where key = ${key} and detached_at is not null`)
    .length === 1

describe('a streamed run', () => {
  test('shows its maximum, its text, its steps and its result, and both forms replay one result', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(GOOD))
    const { headers, ended } = await openRunClient(loops.address, ada, TASK, 'streamed')
    const frames = await ended
    expect(headers.get('content-type')).toContain('text/event-stream')
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1))
    expect(frames[0]).toMatchObject({
      start: { lane: 'open', model: 'small-1', maxMinor: expect.any(BigInt), usuallyMinor: null },
    })
    expect(deltasOf(frames)).toMatch(/1\. Look\..*update word\.txt.*It is repaired\./s)
    const { result, cancelled, totalCostMinor } = lastOf(frames)
    expect(stepsOf(frames)).toMatchObject([
      { step: 'plan', ok: true, costMinor: totalCostMinor },
      { step: 'edit', ok: true, costMinor: totalCostMinor, files: [{ path: 'word.txt', action: 'update' }] },
    ])
    expect(cancelled).toBe(false)
    expect(result).toMatchObject({ status: 'complete', edits: [{ content: 'good\n' }] })
    expect(await books(ada)).toMatchObject({
      ...{ held: 0n, count: 1n, charged: totalCostMinor },
      runs: [{ id: result.id, status: 'completed', stop_reason: null, cost_minor: totalCostMinor }],
    })

    const again = await openRunClient(secondAddress, ada, TASK, 'streamed')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.ended).toEqual([{ ...lastOf(frames), seq: 1 }])
    const plain = await runPlain(ada, 'streamed', 'application/json, text/event-stream')
    expect(plain.headers['content-type']).toContain('application/json')
    expect(plain.body).toEqual(result)
    expect(loops.upstream.requests).toHaveLength(1)
  })

  test('of a stored plain run has its result', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(GOOD))
    const plain = await runPlain(ada, 'plain')
    const frames = await (await openRunClient(loops.address, ada, TASK, 'plain')).ended
    expect(frames).toMatchObject([{ seq: 1, cancelled: false, totalCostMinor: plain.body.costMinor }])
    expect(lastOf(frames).result).toEqual(plain.body)
  })

  test('reports its repair turn with the cost of both turns', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(WRONG), answer(GOOD))
    const frames = await (await openRunClient(loops.address, ada, TASK)).ended
    const [, edit, repair] = stepsOf(frames)
    expect(edit).toMatchObject({ step: 'edit', ok: false, failures: [{ path: 'word.txt' }] })
    expect(repair).toMatchObject({ step: 'repair', ok: true, costMinor: lastOf(frames).totalCostMinor })
    expect(repair?.costMinor).toBeGreaterThan(Number(edit?.costMinor))
  })

  test('is refused with a status while no stream is open', async () => {
    const poor = await loops.customer(0n)
    expect(await openRunClient(loops.address, poor, TASK)).toMatchObject({
      ...{ status: 402, refusal: { code: 'insufficient_funds' } },
    })
  })

  test('whose client disconnects finishes its turn, begins no repair, and keeps its result', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, create('more.txt', 'more'), WRONG))
    const first = await openRunClient(loops.address, ada, TASK, 'gone')
    await expect.poll(() => deltasOf(first.frames)).toContain('1. Look.')
    first.disconnect()
    await expect.poll(() => isDetached('gone')).toBe(true)
    const waiting = openRunClient(secondAddress, ada, TASK, 'gone')
    wait.open()
    const [frame, ...others] = await (await waiting).ended
    expect(others).toEqual([])
    expect(frame).toMatchObject({ cancelled: true, result: { edits: [{ path: 'more.txt' }] } })
    expect(loops.upstream).toMatchObject({ requests: { length: 1 }, aborted: 0 })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, runs: [{ status: 'cancelled' }] })
  })

  test('ends with `restarting` when the service shuts down, costs nothing, and another replica runs it', async () => {
    const ada = await loops.customer()
    const third = await startReplica(loops)
    loops.upstream.script(slowAnswer(gate().opened, GOOD), answer(GOOD))
    const cut = await openRunClient(await third.listen(), ada, TASK, 'restart')
    await expect.poll(() => deltasOf(cut.frames)).toContain('1. Look.')
    await third.service.engine.close()
    expect((await cut.ended).at(-1)).toMatchObject({ code: 'restarting' })
    const frames = await (await openRunClient(loops.address, ada, TASK, 'restart')).ended
    expect(lastOf(frames)).toMatchObject({ cancelled: false, result: { edits: [{ content: 'good\n' }] } })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n })
    await third.close()
  })
})

describe('a stop from another replica', () => {
  test('ends a streamed run at once, keeps and charges what was shown, and may be repeated', async () => {
    const ada = await loops.customer()
    loops.upstream.script(slowAnswer(gate().opened, GOOD))
    const running = await openRunClient(loops.address, ada, TASK, 'stopped')
    await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
    const id = await runningId(ada)
    const stopped = await stop(ada, id)
    expect(stopped).toMatchObject({ status: 200, body: { id, status: 'cancelled', stopReason: 'cancelled' } })
    const last = lastOf(await running.ended)
    expect(last).toMatchObject({ cancelled: true, result: { cancelled: true, status: 'partial', edits: [] } })
    expect(last.result.plan).toContain('1. Look.')
    expect(last.totalCostMinor).toBeGreaterThan(0)
    await expect.poll(() => loops.upstream.aborted).toBe(1)
    expect(await books(ada)).toMatchObject({
      ...{ held: 0n, count: 1n, charged: last.totalCostMinor, runs: [{ status: 'cancelled' }] },
    })
    expect(await stop(ada, id)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect((await runPlain(ada, 'stopped')).body).toEqual(last.result)
  })

  test.for([
    { it: 'of a plain run without a complete file is free', at: 'good', edits: 0 },
    { it: 'of a plain run keeps and charges its complete files', at: '[[', edits: 1 },
  ])('$it', async ({ at, edits }) => {
    const ada = await loops.customer()
    const sent = gate()
    loops.upstream.script((request) => {
      const text = answer(GOOD)(request)
      const cut = at.startsWith('[') ? text.lastIndexOf('[[') : text.indexOf(at)
      const hang = () => {
        sent.open()
        return gate().opened
      }
      return { pieces: [text.slice(0, cut), hang, text.slice(cut)] }
    })
    const running = runPlain(ada, 'plain-stop')
    await sent.opened
    await stop(ada, await runningId(ada))
    const { status, body } = await running
    expect(status).toBe(200)
    expect(body).toMatchObject({ cancelled: true, status: 'partial', edits: { length: edits } })
    expect(body.costMinor > 0).toBe(edits > 0)
    expect(await books(ada)).toMatchObject({
      ...{ held: 0n, charged: body.costMinor, runs: [{ status: 'cancelled', cost_minor: body.costMinor }] },
    })
    expect((await runPlain(ada, 'plain-stop')).body).toEqual(body)
  })

  test('ends the turn of a loop', async () => {
    const ada = await loops.customer()
    loops.upstream.script(slowAnswer(gate().opened, GOOD))
    const running = await openLoopClient(loops.address, ada, SHELL)
    await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
    expect(await stop(ada, await runningId(ada))).toMatchObject({ body: { status: 'cancelled' } })
    expect((await running.ended).at(-1)).toMatchObject({ cancelled: true, stopReason: 'cancelled' })
    expect(await books(ada)).toMatchObject({ held: 0n, runs: [{ status: 'cancelled' }] })
  })

  test('is refused for finished, unknown and foreign runs', async () => {
    const owner = await loops.customer(1_000_000n, 'team')
    const [member, admin] = [
      await loops.server.member(owner.orgId, 'member'),
      await loops.server.member(owner.orgId, 'admin'),
    ]
    loops.upstream.script(slowAnswer(gate().opened, GOOD))
    const running = await openRunClient(loops.address, owner, TASK)
    const id = await runningId(owner)
    expect(await stop(member, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const stranger = await loops.customer()
    expect(await stop(stranger, id)).toMatchObject({ status: 404 })
    expect(await stop(stranger, `agr_${'0'.repeat(26)}`)).toMatchObject({ status: 404 })
    expect(await stop(admin, id)).toMatchObject({ status: 200 })
    await running.ended
    loops.upstream.script(answer(GOOD))
    const done = await runPlain(stranger, 'done')
    expect(await stop(stranger, done.body.id)).toMatchObject({ status: 409, body: { code: 'run_finished' } })
  })
})
