// Loops under load: the limit of concurrent loops, and paid attempts when the sandbox is full or fails.

import {
  answer,
  change,
  deltasOf,
  type LoopTestServer,
  openLoopClient,
  readBooks,
  runToEnd,
  SHELL,
  slowAnswer,
  startLoopServer,
  startReplica,
} from '@cowrie/testkit/agent/loop.ts'
import { type FakeDocker, startFakeDocker } from '@cowrie/testkit/fakes/docker.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { acquireSlot } from '../../sandbox/slots.ts'
import type { ResultFrame } from './schema.ts'

let loops: LoopTestServer
let engine: FakeDocker
let second: TestServer
let secondAddress: string
let staff: Person
beforeAll(async () => {
  engine = await startFakeDocker({ image: 'tests:1' })
  loops = await startLoopServer({
    SERVICE_SANDBOX_LOCAL: 'off',
    SERVICE_SANDBOX_DOCKER: 'on',
    SERVICE_SANDBOX_DOCKER_IMAGE: 'tests:1',
    DOCKER_HOST: engine.host,
  })
  second = await startReplica(loops)
  secondAddress = await second.listen()
  staff = await loops.server.person({ staff: 'support' })
})
afterAll(async () => {
  await second.close()
  await loops.close()
  await engine.close()
})
afterEach(() => {
  loops.upstream.reset()
  engine.isBroken = false
})

const GOOD = change('word.txt', 'bad', 'good')
const POOR = change('word.txt', 'bad', 'poor')
const NONE = { prompt: 'x', context: SHELL.context }
const DOCKER = { ...SHELL, sandbox: 'docker' }
const failing = () => engine.answers.set(SHELL.testCmd, { output: 'bad\n', exitCode: 1 })
const passing = () => engine.answers.set(SHELL.testCmd, { output: 'good\n', exitCode: 0 })

describe('concurrent loops', () => {
  const PLANS = [
    ['individual', 2],
    ['team', 4],
  ] as const

  test.for(isSoak ? PLANS : PLANS.slice(0, 1))(
    'of an organisation on the plan %s are limited to %d, over all replicas',
    async ([type, most]) => {
      const ada = await loops.customer(10_000_000n, type)
      const wait = gate()
      loops.upstream.fallback(slowAnswer(wait.opened, GOOD))
      const going = await Promise.all(
        Array.from({ length: most }, (_, i) =>
          openLoopClient(i % 2 ? secondAddress : loops.address, ada, NONE),
        ),
      )
      expect(going.map(({ status }) => status)).toEqual(Array(most).fill(200))
      for (const address of [loops.address, secondAddress]) {
        const refused = await openLoopClient(address, ada, NONE)
        expect(refused.status).toBe(429)
        expect(refused.headers.get('retry-after')).toBe('15')
        expect(refused.refusal).toMatchObject({ code: 'too_many_loops', most })
      }
      const others = await openLoopClient(loops.address, await loops.customer(), NONE)
      expect(others.status).toBe(200)
      wait.open()
      await Promise.all([...going, others].map(({ ended }) => ended))
      expect((await runToEnd(loops.address, ada, NONE)).status).toBe(200)
      expect(await readBooks(loops.server, ada.orgId)).toMatchObject({ held: 0n, count: BigInt(most + 1) })
    },
  )

  test('do not count when their process is dead', async () => {
    const ada = await loops.customer()
    loops.upstream.fallback(answer(GOOD))
    for (const key of ['dead-1', 'dead-2']) await runToEnd(loops.address, ada, NONE, key)
    await loops.server.sql.rows`
      update agent_runs set status = 'running', finished_at = null, beat_at = ${loops.server.clock.now()}
      where org_id = ${ada.orgId}`
    expect((await openLoopClient(loops.address, ada, NONE)).status).toBe(429)
    loops.server.clock.advance({ minutes: 3 })
    expect((await runToEnd(loops.address, ada, NONE)).status).toBe(200)
  })

  test('that start at the same moment stay within the limit', async () => {
    const ada = await loops.customer(10_000_000n)
    const wait = gate()
    loops.upstream.fallback(slowAnswer(wait.opened, GOOD))
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, i) => openLoopClient(i % 2 ? secondAddress : loops.address, ada, NONE)),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429, 429])
    wait.open()
    await Promise.all(all.map(({ ended }) => ended))
  })
})

