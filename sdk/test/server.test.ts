// The SDK against the real service over a socket: both sides must implement the same contract.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationTable } from '../../scripts/sdk/generate.ts'
import { documentOf } from '../../server/src/service.ts'
import { bindOperations } from '../src/client.ts'
import { API_VERSION, type CallOptions, type ClientOptions, createClient } from '../src/index.ts'
import { createTransport } from '../src/transport.ts'

type Spend = { amountMinor: bigint; fail?: 'refuse' | 'break' | 'busy' }
type Spent = { id: string; amountMinor: bigint; total: number }
type Frame = { delta?: string; done?: boolean; spends?: number }
type Probe = {
  probe: {
    spend(body: Spend, options?: CallOptions): Promise<Spent>
    refund(body: Spend, options?: CallOptions): Promise<Spent>
    stream(
      body: { frames: number; size?: number; fail?: 'before' | 'during' },
      options?: CallOptions,
    ): AsyncGenerator<Frame>
    list(
      itemId: string,
      query?: { limit?: number; deep?: boolean },
    ): Promise<{ limit: number; itemId: string }>
    money(body: { amountMinor: bigint }): Promise<{ amountMinor: bigint }>
  }
}

const TABLE = operationTable(documentOf([probe], '0.4.0'))

let server: TestServer
let baseUrl: string
let person: Person
let key: string
beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  baseUrl = await server.listen()
  person = await server.person()
  key = (await server.key(person, ['agent:run'])).bearer
})
afterAll(() => server.close())

const probeAs = (bearer: string, options: Partial<ClientOptions> = {}): Probe['probe'] =>
  bindOperations<Probe>(TABLE, createTransport({ baseUrl, key: bearer, ...options })).probe

const spendsOf = async (orgId: string): Promise<number> =>
  (
    await server.sql.one<{
      count: number
    }>`select count(*)::int as count from probe_spends where org_id = ${orgId}`
  ).count

/** A network that delivers requests but loses the first answers. */
function losing(answers: number): typeof fetch {
  let lost = 0
  return async (...request) => {
    const response = await fetch(...request)
    if (lost++ >= answers) return response
    await response.body?.cancel()
    throw new TypeError('fetch failed')
  }
}

describe('money', () => {
  test.for([2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n])(
    '%s survives a round trip exactly',
    async (amountMinor) => {
      expect(await probeAs(key).money({ amountMinor })).toEqual({ amountMinor })
    },
  )

  test('is spent once if two answers are lost', async () => {
    const spender = await server.person()
    const client = probeAs(spender.bearer, { fetch: losing(2) })
    expect(await client.spend({ amountMinor: 5n })).toMatchObject({ amountMinor: 5n, total: 1 })
    expect(await spendsOf(spender.orgId)).toBe(1)
  })

  test('is spent once if a failed call is repeated with its key', async () => {
    const spender = await server.person()
    const idempotencyKey = 'order-1'
    await expect(
      probeAs(spender.bearer, { fetch: losing(1), retries: 0 }).spend(
        { amountMinor: 7n },
        { idempotencyKey },
      ),
    ).rejects.toMatchObject({
      code: 'network_error',
      idempotencyKey,
    })
    expect(await probeAs(spender.bearer).spend({ amountMinor: 7n }, { idempotencyKey })).toMatchObject({
      total: 1,
    })
    expect(await spendsOf(spender.orgId)).toBe(1)
  })

  test('calls that require a key get a random one', async () => {
    const billing = await server.person({ staff: 'billing' })
    expect(await probeAs(billing.bearer).refund({ amountMinor: 3n })).toMatchObject({ amountMinor: 3n })
  })
})

