// Paid tools: quotes, cost limits, idempotent charges and cancellation.

import { change, slowAnswer } from '@cowrie/testkit/agent/loop.ts'
import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  listDebits,
  listRunRows,
  readWallet,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { connect, connectPrevious, type McpClient, startMcpServer } from '@cowrie/testkit/mcp/clients.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** A long timeout for `expect.poll` on busy machines. */
const LONG_POLL = { timeout: 30_000 }

let stage: AgentTestServer
let address: string
let ada: Person
let key: { bearer: string }
const open: McpClient[] = []
beforeAll(async () => {
  stage = await startMcpServer()
  address = await stage.server.listen()
})
beforeEach(async () => {
  stage.upstream.reset()
  await useNewPerson(1_000_000n)
})
afterAll(async () => {
  for (const each of open) await each.close()
  await stage.close()
})

async function useNewPerson(balanceMinor: bigint): Promise<void> {
  ada = await createFundedPerson(stage.server, balanceMinor)
  key = await stage.server.key(ada, ['agent:run'])
}

async function openClient(start = connect): Promise<McpClient> {
  const started = await start(address, key.bearer)
  open.push(started)
  return started
}

type Result = { structuredContent: Record<string, unknown>; isError?: boolean }

/** A call with explicit request id and session, so that it can be repeated exactly. */
const raw = async (
  id: number,
  name: string,
  given: object,
  { session, on = stage.server }: { session?: string; on?: TestServer } = {},
): Promise<Result> => {
  const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }
  const headers = session === undefined ? {} : { 'mcp-session-id': session }
  const reply = await on.call<{ result: Result }>('POST', '/mcp', { as: key, body, headers })
  expect(reply.status).toBe(200)
  return reply.body.result
}
const RUN = { ...TASK, maxCostMinor: 100_000 }

describe('a paid tool', () => {
  test.for<[string, object, object]>([
    ['run_agent', TASK, { iterations: 1 }],
    ['run_loop', { ...TASK, maxIters: 2 }, { iterations: 2 }],
    ['research_start', { question: 'Why?', depth: 'quick' }, { depth: 'quick' }],
  ])('%s returns its price without a cost limit', async ([name, given, quote]) => {
    const { isError, facts, texts } = await (await openClient()).call(name, { ...given })
    expect(isError).toBe(true)
    expect(facts).toMatchObject({
      code: 'max_cost_required',
      currency: 'NGN',
      quote: { ...quote, maxMinor: expect.any(Number) },
    })
    expect(texts[0]).toContain(`(maxCostMinor: ${(facts.quote as { maxMinor: number }).maxMinor})`)
    expect(stage.upstream.requests).toEqual([])
    expect(await listDebits(stage, ada)).toEqual([])
  })

  test('refuses a cost limit that is too low and states the required amount', async () => {
    const { facts } = await (await openClient()).call('run_agent', { ...TASK, maxCostMinor: 1 })
    expect(facts).toMatchObject({ code: 'budget_too_low', maxMinor: 1, requiredMinor: expect.any(Number) })
    expect(stage.upstream.requests).toEqual([])
  })

  test('reports the missing amount and the top-up URL, and the same call works after the top-up', async () => {
    await useNewPerson(10n)
    const refused = await raw(7, 'run_agent', RUN)
    const facts = refused.structuredContent
    expect(refused.isError).toBe(true)
    expect(facts).toMatchObject({
      code: 'payment_required',
      reason: 'insufficient_funds',
      availableMinor: 10n,
      missingMinor: BigInt(facts.requiredMinor as bigint) - 10n,
      currency: 'NGN',
      topUpUrl: 'http://cowrie.test/app/wallet#top-up',
    })
    await giveCredit(stage.server, ada.orgId, 1_000_000n)
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    expect((await raw(7, 'run_agent', RUN)).structuredContent).toMatchObject({
      costMinor: 109n,
      replayed: false,
    })
    expect((await raw(7, 'run_agent', RUN)).structuredContent).toMatchObject({
      costMinor: 109n,
      replayed: true,
    })
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })

  test('marks a replayed refusal and explains how to try again', async () => {
    await useNewPerson(10n)
    const given = { ...RUN, idempotencyKey: 'too-early' }
    expect((await raw(1, 'run_agent', given)).structuredContent).not.toHaveProperty('replayed')
    await giveCredit(stage.server, ada.orgId, 1_000_000n)
    const again = await raw(2, 'run_agent', given)
    expect(again.structuredContent).toMatchObject({ code: 'payment_required', replayed: true })
    expect(again.structuredContent.error).toContain('another idempotencyKey')
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const retried = await raw(3, 'run_agent', { ...given, idempotencyKey: 'now' })
    expect(retried.structuredContent).toMatchObject({ costMinor: 109n })
  })

  test('refuses a suspended organisation', async () => {
    await stage.server.sql
      .rows`update orgs set suspended_at = ${stage.server.clock.now()} where id = ${ada.orgId}`
    expect((await raw(1, 'run_agent', RUN)).structuredContent).toMatchObject({ code: 'org_suspended' })
  })
})

