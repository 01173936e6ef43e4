// The world of the simulation: one database, two replicas of the whole service, one bank, and organisations that come
// to it in several countries.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { ManualClock } from '../../src/kernel/clock.ts'
import type { Sql } from '../../src/platform/db/tx.ts'
import { type Bank, openBank } from './bank/bank.ts'
import { CURRENCIES, type Prices, readPrices, type SimCurrency } from './checks/prices.ts'
import { SimOrg } from './org.ts'
import { configureOrg, prepareDatabase } from './sql.ts'
import { Tally } from './tally.ts'

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
  /** Chance of the world itself: weather, clocks, messages. */
  readonly random: () => number
  close(): Promise<void>
}

export const INTERNAL_SECRET = 'the secret of the simulated scheduler'
/** Shortly before a leap year's end of February comes within reach of three years. */
const BEGINS = '2027-01-01T00:00:00.000Z'
/** So many organisations are made at once: more would wait for the database too long on a busy machine. */
const SETTLERS = 8
/** The smallest card payment of each currency, as a customer is told it. */
type Channels = { channels: { channel: string; minMinor: bigint }[] }

/** `url` is a migrated database that nobody else uses. */
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
  // Each has written its schedules down by then.
  for (const { app } of [first, second]) await app.jobs.drain()
  await prepareDatabase(first.sql)
  const lives = await createOrgs(first, seed, count)
  const least = await readMinimumCharges(first, lives)
  return {
    replicas: [first, second],
    clock,
    sql: first.sql,
    bank,
    prices: await readPrices(first, least),
    orgs: lives,
    byOrg: new Map(lives.map((life) => [life.owner.orgId, life])),
    staff: await first.person({ staff: 'billing' }),
    tally: new Tally(),
    random: seeded(seed),
    async close() {
      await Promise.all([first.close(), second.close()])
      await bank.close()
    },
  }
}

/** At least one organisation lives in each currency. */
async function createOrgs(server: TestServer, seed: number, count: number): Promise<SimOrg[]> {
  const lives: SimOrg[] = []
  const random = seeded(seed + 1)
  const drawn = Array.from({ length: Math.max(count, CURRENCIES.length) }, (_, i) => ({
    currency: CURRENCIES[i < CURRENCIES.length ? i : Math.floor(random() * CURRENCIES.length)] ?? 'NGN',
    isTeam: random() < 0.5,
    seed: Math.floor(random() * 2 ** 32),
  }))
  let begun = 0
  const settle = async () => {
    for (let i = begun++; i < drawn.length; i = begun++) {
      const { currency, isTeam, seed: own } = drawn[i] ?? { currency: 'NGN' as const, isTeam: false, seed: i }
      const owner = await server.person({ type: isTeam ? 'team' : 'individual' })
      const settled = { currency, ownSeats: isTeam ? 5 : 1 }
      await configureOrg(server.sql, owner.orgId, settled)
      lives[i] = new SimOrg(`o${i}`, own, owner, settled)
    }
  }
  await Promise.all(Array.from({ length: SETTLERS }, settle))
  return lives
}

async function readMinimumCharges(
  server: TestServer,
  lives: readonly SimOrg[],
): Promise<Record<SimCurrency, bigint>> {
  const least: Record<SimCurrency, bigint> = { NGN: 0n, KES: 0n, GHS: 0n, ZAR: 0n }
  for (const currency of CURRENCIES) {
    const someone = lives.find((life) => life.currency === currency)
    const reply = await server.call<Channels>('GET', '/wallet/channels', { as: someone?.owner })
    const card = reply.body.channels.find(({ channel }) => channel === 'card')
    if (!card) throw new Error(`no card serves ${currency}`)
    least[currency] = BigInt(card.minMinor)
  }
  return least
}
