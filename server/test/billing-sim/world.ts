// The environment of the simulation: one database, two replicas of the service, one bank, and organisations in several
// currencies.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { ManualClock } from '../../src/kernel/clock.ts'
import type { Sql } from '../../src/platform/db/tx.ts'
import { type Bank, openBank } from './bank/bank.ts'
import { CURRENCIES, type Prices, readPrices, type SimCurrency } from './checks/prices.ts'
import { SimOrg } from './org.ts'
import { configureOrg, prepareDatabase } from './sql.ts'

export type World = {
  readonly replicas: readonly [TestServer, TestServer]
  readonly clock: ManualClock
  readonly sql: Sql
  readonly bank: Bank
  readonly prices: Prices
  readonly orgs: readonly SimOrg[]
  readonly byOrg: ReadonlyMap<string, SimOrg>
  readonly staff: Person
  readonly tally: Tally
  /** Random sequence of the environment: outages, clock, webhooks. */
  readonly random: () => number
  close(): Promise<void>
}

export const INTERNAL_SECRET = 'the secret of the simulated scheduler'
/** Three years from here include the end of February in a leap year. */
const BEGINS = '2027-01-01T00:00:00.000Z'
/** Organisations created concurrently. More would exceed database timeouts on a busy machine. */
const CONCURRENCY = 8
/** The smallest card payment per currency, from the public API. */
type Channels = { channels: { channel: string; minMinor: bigint }[] }

/** `url` is a migrated database without other users. */
export async function openWorld(url: string, seed: number, count: number): Promise<World> {
  const clock = new ManualClock(BEGINS)
  const bank = await openBank(clock)
  const variables = {
    ...bank.variables,
    SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    SERVICE_DATABASE_POOL: '12',
    SERVICE_LOG_LEVEL: 'error',
    INTERNAL_SECRET,
  }
  const first = await startTestServer({ url, clock, variables })
  const second = await startTestServer({ url, clock, variables })
  // By then each replica has stored its job schedules.
  for (const { app } of [first, second]) await app.jobs.drain()
  await prepareDatabase(first.sql)
  const orgs = await createOrgs(first, seed, count)
  const least = await readMinimumCharges(first, orgs)
  return {
    replicas: [first, second],
    clock,
    sql: first.sql,
    bank,
    prices: await readPrices(first, least),
    orgs: orgs,
    byOrg: new Map(orgs.map((org) => [org.owner.orgId, org])),
    staff: await first.person({ staff: 'billing' }),
    tally: new Tally(),
    random: seeded(seed),
    async close() {
      await Promise.all([first.close(), second.close()])
      await bank.close()
    },
  }
}

/** Creates at least one organisation per currency. */
async function createOrgs(server: TestServer, seed: number, count: number): Promise<SimOrg[]> {
  const orgs: SimOrg[] = []
  const random = seeded(seed + 1)
  const drawn = Array.from({ length: Math.max(count, CURRENCIES.length) }, (_, i) => ({
    currency: CURRENCIES[i < CURRENCIES.length ? i : Math.floor(random() * CURRENCIES.length)] ?? 'NGN',
    isTeam: random() < 0.5,
    seed: Math.floor(random() * 2 ** 32),
  }))
  let begun = 0
  const createNext = async () => {
    for (let i = begun++; i < drawn.length; i = begun++) {
      const { currency, isTeam, seed: own } = drawn[i] ?? { currency: 'NGN' as const, isTeam: false, seed: i }
      const owner = await server.person({ type: isTeam ? 'team' : 'individual' })
      const settled = { currency, ownSeats: isTeam ? 5 : 1 }
      await configureOrg(server.sql, owner.orgId, settled)
      orgs[i] = new SimOrg(`o${i}`, own, owner, settled)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, createNext))
  return orgs
}

async function readMinimumCharges(
  server: TestServer,
  orgs: readonly SimOrg[],
): Promise<Record<SimCurrency, bigint>> {
  const least: Record<SimCurrency, bigint> = { NGN: 0n, KES: 0n, GHS: 0n, ZAR: 0n }
  for (const currency of CURRENCIES) {
    const someone = orgs.find((org) => org.currency === currency)
    const reply = await server.call<Channels>('GET', '/wallet/channels', { as: someone?.owner })
    const card = reply.body.channels.find(({ channel }) => channel === 'card')
    if (!card) throw new Error(`no card channel supports ${currency}`)
    least[currency] = BigInt(card.minMinor)
  }
  return least
}

/** Counts events by name. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string, by = 1): void {
    this.#counts.set(what, this.of(what) + by)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  get lines(): string[] {
    const groups = Map.groupBy([...this.#counts].sort(), ([what]) => what.split(' ')[0] ?? '')
    return [...groups].map(
      ([group, counts]) =>
        `${group}: ${counts.map(([what, count]) => `${what.slice(group.length + 1) || group} ${count}`).join(', ')}`,
    )
  }
}
