import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DbOptions, type DbTimeouts, type OpenDb, openDb } from './open-db.ts'

let own: TestDb
let db: OpenDb
beforeAll(async () => {
  own = await openTestDb()
  db = open()
})
const open = (timeouts?: DbTimeouts & Pick<DbOptions, 'onWait'>) =>
  openDb(own.url, { ...GENEROUS_TIMEOUTS, ...timeouts, clock: own.clock, role: 'cowrie_app', max: 2 })
afterAll(async () => {
  await db.close()
  await own.close()
})

/** Takes a lock that statements wait for. Returns a function that releases it. */
async function closeGate(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const gate = own.db.tx('platform', async (tx) => {
    await tx.lock('gate')
    held.resolve()
    await opened.promise
  })
  await held.promise
  return () => {
    opened.resolve()
    return gate
  }
}
const passGate = () => db.direct.rows`select pg_advisory_xact_lock(hashtextextended('gate', 0))`

describe('a pool of two connections', () => {
  test('runs two single statements on each connection and queues further ones', async () => {
    const open = await closeGate()
    const statements = Array.from({ length: 5 }, passGate)
    expect(db.usage()).toEqual({ inUse: 2, waiting: 1 })
    await open()
    await Promise.all(statements)
    expect(db.usage()).toEqual({ inUse: 0, waiting: 0 })
  })

  test('queues single statements while transactions hold both connections', async () => {
    const opened = Promise.withResolvers<void>()
    const transactions = [1, 2].map(() => db.tx('platform', () => opened.promise))
    const statement = db.direct.one<{ one: number }>`select 1 as one`
    expect(db.usage()).toEqual({ inUse: 2, waiting: 1 })
    opened.resolve()
    expect(await statement).toEqual({ one: 1 })
    await Promise.all(transactions)
  })

  test('fails with busy after a long wait, and a failed statement releases its slot', async () => {
    const waits: number[] = []
    const hasty = open({ poolWaitMs: 20, onWait: (seconds) => waits.push(seconds) })
    const opened = Promise.withResolvers<void>()
    const transactions = [1, 2].map(() => hasty.tx('platform', () => opened.promise))
    await expect(hasty.direct.rows`select 1`).rejects.toMatchObject({ code: 'busy', status: 503 })
    opened.resolve()
    await Promise.all(transactions)
    await expect(hasty.direct.rows`select no_such_column`).rejects.toThrow(/no_such_column/)
    expect(hasty.usage()).toEqual({ inUse: 0, waiting: 0 })
    expect(waits).toHaveLength(1)
    await hasty.close()
  })
})
