// The SDK and the CLI over bad networks, against the real service: nothing is executed twice, and every failure is reported.

import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { cowrie } from '../../cli/test/cowrie.ts'
import { operationTable } from '../../scripts/sdk/generate.ts'
import { documentOf } from '../../server/src/service.ts'
import { bindOperations } from '../src/client.ts'
import { type CallOptions, type ClientOptions, CowrieError, createClient } from '../src/index.ts'
import { createTransport } from '../src/transport.ts'
import { type ConnectionConditions, startBadNetwork } from './bad-network.ts'

type Frame = { delta?: string; done?: boolean; spends?: number }
type Probe = {
  probe: {
    spend(body: { amountMinor: bigint }, options?: CallOptions): Promise<{ total: number }>
    stream(body: { frames: number; size?: number }, options?: CallOptions): AsyncGenerator<Frame>
    money(body: { amountMinor: bigint }, options?: CallOptions): Promise<{ amountMinor: bigint }>
  }
}

const TABLE = operationTable(documentOf([probe], '0.0.0'))
const RESET = { answer: { afterBytes: 0, end: 'reset' } } as const
/** An old mobile network: 600 ms round trip and about 30 kbit/s. */
const OLD: ConnectionConditions = { latencyMs: 300, jitterMs: 200, bytesPerSecond: 4_000 }

let server: TestServer
let service: string
beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  service = await server.listen()
})
afterAll(() => server.close())

/** A customer with a separate network, so that tests can wait for slow networks concurrently. */
async function over(
  { onTestFinished: later }: TestContext,
  conditions: ConnectionConditions[],
  options: Partial<ClientOptions> = {},
) {
  const network = await startBadNetwork(service, ...conditions)
  later(() => network.close())
  const ada = await server.person()
  const transport = createTransport({ baseUrl: network.url, key: ada.bearer, ...options })
  const client = bindOperations<Probe>(TABLE, transport).probe
  const spends = async (): Promise<number> => {
    const { count } = await server.sql.one<{ count: number }>`
      select count(*)::int as count from probe_spends where org_id = ${ada.orgId}`
    return count
  }
  return { network, ada, client, spends }
}

async function gather(frames: AsyncGenerator<Frame>): Promise<{ seen: Frame[]; error: unknown }> {
  const seen: Frame[] = []
  try {
    for await (const frame of frames) seen.push(frame)
    return { seen, error: null }
  } catch (error) {
    return { seen, error }
  }
}

describe.concurrent('a slow network', () => {
  test('carries calls and streams, which are executed once', async (context) => {
    const { client, spends } = await over(context, [OLD, OLD, OLD])
    expect(await client.spend({ amountMinor: 5n })).toMatchObject({ total: 1 })
    const { seen, error } = await gather(client.stream({ frames: 20, size: 100 }))
    expect([seen.length, error]).toEqual([21, null])
    expect(await spends()).toBe(2)
  })
})

describe.concurrent('money', () => {
  test.for([
    { it: 'before the answer', afterBytes: 0 },
    { it: 'in the first line', afterBytes: 10 },
    { it: 'among the headers', afterBytes: 120 },
  ])('is spent once if the connection is reset $it, twice', async ({ afterBytes }, context) => {
    const reset: ConnectionConditions = { answer: { afterBytes, end: 'reset' } }
    const { client, network, spends } = await over(context, [reset, reset])
    expect(await client.spend({ amountMinor: 5n })).toMatchObject({ total: 1 })
    expect([network.asked, await spends()]).toEqual([3, 1])
  })

  test('is spent once if the first answer never arrives on an open connection', async (context) => {
    const { client, network, spends } = await over(context, [{ answer: { afterBytes: 0, end: 'silence' } }], {
      timeoutMs: 5_000,
    })
    expect(await client.spend({ amountMinor: 5n })).toMatchObject({ total: 1 })
    expect([network.asked, await spends()]).toEqual([2, 1])
  })

  test('is spent once if the first request is lost', async (context) => {
    const { client, network, spends } = await over(context, [{ request: 'lost' }], { timeoutMs: 5_000 })
    expect(await client.spend({ amountMinor: 5n })).toMatchObject({ total: 1 })
    expect([network.asked, await spends()]).toEqual([2, 1])
  })

  test('that may have been spent can be checked with the key in the error', async (context) => {
    const { client, spends } = await over(context, [RESET], { retries: 0 })
    const failure = await client.spend({ amountMinor: 5n }).catch((error: unknown) => error)
    if (!CowrieError.is(failure, 'network_error')) throw failure
    expect(
      await client.spend({ amountMinor: 5n }, { idempotencyKey: failure.idempotencyKey ?? '' }),
    ).toMatchObject({ total: 1 })
    expect(await spends()).toBe(1)
  })
})

