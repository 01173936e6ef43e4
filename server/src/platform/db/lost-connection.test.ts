import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from './errors.ts'
import { type OpenDb, openDb } from './open-db.ts'
import type { Tx } from './tx.ts'

let own: TestDb
let db: OpenDb
beforeAll(async () => {
  own = await openTestDb()
  await own.sql.rows`create table notes (note text not null)`
  await own.sql.rows`grant all on notes to cowrie_app`
  db = openDb(own.url, { ...GENEROUS_TIMEOUTS, clock: own.clock, role: 'cowrie_app', max: 1 })
})
afterAll(async () => {
  await db.close()
  await own.close()
})

async function loseConnection(tx: Tx): Promise<void> {
  const { pid } = await tx.one<{ pid: number }>`select pg_backend_pid() as pid`
  await own.sql.rows`select pg_terminate_backend(${pid}, 5000)`
}

test('late statements of a transaction that lost its connection never run in another transaction', async () => {
  const secondIsOpen = Promise.withResolvers<void>()
  const leftover = Promise.withResolvers<unknown>()
  let attempts = 0
  await db.tx('platform', async (tx) => {
    if (++attempts === 1) {
      await loseConnection(tx)
      await secondIsOpen.promise
      leftover.resolve(await tx.rows`insert into notes values ('of the first')`.catch((error) => error))
      throw new Error('rolls back, what is not its own')
    }
    await tx.rows`insert into notes values ('of the second')`
    secondIsOpen.resolve()
    await leftover.promise
    await tx.rows`insert into notes values ('of the second, later')`
  })
  expect(attempts).toBe(2)
  expect(codeOf(await leftover.promise)).toBe('CONNECTION_CLOSED')
  expect(await own.sql.rows`select note from notes order by note`).toEqual([
    { note: 'of the second' },
    { note: 'of the second, later' },
  ])
})

test('statements sent while the connection is lost are rejected, and the next ones succeed', async () => {
  for (let round = 0; round < 20; round++) {
    let attempts = 0
    await db.tx('platform', async (tx) => {
      if (++attempts > 1) return
      const { pid } = await tx.one<{ pid: number }>`select pg_backend_pid() as pid`
      const lost = own.sql.rows`select pg_terminate_backend(${pid})`
      for (;;) await Promise.all(Array.from({ length: 3 }, () => tx.rows`select 1`)).finally(() => lost)
    })
    expect(attempts).toBe(2)
    expect(await db.direct.rows`select 1 as one`).toEqual([{ one: 1 }])
  }
})
