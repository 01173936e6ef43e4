import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { openStallingProxy, type StallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDb, openDb } from '../open-db.ts'
import { openPool, type Pool } from '../pool.ts'

let own: TestDb
let proxy: StallingProxy
let db: OpenDb
let pool: Pool
const TIMEOUTS = { statementTimeoutMs: 300, connectTimeoutMs: 500 }

beforeAll(async () => {
  own = await openTestDb()
  await own.sql.rows`create table notes (note text not null)`
  await own.sql.rows`grant all on notes to cowrie_app`
  proxy = await openStallingProxy(own.url)
  db = openDb(proxy.url, { clock: own.clock, role: 'cowrie_app', max: 2, ...TIMEOUTS })
  pool = openPool(proxy.url, { max: 4 })
})
afterAll(async () => {
  proxy.close()
  await Promise.all([db.close(), pool.end()])
  await own.close()
})
const notes = async () =>
  (await own.sql.rows<{ note: string }>`select note from notes order by note`).map(({ note }) => note)

test('BEGIN, the tenant scope and the first statement are sent in one packet', async () => {
  const work = () => db.tx('platform', async (tx) => (await tx.rows`select 'the work' as word`).length)
  await work()
  proxy.packets.length = 0
  await work()
  expect(proxy.packets).toHaveLength(2)
  const [first, second] = proxy.packets.map(String)
  expect(first).toMatch(/begin *; set local cowrie\.reach = /)
  // Then follows the prepared statement of the work, with its Sync.
  expect(first?.split('S\0\0\0\x04')).toHaveLength(2)
  expect(second).toContain('commit')
})

test('a transaction without statements sends nothing', async () => {
  proxy.packets.length = 0
  expect(await db.tx('platform', async () => 'done')).toBe('done')
  expect(proxy.packets).toEqual([])
})

describe('a transaction', () => {
  test('is not committed when a statement that was not awaited failed', async () => {
    const careless = pool.begin(async (tx) => {
      await tx.rows`insert into notes values ('careless')`
      tx.rows`select 1 / 0`.catch(() => 'nobody waits')
    })
    await expect(careless).rejects.toThrow(/division by zero/)
    expect(await notes()).not.toContain('careless')
  })

  test('fails with its first error, not with the errors that follow from it', async () => {
    const work = pool.begin(async (tx) => {
      const first = tx.rows`select no_such_column`.catch(() => 'looks elsewhere')
      await tx.rows`select 1`
      await first
    })
    await expect(work).rejects.toMatchObject({ code: '42703' })
  })

  test('rejects statements after its end', async () => {
    const leaked = await pool.begin(async (tx) => {
      await tx.rows`select 1`
      return { rows: tx.rows }
    })
    await expect(leaked.rows`insert into notes values ('too late')`).rejects.toThrow('has ended')
    expect(await notes()).not.toContain('too late')
  })

  test('has no effect when BEGIN fails', async () => {
    const insert = (tx: Pick<Pool, 'rows'>) => tx.rows`insert into notes values ('without a transaction')`
    await expect(pool.begin(insert, { mode: 'isolation level unheard of' })).rejects.toMatchObject({
      code: '42601',
    })
    expect(await notes()).not.toContain('without a transaction')
  })

  test('begins with its settings, which end with it', async () => {
    const setting = (tx: Pick<Pool, 'one'>) => tx.one`select current_setting('application_name') as name`
    const settings = `set local application_name = 'it''s local'`
    expect(await pool.begin(setting, { settings })).toEqual({ name: "it's local" })
    expect(await setting(pool)).not.toEqual({ name: "it's local" })
  })

  test('has no effect when its settings fail', async () => {
    const insert = (tx: Pick<Pool, 'rows'>) => tx.rows`insert into notes values ('without settings')`
    await expect(pool.begin(insert, { settings: 'set local no_such_setting = 1' })).rejects.toMatchObject({
      code: '42704',
    })
    expect(await notes()).not.toContain('without settings')
  })

  test('is not committed when its prelude fails before sending a statement', async () => {
    const prelude = () => Promise.reject(new Error('no scope'))
    const unprepared = pool.begin((tx) => tx.rows`insert into notes values ('unprepared')`, { prelude })
    await expect(unprepared).rejects.toThrow('no scope')
    expect(await notes()).not.toContain('unprepared')
  })

  test('rejects further statements after one that could not be encoded', async () => {
    const missing = undefined as unknown as null
    const work = pool.begin(async (tx) => {
      await tx.rows`select 1`
      await tx.rows`select ${missing}::text`.catch(() => 'looks elsewhere')
      // As the server would reject it: the check for a usable transaction must fail.
      await expect(tx.rows`select 1`).rejects.toThrow('A parameter is undefined')
    })
    await expect(work).rejects.toThrow('A parameter is undefined')
  })

  test('runs in the requested mode', async () => {
    const level = pool.begin((tx) => tx.one`select current_setting('transaction_isolation') as level`, {
      mode: 'isolation level repeatable read',
    })
    expect(await level).toEqual({ level: 'repeatable read' })
  })
})

describe('a server that stops answering during a transaction', () => {
  test('fails the transaction, and the retry uses another connection', async () => {
    let attempts = 0
    await db.tx('platform', async (tx) => {
      await tx.rows`insert into notes values ('kept once')`
      if (++attempts === 1) proxy.stall(false)
      await tx.rows`select 1`
    })
    expect(attempts).toBe(2)
    expect((await notes()).filter((note) => note === 'kept once')).toHaveLength(1)
  })

  test('is given the statement timeout that the transaction has set', async () => {
    const limitMs = 3 * TIMEOUTS.statementTimeoutMs + TIMEOUTS.connectTimeoutMs + 1_000
    let attempts = 0
    await db.tx('platform', async (tx) => {
      attempts++
      await tx.rows`select set_config('statement_timeout', ${String(10 * limitMs)}, true)`
      await tx.rows`select pg_sleep(${limitMs / 1_000})`
    })
    expect(attempts).toBe(1)
  })
})

test('the number of connections never exceeds the limit under mixed load', async () => {
  const before = proxy.connections
  const bounded = openPool(proxy.url, { max: 3 })
  let most = 0
  const look = () => {
    most = Math.max(most, proxy.connections - before)
  }
  const single = async () => {
    await bounded.rows`select pg_sleep(0.002)`
    look()
  }
  const transaction = () =>
    bounded.begin(async (tx) => {
      await tx.rows`select 1`
      look()
      await tx.rows`select pg_sleep(0.001)`
    })
  await Promise.all(Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? transaction() : single())))
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(3)
  await bounded.end()
  await expect.poll(() => proxy.connections).toBe(before)
})