test.concurrent('a call that could take effect twice is sent once, and its outcome is unknown', async (context) => {
  const { client, network } = await over(context, [RESET])
  await expect(client.money({ amountMinor: 5n })).rejects.toMatchObject({
    code: 'network_error',
    idempotencyKey: null,
  })
  expect(network.asked).toBe(1)
})

test.concurrent('a read is retried', async (context) => {
  const { network, ada } = await over(context, [RESET, RESET])
  const me = await createClient({ baseUrl: network.url, key: ada.bearer }).me.get()
  expect([me.email, network.asked]).toEqual([ada.email, 3])
})

describe.concurrent('a stream', () => {
  test.for([
    { it: 'is reset', end: 'reset', code: 'stream_cut' },
    { it: 'becomes silent', end: 'silence', code: 'timeout' },
  ] as const)(
    'that $it is broken, and its last frame is available with its key',
    async ({ end, code }, context) => {
      // After the headers, within the frames.
      const { client, spends } = await over(context, [{ answer: { afterBytes: 5_000, end } }], {
        streamSilenceMs: 3_000,
      })
      const cut = await gather(client.stream({ frames: 20, size: 1_000 }))
      expect(cut.error).toMatchObject({ status: 0, code, idempotencyKey: expect.any(String) })
      expect(cut.seen.length).toBeGreaterThan(0)
      expect(cut.seen.length).toBeLessThan(20)

      const idempotencyKey = (cut.error as CowrieError).idempotencyKey ?? ''
      const again = await gather(client.stream({ frames: 20, size: 1_000 }, { idempotencyKey, retries: 10 }))
      expect(again).toMatchObject({ error: null })
      expect(again.seen.at(-1)).toMatchObject({ done: true })
      expect(await spends()).toBe(1)
    },
  )
})

describe.concurrent('the CLI', () => {
  const api = ({ network, ada }: Awaited<ReturnType<typeof over>>, ...args: string[]) =>
    cowrie(['api', ...args], { env: { COWRIE_URL: network.url, COWRIE_API_KEY: ada.bearer } })

  test('works over an old mobile network', async (context) => {
    const there = await over(context, [OLD])
    expect(await api(there, 'GET', '/me')).toMatchObject({ code: 0, stderr: '' })
  })

  test('with a key is executed once, however often the connection is reset', async (context) => {
    const there = await over(context, [RESET, RESET])
    const { code } = await api(
      there,
      'POST',
      '/probe/spend',
      '-d',
      '{"amountMinor":5}',
      '--idempotency-key',
      'k1',
    )
    expect([code, await there.spends()]).toEqual([0, 1])
  })

  test('that cannot reach the service exits with 7 and says what to do', async (context) => {
    const there = await over(context, Array<ConnectionConditions>(5).fill(RESET))
    const { code, stdout, stderr } = await api(there, 'GET', '/me')
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toMatch(
      /^cowrie: http:\S+ cannot be reached: .+ \(network_error\)\n {2}Check the connection with "cowrie doctor"/,
    )
  })

  test('that times out exits with 7', async (context) => {
    const there = await over(context, Array<ConnectionConditions>(5).fill({ request: 'lost' }))
    const { code, stderr } = await api(
      there,
      'POST',
      '/probe/money',
      '-d',
      '{"amountMinor":5}',
      '--timeout',
      '2',
    )
    expect(code).toBe(7)
    expect(stderr).toContain('did not answer in time')
    expect(there.network.asked).toBe(1)
  })
})
