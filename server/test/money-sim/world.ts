// The environment of the simulation: one database, two replicas of the service, and organisations with members.

import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { type ProxyServer, startProxy } from '../../cluster/proxy.ts'
import { ManualClock } from '../../src/kernel/clock.ts'
import { fromJson, toJson } from '../../src/kernel/json.ts'
import type { Currency } from '../../src/kernel/money.ts'
import type { ProviderStatus } from '../../src/payments/rails/rail.ts'
import type { Sql } from '../../src/platform/db/tx.ts'
import type { HistoryFocus } from './draw-step.ts'
import { SimOrg } from './org.ts'

/** A deliberate bug in the environment. `NO_BUG` changes nothing. */
export type PlantedBug = {
  /** The history focus that exercises the bug. */
  readonly focus: HistoryFocus
  /** Changes the database before the start. */
  readonly patchDatabase: (url: string) => Promise<void>
  /** Changes each replica. */
  readonly patchReplica: (replica: TestServer) => void
  /** Changes the provider status before the settlement sees it. */
  readonly alterStatus: (status: ProviderStatus) => ProviderStatus
}

export const NO_BUG: PlantedBug = {
  focus: 'holds',
  patchDatabase: async () => {},
  patchReplica: () => {},
  alterStatus: (status) => status,
}

export type World = {
  readonly replicas: readonly [TestServer, TestServer]
  readonly clock: ManualClock
  readonly sql: Sql
  readonly orgs: readonly SimOrg[]
  readonly staff: Person
  readonly paystack: FakePaystack
  readonly bug: PlantedBug
  close(): Promise<void>
}

/** Members besides the owner. */
const MEMBERS = 2
/** Organisations created concurrently. More would exceed database timeouts on a busy machine. */
const CONCURRENCY = 8

/** `url` is a migrated database without other users. */
export async function openWorld(
  url: string,
  orgCount: number,
  bug: PlantedBug,
  isBehindProxy: boolean,
  adminUrl = url,
): Promise<World> {
  await bug.patchDatabase(url)
  const clock = new ManualClock()
  const paystack = await startFakePaystack()
  const variables = {
    ...paystack.variables,
    SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    SERVICE_DATABASE_POOL: '24',
    TRUST_PROXY: '1',
  }
  const started = await Promise.all([
    startTestServer({ url, adminUrl, clock, variables }),
    startTestServer({ url, adminUrl, clock, variables }),
  ])
  const proxy = isBehindProxy ? await startProxyFor(started) : null
  const [first, second] = proxy ? [through(proxy, started[0]), through(proxy, started[1])] : started
  for (const replica of [first, second]) bug.patchReplica(replica)
  const staff = await first.person({ staff: 'billing' })
  const used = new Map<string, string>()
  const orgs: SimOrg[] = []
  const createNext = async (replica: TestServer) => {
    for (let i = next++; i < orgCount; i = next++) {
      const owner = await replica.person({ type: 'team' })
      const currency = currencyOf(i, bug)
      await first.sql.rows`update orgs set currency = ${currency} where id = ${owner.orgId}`
      const members = [owner.userId]
      for (let n = 0; n < MEMBERS; n++) members.push((await replica.member(owner.orgId, 'member')).userId)
      orgs[i] = new SimOrg(`w${i}`, owner, members, used, currency)
    }
  }
  let next = 0
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, i) => createNext(i % 2 === 0 ? first : second)))
  return {
    replicas: [first, second],
    clock,
    sql: first.sql,
    orgs: orgs,
    staff,
    paystack,
    bug,
    async close() {
      await proxy?.close()
      await Promise.all([first.close(), second.close(), paystack.close()])
    },
  }
}

/** Payments are simulated in naira. In other currencies every charge accrues. */
const currencyOf = (i: number, { focus }: PlantedBug): Currency =>
  focus === 'payments' || i % 4 < 2 ? 'NGN' : i % 4 === 2 ? 'XOF' : 'USD'

async function startProxyFor(replicas: readonly TestServer[]): Promise<ProxyServer> {
  const proxy = await startProxy({ port: 0 })
  for (const replica of replicas) await proxy.backends.add(await replica.listen())
  return proxy
}

/** The replica as cluster clients see it: the proxy chooses which replica answers. */
function through({ address }: ProxyServer, replica: TestServer): TestServer {
  const call: TestServer['call'] = async (method, path, { as, body, headers = {}, query, raw } = {}) => {
    const payload = raw ?? (body === undefined ? null : toJson(body))
    const reply = await fetch(`${address}${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method,
      headers: {
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...(as ? { authorization: `Bearer ${as.bearer}` } : {}),
        ...headers,
      },
      body: typeof payload === 'string' || payload === null ? payload : new Uint8Array(payload),
    })
    const text = await reply.text()
    const isJson = (reply.headers.get('content-type') ?? '').includes('application/json')
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      text,
      body: (isJson ? fromJson(text) : {}) as never,
    }
  }
  return { ...replica, call }
}
