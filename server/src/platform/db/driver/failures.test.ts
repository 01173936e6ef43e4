import type { Socket } from 'node:net'
import { message, openFakeServer, READY, WELCOME } from '@cowrie/testkit/fakes/postgres.ts'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDb, openDb } from '../open-db.ts'
import { openPool } from '../pool.ts'
import type { Sql } from '../tx.ts'

let own: TestDb
let db: OpenDb
beforeAll(async () => {
  own = await openTestDb()
  db = openOne()
})
afterAll(async () => {
  await db.close()
  await own.close()
})

/** One connection, so that each statement meets the state that the previous one left. */
const openOne = () => openDb(own.url, { ...GENEROUS_TIMEOUTS, clock: own.clock, role: 'cowrie_app', max: 1 })

/** Terminates the connection while a statement runs. */
async function loseInMidStatement(sql: Sql, error: object = { code: 'database_unavailable' }): Promise<void> {
  const lost = expect(sql.rows`select pg_sleep(60), 'to be lost'`).rejects.toMatchObject(error)
  const end = async () =>
    (
      await own.sql.rows`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where state = 'active' and query like '%to be lost%' and pid <> pg_backend_pid()`
    ).length
  await expect.poll(end).toBe(1)
  await lost
}

describe('a connection that is lost during a statement', () => {
  test('does not fail the next statement as well', async () => {
    await loseInMidStatement(db.direct)
    expect(await db.direct.rows`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('does not prevent the pool from closing', async () => {
    const pool = openPool(own.url)
    await loseInMidStatement(pool, {})
    // Ends at once. A connection that seems in use would let it wait longer than the timeout of the test.
    await pool.end({ timeout: 3_600 })
  })
})

describe('of two pipelined statements', () => {
  test('the second gets only its own rows when the first fails after some rows', async () => {
    const first = db.direct.rows`select 1 / (4 - n) as n from generate_series(1, 10) n`
    const second = db.direct.rows`select n from generate_series(1, 2) n`
    await expect(first).rejects.toThrow(/division by zero/)
    expect(await second).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('one that cannot be encoded is rejected, and the others get their own results', async () => {
    const instant = (at: Date) => db.direct.one<{ at: Date }>`select ${at}::timestamptz as at`
    const at = new Date('2026-11-15T09:00:00.000Z')
    await instant(at)
    const first = db.direct.one<{ word: string }>`select 'first' as word from pg_sleep(0.1)`
    const broken = expect(instant(new Date(Number.NaN))).rejects.toThrow(RangeError)
    expect(await first).toEqual({ word: 'first' })
    await broken
    expect(await instant(at)).toEqual({ at })
  })
})

describe('a server that', () => {
  const refusal = (code: string) => message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0Mno\0\0`))

  /** The result of a statement on a pool that is connected to this server. */
  async function ask(onConnection: (socket: Socket) => void, hosts = 1) {
    const server = await openFakeServer(onConnection)
    const addresses = Array(hosts).fill(`127.0.0.1:${server.port}`).join(',')
    const db = openDb(`postgres://nobody@${addresses}/nothing`, { clock: own.clock, max: 1 })
    try {
      return await db.direct.rows`select 1`.catch((error: { code: string }) => error.code)
    } finally {
      await db.close()
      server.close()
    }
  }

  test.for([1, 2])('closes every connection is not retried forever (%i hosts)', async (hosts) => {
    let asked = 0
    const hangUp = (socket: Socket) => {
      asked++
      socket.end()
    }
    expect(await ask(hangUp, hosts)).toBe('database_unavailable')
    expect(asked).toBe(hosts)
  })

  test.for([
    ['57014', 'busy', 'and continues'],
    ['57P01', 'database_unavailable', 'and disconnects'],
  ] as const)(
    'rejects the first statement (%s) fails only that statement',
    async ([code, expected, then]) => {
      const answer = (socket: Socket) => {
        socket.once('data', () => {
          socket.write(Buffer.concat([WELCOME, READY]))
          socket.once('data', () => {
            socket.write(refusal(code))
            if (then === 'and continues') socket.write(READY)
            else socket.end()
          })
        })
      }
      expect(await ask(answer)).toBe(expected)
    },
  )
})
