// An organisation with a separate content schema: only it has access, and no session state remains on the connection.

import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import {
  insertThread,
  insertThreadIn,
  makeOrg,
  placeInSchema,
  readThreadIds,
  selectThreadIds,
  setPlacement,
} from '@cowrie/testkit/platform/placement-fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../../../kernel/ids.ts'
import { type OpenDb, openDb } from '../open-db.ts'
import type { Sql, Tx } from '../tx.ts'

let own: TestDb
let db: OpenDb
let apart: OrgId
let alsoApart: OrgId
let sharing: OrgId

const open = (max = 4) => openDb(own.url, { ...GENEROUS_TIMEOUTS, clock: own.clock, role: 'cowrie_app', max })

beforeAll(async () => {
  own = await openTestDb()
  db = open()
  ;[apart, alsoApart, sharing] = [await makeOrg(own), await makeOrg(own), await makeOrg(own)]
  await placeInSchema(own, apart)
  await placeInSchema(own, alsoApart)
  for (const org of [apart, alsoApart, sharing]) await insertThread(db, org, `first of ${org}`)
})
afterAll(async () => {
  await db.close()
  await own.close()
})

const state = (sql: Sql) => sql.one<{ role: string; path: string; capture: string }>`
  select current_user as role, current_setting('search_path') as path,
         coalesce(current_setting('cowrie.capture', true), '') as capture`
const PLAIN = { role: 'cowrie_app', path: '"$user", public', capture: '' }

describe('an organisation with a separate schema', () => {
  test('writes and reads content only there', async () => {
    expect(await readThreadIds(db, apart)).toEqual([`first of ${apart}`])
    const shared = await own.sql.rows<{ id: string }>`select id from public.chat_threads`
    expect(shared).toEqual([{ id: `first of ${sharing}` }])
    expect(await readThreadIds(db, sharing)).toEqual([`first of ${sharing}`])
  })

  test('uses the shared tables for everything else in the transaction', async () => {
    const found = await db.tx(apart, async (tx) => {
      await insertThreadIn(tx, apart, 'with the rest')
      await tx.rows`insert into content_changes (org_id, table_name, row_key) values (${apart}, 'x', '{}')`
      await tx.content.rows`delete from chat_threads where id = 'with the rest'`
      return tx.rows`delete from content_changes where org_id = ${apart} returning table_name`
    })
    expect(found).toEqual([{ table_name: 'x' }])
  })
})

describe('the content of another organisation', () => {
  const text = (words: string) => Object.assign([words], { raw: [words] })
  const qualified = () => text(`select id from "${apart}".chat_threads`)

  /** Names under which a statement could try to reach it. */
  const ways: [string, (tx: Tx) => Promise<unknown[]>][] = [
    ['its plain name', (tx) => tx.content.rows`select id from chat_threads where org_id = ${apart}`],
    ['its id', (tx) => tx.content.rows`select id from chat_threads where id = ${`first of ${apart}`}`],
    ['its qualified name', (tx) => tx.content.rows(qualified())],
    [
      'a search path',
      async (tx) => {
        await tx.content.rows`select set_config('search_path', ${apart}, true)`
        return tx.rows(text('select id from chat_threads'))
      },
    ],
    [
      'a forged tenant scope',
      async (tx) => {
        await tx.content.rows`select set_config('cowrie.reach', ${apart}, true)`
        return tx.rows(qualified())
      },
    ],
  ]

  test.for(ways)('is visible by %s only in its own transaction', async ([, way]) => {
    expect(await db.tx(apart, way)).toEqual([{ id: `first of ${apart}` }])
    for (const scope of [sharing, alsoApart, 'platform'] as const) {
      const found = await db.tx(scope, way).catch((error: Error) => error.message)
      const isRefused = /permission denied for schema|"chat_threads" does not exist/.test(String(found))
      expect(isRefused ? [] : found, scope).toEqual([])
    }
  })

  test('is not visible to the service outside a transaction that entered it', async () => {
    await expect(db.direct.rows(qualified())).rejects.toThrow(/permission denied for schema/)
  })

  test('cannot be written', async () => {
    await expect(db.tx(sharing, (tx) => insertThreadIn(tx, apart, 'forged'))).rejects.toThrow(
      /row-level security/,
    )
    await expect(db.tx(alsoApart, (tx) => insertThreadIn(tx, apart, 'forged'))).rejects.toThrow(
      /row-level security/,
    )
  })
})