describe('a sandbox that fails', () => {
  /** The container ends before the command begins. */
  const broken = () => engine.answers.set(SHELL.testCmd, { notes: '', exitCode: 125 })
  const ledgerOf = async (who: Person) =>
    (await loops.server.call<{ entries: Entry[] }>('GET', '/wallet/ledger', { as: who })).body.entries
  type Entry = { id: string; type: string; source: string; ref: string; amountMinor: bigint }

  test('in the baseline ends the loop before the model is called', async () => {
    broken()
    const ada = await loops.customer()
    const { last } = await runToEnd(loops.address, ada, DOCKER)
    expect(last).toMatchObject({ stopReason: 'sandbox_failed', iterations: 0, totalCostMinor: 0n })
    expect(loops.upstream.requests).toHaveLength(0)
    expect(await readBooks(loops.server, ada.orgId)).toMatchObject({
      balance: 1_000_000n,
      held: 0n,
      count: 0n,
    })
  })

  test.for(isSoak ? [1, 2] : [2])(
    'at iteration %d ends the loop, shows its edits, and costs nothing',
    async (at) => {
      failing()
      const ada = await loops.customer()
      const wait = gate()
      const edits = [POOR, change('word.txt', 'poor', 'good')]
      const answers = edits.slice(0, at - 1).map((edit) => answer(edit))
      loops.upstream.script(...answers, slowAnswer(wait.opened, edits[at - 1] ?? GOOD))
      const key = `sandbox-fails-${at}`
      const going = await openLoopClient(loops.address, ada, DOCKER, key)
      await expect.poll(() => loops.upstream.requests.length).toBe(at)
      broken()
      wait.open()
      const last = (await going.ended).at(-1) as ResultFrame
      expect(last).toMatchObject({
        stopReason: 'sandbox_failed',
        verified: false,
        iterations: at,
        totalCostMinor: 0n,
        balanceMinor: 1_000_000n,
        result: { costMinor: 0n, edits: [{ path: 'word.txt', content: at === 1 ? 'poor\n' : 'good\n' }] },
      })
      const books = await readBooks(loops.server, ada.orgId)
      expect(books).toMatchObject({ balance: 1_000_000n, held: 0n, count: BigInt(at) })
      expect(books.runs).toMatchObject([{ stop_reason: 'sandbox_failed', iterations: at, cost_minor: 0n }])

      const entries = await ledgerOf(ada)
      const [returned, ...charges] = entries.filter(({ source }) => source === 'agent')
      expect(charges).toHaveLength(at)
      expect(returned).toMatchObject({ type: 'credit', ref: last.id, amountMinor: books.charged })
      const { body } = await loops.server.call('GET', `/wallet/ledger/${returned?.id}`, { as: ada })
      expect(body).toMatchObject({ explanation: { kind: 'refund', payment: null } })
      const { checks } = (
        await loops.server.call<{ checks: object[] }>('GET', '/admin/ledger/invariants', { as: staff })
      ).body
      expect(checks).toContainEqual(expect.objectContaining({ name: 'refunds_are_credits', ok: true }))

      const again = await runToEnd(loops.address, ada, DOCKER, key)
      expect(again.last).toEqual(last)
      expect(await readBooks(loops.server, ada.orgId)).toEqual(books)
    },
  )
})

describe('a charged attempt', () => {
  test('waits for a slot in a full queue, while a run without a charge is rejected', async () => {
    failing()
    const [ada, ben] = [await loops.customer(), await loops.customer()]
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, GOOD))
    const paid = await openLoopClient(loops.address, ada, DOCKER)
    await expect.poll(() => deltasOf(paid.frames)).toContain('1. Look.')

    const signal = new AbortController().signal
    const held = await Promise.all(['x', 'x', 'y', 'y'].map((owner) => acquireSlot({ owner, signal })))
    const waiting = Array.from({ length: 64 }, (_, i) =>
      acquireSlot({ owner: `${i % 16}`, signal }).then((leave) => leave?.()),
    )
    passing()
    wait.open()
    const turnedAway = await runToEnd(loops.address, ben, DOCKER)
    expect(turnedAway.last).toMatchObject({ stopReason: 'sandbox_failed', iterations: 0, totalCostMinor: 0n })
    expect(await readBooks(loops.server, ben.orgId)).toMatchObject({ held: 0n, count: 0n })
    await expect.poll(() => paid.frames.some((frame) => 'step' in frame && frame.step === 'edit')).toBe(true)
    for (const leave of held) leave?.()
    await Promise.all(waiting)
    expect((await paid.ended).at(-1)).toMatchObject({ verified: true, iterations: 1 })
  })

  test('is tested again when the sandbox fails', async () => {
    failing()
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, GOOD))
    const going = await openLoopClient(loops.address, ada, DOCKER)
    await expect.poll(() => deltasOf(going.frames)).toContain('1. Look.')
    passing()
    engine.isBroken = true
    const asked = engine.calls.length
    wait.open()
    await expect.poll(() => engine.calls.length).toBeGreaterThan(asked)
    engine.isBroken = false
    expect((await going.ended).at(-1)).toMatchObject({ verified: true, iterations: 1 })
  })
})