describe('a repeated request', () => {
  test('is charged once and returns the same edits from any replica', async () => {
    stage.upstream.fallback(fixingAnswer({ usage: USAGE }))
    const first = await raw(3, 'run_agent', RUN, { session: 'a' })
    const other = await startTestServer({ url: stage.server.url, clock: stage.server.clock })
    try {
      const again = await raw(3, 'run_agent', RUN, { session: 'a', on: other })
      expect(again.structuredContent).toEqual({ ...first.structuredContent, replayed: true })
    } finally {
      await other.close()
    }
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })

  test('is new work with other arguments, id, session or API key', async () => {
    stage.upstream.fallback(fixingAnswer({ usage: USAGE }))
    const runs = [
      await raw(3, 'run_agent', RUN, { session: 'a' }),
      await raw(3, 'run_agent', { ...RUN, maxCostMinor: 99_999 }, { session: 'a' }),
      await raw(4, 'run_agent', RUN, { session: 'a' }),
      await raw(3, 'run_agent', RUN, { session: 'b' }),
      await raw(3, 'run_agent', { ...RUN, idempotencyKey: 'mine' }, { session: 'a' }),
    ]
    expect(new Set(runs.map(({ structuredContent }) => structuredContent.id)).size).toBe(5)
    expect(await listDebits(stage, ada)).toHaveLength(5)
  })

  test('with a new request id is two runs and two charges, as documented', async () => {
    stage.upstream.fallback(fixingAnswer({ usage: USAGE }))
    const client = await openClient(connectPrevious)
    const [first, second] = [await client.call('run_agent', RUN), await client.call('run_agent', RUN)]
    expect(second.facts).toMatchObject({ replayed: false })
    expect(second.facts.id).not.toBe(first.facts.id)
    expect(await listDebits(stage, ada)).toHaveLength(2)
    for (const { name, description, annotations } of await client.list()) {
      if (!['run_agent', 'run_loop', 'research_start'].includes(name)) continue
      expect(description, name).toContain('Each call is new work with a new charge')
      expect(annotations, name).toMatchObject({ idempotentHint: false })
    }
  })

  test('with an idempotency key is replayed for every client', async () => {
    stage.upstream.fallback(fixingAnswer({ usage: USAGE }))
    const given = { ...RUN, idempotencyKey: 'intent-1' }
    const [a, b] = [await openClient(), await openClient(connectPrevious)]
    const first = await a.call('run_agent', given)
    const again = await b.call('run_agent', given)
    expect(again.facts).toEqual({ ...first.facts, replayed: true })
    expect(again.texts[1]).toContain('nothing was charged again')
    expect(await listDebits(stage, ada)).toHaveLength(1)
    const reused = await a.call('run_agent', { ...given, prompt: 'Something else.' })
    expect(reused.facts).toMatchObject({ code: 'idempotency_key_reused' })
  })
})

describe('a cancellation', () => {
  const isDetached = async (used: string) =>
    (
      await stage.server.sql
        .rows`select id from idempotency_keys where key = ${used} and detached_at is not null`
    ).length === 1

  // The newest revision cancels by closing the stream, older ones by a notification.
  test.for([
    ['the newest SDK', connect, 'by-closing'],
    ['the previous SDK', connectPrevious, 'by-notice'],
  ] as const)('stops a loop after the current turn: %s', async ([, start, used]) => {
    const held = gate()
    stage.upstream.script(slowAnswer(held.opened, change('src/add.js', '  return a - b', '  return a + b')))
    const stop = new AbortController()
    const given = { ...TASK, maxIters: 3, maxCostMinor: 100_000, idempotencyKey: used }
    const steps: string[] = []
    const options = { signal: stop.signal, onProgress: (words: string) => steps.push(words) }
    const ended = expect((await openClient(start)).call('run_loop', given, options)).rejects.toThrow()
    await expect.poll(() => steps.length, LONG_POLL).toBeGreaterThan(0)
    stop.abort()
    await ended
    // The turn continues after the service has noticed the disconnect.
    await expect.poll(() => isDetached(used), LONG_POLL).toBe(true)
    held.open()
    await expect
      .poll(() => listRunRows(stage, ada), LONG_POLL)
      .toMatchObject([{ status: 'cancelled', stop_reason: 'cancelled' }])
    expect(stage.upstream.requests).toHaveLength(1)
    expect(await listDebits(stage, ada)).toHaveLength(1)
    expect((await readWallet(stage.server, ada)).heldMinor).toBe(0n)
  })
})