describe('a stale cached placement', () => {
  test('is refreshed, and the work takes effect once', async () => {
    const late = open()
    const seen: string[] = []
    await late.tx(apart, async (tx) => {
      seen.push('tried')
      tx.afterCommit(() => seen.push('kept'))
      await insertThreadIn(tx, apart, 'once')
      await tx.rows`insert into content_changes (org_id, table_name, row_key) values (${apart}, 'once', '{}')`
    })
    expect(seen).toEqual(['tried', 'tried', 'kept'])
    expect(await readThreadIds(late, apart)).toEqual([`first of ${apart}`, 'once'])
    expect(await own.sql.rows`select seq from content_changes where table_name = 'once'`).toHaveLength(1)
    await own.sql.rows`delete from content_changes`
    expect(late.batchScope(apart)).toBe(apart)
    await late.close()
  })

  test('is refreshed even when the work catches the rejection or does not await the statement', async () => {
    const late = open()
    const hiding = late.tx(apart, async (tx) => {
      const found = await selectThreadIds(tx.content).catch(() => ['hidden'])
      if (found.includes('hidden')) throw new Error('something went wrong')
      return found
    })
    expect(await hiding).toContain(`first of ${apart}`)
    await late.close()

    const later = open()
    let tries = 0
    await later.tx(apart, async (tx) => {
      tries++
      void tx.content
    })
    expect(tries).toBe(2)
    await later.close()
  })

  test('fails with busy after five attempts', async () => {
    const role = `cowrie_${alsoApart}`
    let tries = 0
    const chasing = db.tx(alsoApart, async (tx) => {
      tries++
      if (db.batchScope(alsoApart) === 'platform') await setPlacement(own, alsoApart, 'schema', role)
      else await own.sql.rows`delete from content_places where org_id = ${alsoApart}`
      await selectThreadIds(tx.content)
    })
    await expect(chasing).rejects.toMatchObject({ code: 'busy' })
    expect(tries).toBe(6)
    await setPlacement(own, alsoApart, 'schema', role)
  })

  test('is refreshed by a notification before a transaction is rejected', async () => {
    const listening = open()
    await listening.watchPlacements()
    expect(listening.batchScope(apart)).toBe(apart)
    const mover = await makeOrg(own)
    await placeInSchema(own, mover)
    await expect
      .poll(() => {
        own.db.notify('content', mover)
        return listening.batchScope(mover)
      })
      .toBe(mover)
    await listening.close()
  })
})

test('no role, search path or change capture remains on the connection after a transaction', async () => {
  const small = open(2)
  const moving = await makeOrg(own)
  await own.sql.rows`
    insert into content_places (org_id, place, moving_to, begun_at) values (${moving}, 'shared', 'schema', ${own.clock.now()})`
  const third = await makeOrg(own)
  const role = await placeInSchema(own, third)
  await own.sql.rows`update content_places set moving_to = 'dedicated' where org_id = ${third}`
  const reaches = [apart, sharing, third, 'platform', moving, alsoApart] as const
  const expected = { role, path: `${third}, public`, capture: 'on' }

  async function once(n: number): Promise<void> {
    const reach = reaches[(n * 7) % reaches.length] ?? 'platform'
    const work = small.tx(reach, async (tx) => {
      expect(await state(tx)).toEqual(PLAIN)
      const found = await selectThreadIds(tx.content)
      if (reach === apart || reach === sharing || reach === alsoApart)
        expect(found).toContain(`first of ${reach}`)
      if (reach === third) expect(await state(tx)).toEqual(expected)
      if (n % 3 === 0) throw new Error('rolled back')
    })
    await (n % 3 === 0 ? expect(work).rejects.toThrow('rolled back') : work)
  }
  const inTurn = async (first: number) => {
    for (let n = first; n < 200; n += 5) await once(n)
  }
  await Promise.all([0, 1, 2, 3, 4].map(inTurn))
  for (let i = 0; i < 4; i++) expect(await state(small.direct)).toEqual(PLAIN)
  await small.close()
})

test('housekeeping visits every placement, and a failing one does not stop the others', async () => {
  const warnings: object[] = []
  const keeper = openDb(own.url, {
    ...GENEROUS_TIMEOUTS,
    clock: own.clock,
    role: 'cowrie_app',
    onWarning: (fields) => warnings.push(fields),
  })
  const nowhere = await makeOrg(own)
  await setPlacement(own, nowhere, 'dedicated', null)
  const visited: string[] = []
  const found = await keeper.forEachPlacement(async (tx, reach) => {
    const rows = await selectThreadIds(tx.content)
    visited.push(reach)
    return rows
  })
  expect(visited[0]).toBe('platform')
  expect(visited).toEqual(expect.arrayContaining([apart, alsoApart]))
  expect(found.flat()).toEqual(
    expect.arrayContaining([apart, alsoApart, sharing].map((org) => `first of ${org}`)),
  )
  expect(visited).not.toContain(nowhere)
  expect(warnings).toEqual([expect.objectContaining({ orgId: nowhere })])
  await keeper.close()
})

test('housekeeping visits an organisation that leaves the shared tables during the run', async () => {
  const leaving = await makeOrg(own)
  const visited = await db.forEachPlacement(async (_tx, reach) => {
    if (reach === 'platform') await placeInSchema(own, leaving)
    return reach
  })
  expect(visited).toContain(leaving)
})
