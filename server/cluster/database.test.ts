// The primary database of a cluster is restarted and then lost. Every acknowledged write survives exactly once.

import { setTimeout as pause } from 'node:timers/promises'
import { startTestCluster, type TestCluster } from '@cowrie/testkit/cluster/cluster.ts'
import { type Pair, startPair } from '@cowrie/testkit/cluster/pair.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Confirmations, signIn, topUpAndSpend } from '../chaos/customers.ts'
import { findViolations } from '../chaos/violations.ts'

const PATIENCE = { timeout: scaledTimeout(90_000) }
const REPLICAS = rounds(1, 2)
const CUSTOMERS = rounds(2, 4)
/** The primary is restarted with each of these signals, RESTARTS times. */
const SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const RESTARTS = rounds(1, 5)
/** Before each request: the databases that start need CPU time too. */
const PAUSE_MS = isSoak ? 0 : 20
/** Before all holds, so that none counts as overdue. */
const LONG_AGO = new Date(0)

const confirmed: Confirmations = { credits: new Map(), debits: new Map(), retries: 0 }
let pair: Pair
let all: TestCluster
let closing: Promise<void> | undefined
const closeCluster = () => (closing ??= all?.close())

beforeAll(async () => {
  pair = await startPair()
  all = await startTestCluster(pair.url, REPLICAS, {}, 'chaos')
}, 240_000)
afterAll(async () => {
  await closeCluster()
  await pair?.close()
})

/** Customers top up, spend and read continuously during `happens`, and afterwards. */
async function whileMoneyMoves(name: string, happens: () => Promise<void>): Promise<void> {
  const service = {
    async address() {
      await pause(PAUSE_MS)
      return all.cluster.address
    },
  }
  const people = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, i) => signIn(service, confirmed, `${name}${i}@example.com`)),
  )
  let isOver = false
  const unclear: string[] = []
  const readWallet = async () => {
    while (!isOver) {
      await pause(PAUSE_MS)
      const { status, headers, text } = await all.call('GET', '/wallet', people[0] && { as: people[0] })
      const isClear = status === 200 || (status === 503 && headers.has('retry-after'))
      if (!isClear) unclear.push(`${status} ${text}`)
    }
  }
  const readers = [readWallet(), readWallet()].map((each) =>
    each.catch((error: unknown) => unclear.push(String(error))),
  )
  const loads = Promise.all(people.map((each) => topUpAndSpend(service, confirmed, each, () => isOver)))
  // Awaited at the end. Until then this handler prevents an unhandled rejection.
  loads.catch(() => undefined)
  const more = async (count: number) => {
    const before = confirmed.debits.size
    await expect.poll(() => confirmed.debits.size, PATIENCE).toBeGreaterThan(before + count)
  }
  await more(20)
  await happens()
  await more(20)
  isOver = true
  // Simulates an hour, so that keys of lost calls become stale and can be reclaimed.
  await all.sql
    .rows`update idempotency_keys set claimed_at = claimed_at - interval '1 hour' where state = 'running'`
  await loads
  await Promise.all(readers)
  expect(unclear).toEqual([])
  expect(await findViolations(all.sql, confirmed, LONG_AGO)).toEqual([])
}

soakTest('a restart of the primary causes only refusals with Retry-After', async () => {
  await whileMoneyMoves('restart', async () => {
    for (const signal of Array<typeof SIGNALS>(RESTARTS).fill(SIGNALS).flat()) {
      await pair.primary.stop(signal)
      await pair.primary.start()
    }
  })
  expect(confirmed.credits.size).toBeGreaterThan(0)
})

test('after the loss of the primary, the promoted standby has every acknowledged write', async () => {
  await whileMoneyMoves('failover', async () => {
    await pair.primary.stop('SIGKILL')
    await pair.standby.sql((sql) => sql.rows`select pg_promote()`)
  })
  expect(await pair.standby.sql((sql) => sql.rows`select pg_is_in_recovery() as is`)).toEqual([{ is: false }])
})

test('a returning primary acknowledges no write, and as a standby it accepts none', async () => {
  await closeCluster()
  await pair.primary.start()
  const write = pair.primary.sql((sql) => sql.unsafe('create table too_late (id int)'))
  const outcome = write.then(
    () => 'acknowledged',
    () => 'refused',
  )
  const waiting = () =>
    pair.primary.sql(
      (sql) => sql.rows`
        select 1 from pg_stat_activity where wait_event = 'SyncRep' and query like 'create table too_late%'`,
    )
  await expect.poll(waiting, PATIENCE).toHaveLength(1)
  await pair.primary.stop('SIGQUIT')
  expect(await outcome).toBe('refused')

  await pair.primary.start(true)
  const late = pair.primary.sql((sql) => sql.unsafe('create table later_still (id int)'))
  await expect(late).rejects.toThrow(/read-only transaction/)
})
