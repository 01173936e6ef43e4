// Limits of a loop: money, time, suspension and policy.

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
} from '@cowrie/testkit/agent/loop.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WALL_CLOCK_MINUTES } from './limits.ts'
import type { ResultFrame } from './schema.ts'

let loops: LoopTestServer
beforeAll(async () => {
  loops = await startLoopServer()
})
afterAll(() => loops.close())
afterEach(() => loops.upstream.reset())

const POOR = change('word.txt', 'bad', 'poor')
const GOOD = change('word.txt', 'poor', 'good')
const NONE = { prompt: 'x', context: SHELL.context }
const books = (who: { orgId: string }) => readBooks(loops.server, who.orgId)

describe('money', () => {
  test('that is too little for another iteration ends the loop with its result so far', async () => {
    const rich = await loops.customer()
    const quote = await loops.server.call<{ leastMinor: bigint }>('POST', '/agent/quote', {
      as: rich,
      body: SHELL,
    })
    const ada = await loops.customer(quote.body.leastMinor + 5n)
    loops.upstream.script(answer(POOR), answer(GOOD))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({ stopReason: 'balance', iterations: 1, verified: false, cancelled: false })
    expect(last.totalCostMinor).toBeGreaterThan(0n)
    expect(last.balanceMinor).toBe(quote.body.leastMinor + 5n - last.totalCostMinor)
    expect(loops.upstream.requests).toHaveLength(1)
    expect(await books(ada)).toMatchObject({ balance: last.balanceMinor, held: 0n, count: 1n })
  })

  test('that the caller allows is never exceeded', async () => {
    const ada = await loops.customer()
    const quote = await loops.server.call<{ leastMinor: bigint }>('POST', '/agent/quote', {
      as: ada,
      body: SHELL,
    })
    loops.upstream.script(answer(POOR), answer(GOOD))
    const maxMinor = quote.body.leastMinor + 5n
    const { last } = await runToEnd(loops.address, ada, { ...SHELL, maxMinor })
    expect(last).toMatchObject({ stopReason: 'budget', iterations: 1, verified: false })
    expect(last.totalCostMinor).toBeLessThanOrEqual(maxMinor)
    expect(loops.upstream.requests).toHaveLength(1)
  })

  test('is distinguished from a model that fails in the first iteration, and the key is free again', async () => {
    const ada = await loops.customer()
    loops.upstream.script({ status: 401, body: 'no' }, answer(POOR))
    const failed = await runToEnd(loops.address, ada, NONE, 'fails')
    expect(failed.frames.at(-1)).toMatchObject({ code: 'upstream_refused', error: expect.any(String) })
    expect(await books(ada)).toMatchObject({
      held: 0n,
      balance: 1_000_000n,
      runs: [{ status: 'failed', iterations: 0, cost_minor: 0n }],
    })
    const { last } = await runToEnd(loops.address, ada, NONE, 'fails')
    expect(last).toMatchObject({ iterations: 1, stopReason: 'not_verified' })
  })

  soakTest('is not taken for a model that fails later, and what was reached is kept', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(POOR), { status: 401, body: 'no' })
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({
      stopReason: 'upstream_error',
      iterations: 1,
      cancelled: false,
      result: { edits: [{ path: 'word.txt', content: 'poor\n' }] },
    })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
  })

  test('is distinguished from an answer that was cut before it could be read', async () => {
    const ada = await loops.customer()
    loops.upstream.script({ text: 'Let me think about that for a while.', finish: 'length' })
    const { frames } = await runToEnd(loops.address, ada, NONE)
    expect(frames.at(-1)).toMatchObject({
      code: 'upstream_failed',
      error: expect.stringContaining('Ask for less'),
    })
    expect(await books(ada)).toMatchObject({ held: 0n, balance: 1_000_000n })
  })

  test('is charged for a streamed plan, although no edits followed within the limit', async () => {
    const ada = await loops.customer()
    loops.upstream.script((request) => ({
      text: answer(POOR)(request).split('\n').slice(0, 3).join('\n'),
      finish: 'length',
    }))
    const { last, deltas } = await runToEnd(loops.address, ada, { ...NONE, maxMinor: 300 })
    expect(deltas).toContain('1. Look.')
    expect(last).toMatchObject({
      stopReason: 'not_verified',
      iterations: 1,
      result: { plan: '1. Look.\n2. Repair.', edits: [], warnings: ['answer_cut'] },
    })
    expect(last.totalCostMinor).toBeGreaterThan(0n)
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
  })

  soakTest('is charged for an answer that was cut within a file, and the rest is requested', async () => {
    const ada = await loops.customer()
    loops.upstream.script(
      (request) => ({
        text: answer(POOR)(request).split('\n').slice(0, 6).join('\n'),
        finish: 'length',
      }),
      answer(POOR),
    )
    const { last } = await runToEnd(loops.address, ada, NONE)
    expect(last).toMatchObject({ iterations: 2, result: { edits: [{ path: 'word.txt' }] } })
    expect(await books(ada)).toMatchObject({ held: 0n, count: 2n, charged: last.totalCostMinor })
  })
})