describe('error answers', () => {
  test('name the invalid fields', async () => {
    const refused = probeAs(key).spend({ amountMinor: 0n })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'invalid_fields',
      fields: [{ path: 'amountMinor' }],
      requestId: expect.stringMatching(/^req_/),
    })
  })

  test('distinguish missing credentials from missing permissions', async () => {
    const weak = await server.key(person, ['wallet:read'])
    await expect(probeAs(weak.bearer).spend({ amountMinor: 1n })).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    })
    await expect(createClient({ baseUrl }).me.get()).rejects.toMatchObject({
      status: 401,
      code: 'unauthenticated',
    })
  })

  test('of a busy service have retryAfter after the last retry', async () => {
    await expect(probeAs(key, { retries: 0 }).spend({ amountMinor: 1n, fail: 'busy' })).rejects.toMatchObject(
      { status: 503, code: 'busy', retryAfter: 2 },
    )
  })
})

describe('streams', () => {
  const gather = async (frames: AsyncGenerator<Frame>) => {
    const seen: Frame[] = []
    for await (const frame of frames) seen.push(frame)
    return seen
  }

  test('arrive completely, including large frames', async () => {
    const seen = await gather(probeAs(key).stream({ frames: 20, size: 50_000 }))
    expect(seen).toHaveLength(21)
    expect(seen.slice(0, 20).every(({ delta }) => delta === 'x'.repeat(50_000))).toBe(true)
    expect(seen.at(-1)).toMatchObject({ done: true })
  })

  test('are replayed for the same key instead of executed again', async () => {
    const runner = await server.person()
    const client = probeAs(runner.bearer)
    const first = await gather(client.stream({ frames: 2 }, { idempotencyKey: 'loop-1' }))
    const again = await gather(client.stream({ frames: 2 }, { idempotencyKey: 'loop-1' }))
    expect(again).toEqual(first.slice(-1))
    expect(await spendsOf(runner.orgId)).toBe(1)
  })

  test('throw errors from before the start and from the end', async () => {
    await expect(gather(probeAs(key).stream({ frames: 1, fail: 'before' }))).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
    const seen: Frame[] = []
    const failing = (async () => {
      for await (const frame of probeAs(key).stream({ frames: 3, fail: 'during' })) seen.push(frame)
    })()
    await expect(failing).rejects.toMatchObject({
      status: 500,
      code: 'internal',
      requestId: expect.stringMatching(/^req_/),
    })
    expect(seen).toHaveLength(3)
  })
})

test('path and query arrive unchanged', async () => {
  expect(await probeAs(key).list('a/b ₦?', { limit: 7, deep: true })).toEqual({ limit: 7, itemId: 'a/b ₦?' })
})

describe('the generated client', () => {
  test('signs in, reads the user, and reads balances as bigints', async () => {
    const { userId } = await createClient({ baseUrl }).auth.devLogin({ email: 'ada@example.com' })
    const me = await createClient({ baseUrl, key: userId }).me.get()
    expect(me).toMatchObject({
      userId,
      email: 'ada@example.com',
      balanceMinor: 0n,
      currency: { code: 'NGN' },
    })
  })

  test('changes a setting and restores it', async () => {
    const operator = await server.person({ staff: 'operator' })
    const { settings } = createClient({ baseUrl, key: operator.bearer }).admin
    const { setting } = await settings.set('default_skin', { value: 'kente' })
    expect(setting).toMatchObject({ value: 'kente', source: 'operator' })
    expect((await settings.reset('default_skin')).setting).toMatchObject({ isDefault: true })
    await expect(settings.set('no_such_setting', { value: 1 })).rejects.toMatchObject({
      status: 422,
      code: 'unknown_setting',
    })
  })

  test('has the API version of the service', async () => {
    expect((await createClient({ baseUrl }).system.version()).apiVersion).toBe(API_VERSION)
  })

  test('returns JSON documents unchanged and text as text', async () => {
    const client = createClient({ baseUrl })
    expect(await client.system.openapi()).toMatchObject({ openapi: '3.1.0' })
    const operator = await server.person({ staff: 'operator' })
    expect(await createClient({ baseUrl, key: operator.bearer }).system.metrics()).toContain('# TYPE')
  })
})
