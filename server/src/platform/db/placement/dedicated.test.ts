// An organisation with a dedicated content database: callers still use one transaction.

import { dropDatabase, openTestDb, type TestDb, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import {
  insertThread,
  insertThreadIn,
  makeOrg,
  placeInDatabase,
  readThreadIds,
  selectThreadIds,
} from '@cowrie/testkit/platform/placement-fixtures.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgId } from '../../../kernel/ids.ts'
import { type OpenDb, openDb } from '../open-db.ts'
import type { Sql, Tx } from '../tx.ts'

let own: TestDb
let url: string
let db: OpenDb
/** The dedicated database with the rights of its owner. */
let there: OpenDb
let apart: OrgId
let sharing: OrgId
let made = 0

beforeAll(async () => {
  own = await openTestDb()
  ;[apart, sharing] = [await makeOrg(own), await makeOrg(own)]
  url = await placeInDatabase(own, apart)
  there = openDb(url, { ...GENEROUS_TIMEOUTS, clock: own.clock, max: 1 })
  db = open()
})
const open = () =>
  openDb(own.url, {
    ...GENEROUS_TIMEOUTS,
    clock: own.clock,
    role: 'cowrie_app',
    max: 20,
    async dedicated() {
      made++
      await own.sql.rows`select pg_sleep(0.05)`
      return { url, role: 'cowrie_app' }
    },
  })
beforeEach(async () => {
  await there.direct.rows`delete from chat_threads`
  await own.sql.rows`delete from content_changes`
})
afterAll(async () => {
  await Promise.all([db.close(), there.close()])
  await own.close()
  await dropDatabase(url)
})

/** Inserts a row that is not content. */
const note = (tx: Tx, name: string) =>
  tx.rows`insert into content_changes (org_id, table_name, row_key) values (${apart}, ${name}, '{}')`
const notes = async () =>
  (await own.sql.rows<{ name: string }>`select table_name as name from content_changes order by seq`).map(
    ({ name }) => name,
  )

/** Delays every commit that adds rows to a table. */
function slowCommits(sql: Sql, table: string) {
  const run = (text: string) => sql.rows(Object.assign([text], { raw: [text] }))
  return {
    async begin(what: string) {
      await run(
        `create function at_commit() returns trigger language plpgsql as 'begin ${what.replaceAll("'", "''")}; return null; end'`,
      )
      await run(`create constraint trigger at_commit after insert on ${table} deferrable initially deferred
                 for each row execute function at_commit()`)
    },
    end: () => run('drop function at_commit() cascade'),
  }
}

describe('a transaction over two databases', () => {
  test('commits both parts, each in its own database', async () => {
    await db.tx(apart, async (tx) => {
      await note(tx, 'kept')
      await insertThreadIn(tx, apart, 'kept')
      expect(await selectThreadIds(tx.content)).toEqual(['kept'])
    })
    expect(await notes()).toEqual(['kept'])
    expect(await selectThreadIds(there.direct)).toEqual(['kept'])
    expect(await own.sql.rows`select id from chat_threads`).toEqual([])
    expect(await readThreadIds(db, sharing)).toEqual([])
  })

  test('prepares the dedicated database once for concurrent callers', async () => {
    const fresh = open()
    made = 0
    await Promise.all(Array.from({ length: 20 }, (_, n) => insertThread(fresh, apart, `${n}`)))
    expect(made).toBe(1)
    expect(await selectThreadIds(there.direct)).toHaveLength(20)
    await fresh.close()
  })

  test('uses the same role and row-level security in the dedicated database', async () => {
    const [found] = await db.tx(
      apart,
      (tx) => tx.content.rows`select current_user as role, current_setting('cowrie.reach') as reach`,
    )
    expect(found).toEqual({ role: 'cowrie_app', reach: apart })
    await expect(db.tx(apart, (tx) => insertThreadIn(tx, sharing, 'forged'))).rejects.toThrow(
      /row-level security/,
    )
  })

  test.for<[string, (tx: Tx) => Promise<unknown>]>([
    ['the work fails', () => Promise.reject(new Error('no'))],
    ['the shared part fails', (tx) => tx.rows`select 1 / 0`],
    ['the dedicated part fails', (tx) => insertThreadIn(tx, apart, 'first')],
    ['the shared part fails and the work catches it', (tx) => tx.rows`select 1 / 0`.catch(() => undefined)],
    [
      'the dedicated part fails and the work catches it',
      (tx) => insertThreadIn(tx, apart, 'first').catch(() => undefined),
    ],
  ])('commits neither part when %s', async ([, fail]) => {
    const seen: string[] = []
    const failing = db.tx(apart, async (tx) => {
      await note(tx, 'lost')
      await insertThreadIn(tx, apart, 'first')
      tx.afterCommit(() => seen.push('committed'))
      await fail(tx)
    })
    await expect(failing).rejects.toThrow()
    expect(await notes()).toEqual([])
    expect(await selectThreadIds(there.direct)).toEqual([])
    expect(seen).toEqual([])
    await insertThread(db, apart, 'goes on')
  })

  test('discards an attempt that lost the shared connection while its work continues', async () => {
    let tries = 0
    const secondIsDone = Promise.withResolvers<void>()
    const firstIsDone = Promise.withResolvers<void>()
    await db.tx(apart, async (tx) => {
      const isFirst = ++tries === 1
      await insertThreadIn(tx, apart, `try ${tries}`)
      if (!isFirst) return secondIsDone.resolve()
      const { pid } = await tx.one<{ pid: number }>`select pg_backend_pid() as pid`
      await own.sql.rows`select pg_terminate_backend(${pid}, 5000)`
      await secondIsDone.promise
      await expect(insertThreadIn(tx, apart, 'late')).rejects.toThrow('has ended')
      firstIsDone.resolve()
    })
    await firstIsDone.promise
    expect(await selectThreadIds(there.direct)).toEqual(['try 2'])
  })

  test('is retried when the dedicated connection is lost before the commit', async () => {
    let tries = 0
    await db.tx(apart, async (tx) => {
      await note(tx, 'kept')
      const { pid } = await tx.content.one<{ pid: number }>`select pg_backend_pid() as pid`
      if (++tries === 1) await there.direct.rows`select pg_terminate_backend(${pid}, 5000)`
      await insertThreadIn(tx, apart, 'kept')
    })
    expect(tries).toBe(2)
    expect(await notes()).toEqual(['kept'])
  })

  test('is not retried when the dedicated part is lost during its commit, because the outcome is unknown', async () => {
    let tries = 0
    const slow = slowCommits(there.direct, 'chat_threads')
    await slow.begin('perform pg_sleep(60)')
    const unknown = expect(
      db.tx(apart, async (tx) => {
        tries++
        await note(tx, 'unknown')
        await insertThreadIn(tx, apart, 'unknown')
      }),
    ).rejects.toMatchObject({ code: 'outcome_unknown' })
    const end = async () =>
      (
        await there.direct.rows`
          select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where datname = current_database() and state = 'active' and query = 'commit'`
      ).length
    await expect.poll(end).toBe(1)
    await unknown
    await slow.end()
    expect(tries).toBe(1)
    expect(await notes()).toEqual([])
  })

  test('may leave content behind when the shared part fails to commit, but never the reverse', async () => {
    await readThreadIds(db, apart)
    let tries = 0
    const slow = slowCommits(own.sql, 'content_changes')
    await slow.begin("raise exception 'no' using errcode = '40001'")
    const failing = db.tx(apart, async (tx) => {
      tries++
      await note(tx, 'lost')
      await insertThreadIn(tx, apart, 'left behind')
    })
    await expect(failing).rejects.toMatchObject({ code: 'busy' })
    await slow.end()
    expect(tries).toBe(1)
    expect(await notes()).toEqual([])
    expect(await selectThreadIds(there.direct)).toEqual(['left behind'])
  })

  test('holds no shared connection while it waits for the dedicated database', async () => {
    const opened = Promise.withResolvers<void>()
    let inside = 0
    const four = Array.from({ length: 4 }, (_, n) =>
      db.tx(apart, async (tx) => {
        await insertThreadIn(tx, apart, `${n}`)
        inside++
        await opened.promise
      }),
    )
    await expect.poll(() => inside).toBe(4)
    const others = Array.from({ length: 10 }, () => readThreadIds(db, apart))
    await expect.poll(() => db.usage()).toEqual({ inUse: 4, waiting: 0 })
    expect(await readThreadIds(db, sharing)).toEqual([])
    opened.resolve()
    await Promise.all(four)
    for (const found of await Promise.all(others)) expect(found.length).toBeGreaterThan(0)
  })
})

describe('an unreachable dedicated database', () => {
  const name = () => /\/(test_\w+)/.exec(url)?.[1] ?? ''
  const shut = (isShut: boolean) =>
    withAdmin(async (admin) => {
      await admin.unsafe(`alter database ${name()} allow_connections ${!isShut}`)
      if (isShut)
        await admin.rows`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name()}`
    })

  test('fails only its own organisation, and works again once it is reachable', async () => {
    await insertThread(db, apart, 'before')
    await shut(true)
    const away = { code: 'database_unavailable', status: 503 }
    await expect(readThreadIds(db, apart)).rejects.toMatchObject(away)
    const heard: string[] = []
    const failing = db.tx(apart, async (tx) => {
      await note(tx, 'lost')
      await insertThreadIn(tx, apart, 'lost').catch((error: Error) => heard.push(error.message))
    })
    await expect(failing).rejects.toMatchObject(away)
    // From now on no caller waits for it while holding a connection.
    expect(heard).toEqual([expect.stringContaining('not ready')])
    expect(await notes()).toEqual([])

    await db.tx(apart, (tx) => note(tx, 'no content'))
    await insertThread(db, sharing, 'another')
    expect(await readThreadIds(db, sharing)).toEqual(['another'])

    await shut(false)
    own.clock.advance({ minutes: 1 })
    expect(await readThreadIds(db, apart)).toEqual(['before'])
  })

  test('is unavailable when the service has no way to prepare it', async () => {
    await expect(readThreadIds(own.db, apart)).rejects.toMatchObject({ code: 'database_unavailable' })
    expect(await readThreadIds(own.db, sharing)).toEqual(['another'])
  })
})