describe('a loop', () => {
  test('of a suspended organisation starts no further turn', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR), answer(GOOD))
    const running = await openLoopClient(loops.address, ada, SHELL)
    await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
    await loops.server.sql
      .rows`update orgs set suspended_at = ${loops.server.clock.now()} where id = ${ada.orgId}`
    wait.open()
    const last = (await running.ended).at(-1) as ResultFrame
    expect(last).toMatchObject({ stopReason: 'suspended', iterations: 1, cancelled: false })
    expect(loops.upstream.requests).toHaveLength(1)
    expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
  })
})

test('a business without KYC starts no further turn once kyc_required is on', async () => {
  const ada = await loops.customer()
  const staff = await loops.server.person({ staff: 'super_admin' })
  const wait = gate()
  loops.upstream.script(slowAnswer(wait.opened, POOR), answer(GOOD))
  const running = await openLoopClient(loops.address, ada, SHELL)
  await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
  await loops.server.sql.rows`update orgs set type = 'team', tier = 'team' where id = ${ada.orgId}`
  const setting = '/admin/settings/kyc_required'
  await loops.server.call('PUT', setting, { as: staff, body: { value: true } })
  wait.open()
  const last = (await running.ended).at(-1) as ResultFrame
  await loops.server.call('DELETE', setting, { as: staff })
  expect(last).toMatchObject({ stopReason: 'policy', iterations: 1, cancelled: false })
  expect(loops.upstream.requests).toHaveLength(1)
  expect(await books(ada)).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
})

describe('a policy that changes in the middle', () => {
  type Change = { lanes?: string; region?: string }
  /** The turn is in flight when the policy changes. */
  async function changed({ lanes = '{open,frontier}', region }: Change, body: object) {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR), answer(GOOD))
    const running = await openLoopClient(loops.address, ada, { ...SHELL, ...body })
    await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
    await loops.server.sql.rows`
      update orgs set allowed_lanes = ${lanes}, residency_region = ${region ?? null} where id = ${ada.orgId}`
    wait.open()
    const last = (await running.ended).at(-1) as ResultFrame
    expect(await books(ada)).toMatchObject({ held: 0n, charged: last.totalCostMinor })
    return last
  }

  test.for<[string, Change, object]>([
    ['takes its lane away', { lanes: '{open}' }, { frontier: true }],
    ['binds it to a region that its model is not cleared for', { region: 'ng' }, {}],
  ])('and %s starts no other turn', async ([, change, body]) => {
    const last = await changed(change, body)
    expect(last).toMatchObject({ stopReason: 'policy', iterations: 1, cancelled: false })
    expect(last.result.edits).toMatchObject([{ path: 'word.txt' }])
    expect(loops.upstream.requests).toHaveLength(1)
  })

  test('and still allows its lane lets it continue', async () => {
    expect(await changed({ lanes: '{open}' }, {})).toMatchObject({ stopReason: 'verified', iterations: 2 })
  })
})

describe('time', () => {
  test('that is over ends the loop before its next iteration', async () => {
    const ada = await loops.customer()
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR), answer(GOOD))
    const running = await openLoopClient(loops.address, ada, SHELL)
    await expect.poll(() => deltasOf(running.frames)).toContain('1. Look.')
    loops.server.clock.advance({ minutes: 26 })
    wait.open()
    const last = (await running.ended).at(-1)
    expect(last).toMatchObject({ stopReason: 'wall_clock', iterations: 1, cancelled: false })
    expect(loops.upstream.requests).toHaveLength(1)
  })

  test.for([
    ['costs what was read along', slowAnswer(gate().opened, POOR), '1. Look.', 1],
    ['before anything could be read costs nothing', { pieces: [gate().opened] }, '', 0],
  ] as const)('that is over in the middle of a turn %s', async ([, reply, heard, iterations]) => {
    const ada = await loops.customer()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    loops.upstream.script(reply)
    const running = await openLoopClient(loops.address, ada, NONE)
    await expect.poll(() => loops.upstream.requests.length).toBe(1)
    await expect.poll(() => deltasOf(running.frames)).toContain(heard)
    for (const [ring, delayMs] of timers.mock.calls) if (delayMs === WALL_CLOCK_MINUTES * 60_000) ring()
    timers.mockRestore()
    const last = (await running.ended).at(-1) as ResultFrame
    expect(last).toMatchObject({ stopReason: 'wall_clock', iterations })
    expect(last.totalCostMinor > 0n).toBe(iterations > 0)
    expect(await books(ada)).toMatchObject({
      held: 0n,
      count: BigInt(iterations),
      charged: last.totalCostMinor,
    })
  })
})

test('characters that the database cannot store are removed from frames and rows', async () => {
  const ada = await loops.customer()
  loops.upstream.script((request) =>
    answer(change('word.txt', 'bad', 'po\0or \ud83d!'))(request).replace('Look', 'Lo\0ok\ud83d'),
  )
  const { last, deltas } = await runToEnd(loops.address, ada, NONE)
  expect(deltas).toContain('1. Look\ufffd.')
  expect(last.result).toMatchObject({
    plan: '1. Look\ufffd.\n2. Repair.',
    edits: [{ path: 'word.txt', content: 'poor \ufffd!\n' }],
  })
  const listed = await loops.server.call('GET', '/agent/runs', { as: ada })
  expect(listed).toMatchObject({
    status: 200,
    body: { runs: [{ result: { edits: [{ path: 'word.txt', action: 'update' }] } }] },
  })
})
