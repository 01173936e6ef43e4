// Dedicated databases that do not answer: only their own organisations are affected.

import { dropDatabase, openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import {
  insertThread,
  insertThreadIn,
  makeOrg,
  placeInDatabase,
  placeInSchema,
  readThreadIds,
  selectThreadIds,
  setPlacement,
} from '@cowrie/testkit/platform/placement-fixtures.ts'
import { openStallingProxy, type StallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../../../kernel/ids.ts'
import { openDb } from '../open-db.ts'
import type { DedicatedDatabase } from './dedicated-pools.ts'

/** Long enough for calls to reach the database on a busy machine. */
const PATIENT_MS = 5_000

let own: TestDb
let url: string
let sharing: OrgId
const orgs: OrgId[] = []
const ends: (() => unknown)[] = []

beforeAll(async () => {
  own = await openTestDb()
  sharing = await makeOrg(own)
  for (let n = 0; n < 3; n++) orgs.push(await makeOrg(own))
  url = await placeInDatabase(own, first())
  for (const org of orgs) await setPlacement(own, org, 'dedicated', null)
})
afterAll(async () => {
  for (const end of ends) await end()
  await own.close()
  await dropDatabase(url)
})
const first = () => orgs[0] as OrgId
const two = () => orgs.slice(0, 2)

function open(
  dedicated: () => Promise<DedicatedDatabase>,
  onWarning: () => void = () => undefined,
  statementTimeoutMs = 2_000,
) {
  const timeouts = { statementTimeoutMs, connectTimeoutMs: 3_000 }
  const db = openDb(own.url, {
    clock: own.clock,
    role: 'cowrie_app',
    max: 8,
    dedicated,
    onWarning,
    ...timeouts,
  })
  ends.push(() => db.close())
  return db
}

/** A proxy to the database, which two organisations have already used. */
async function openThroughProxy(statementTimeoutMs?: number) {
  const proxy: StallingProxy = await openStallingProxy(url)
  ends.push(() => proxy.close())
  const db = open(async () => ({ url: proxy.url, role: 'cowrie_app' }), undefined, statementTimeoutMs)
  for (const org of two()) await Promise.all([1, 2, 3, 4].map(() => readThreadIds(db, org)))
  return { proxy, db }
}
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

describe.concurrent('a database that stops answering', () => {
  test('holds few of the shared connections, and none after the statement timeout', async ({ expect }) => {
    const { proxy, db } = await openThroughProxy(PATIENT_MS)
    proxy.stall(true)
    const hung = two().flatMap((org) => [1, 2, 3, 4].map(() => outcome(readThreadIds(db, org))))
    // Checked before the statements time out.
    await expect.poll(() => db.usage(), { timeout: PATIENT_MS - 100 }).toEqual({ inUse: 2, waiting: 0 })
    expect(await readThreadIds(db, sharing)).toEqual([])
    for (const each of await Promise.all(hung)) expect(['busy', 'database_unavailable']).toContain(each)
    expect(db.usage()).toEqual({ inUse: 0, waiting: 0 })
    await expect.poll(() => proxy.connections).toBe(0)
  })

  test('serves its organisations again when it answers', async ({ expect }) => {
    const { proxy, db } = await openThroughProxy()
    let tries = 0
    proxy.stall(false)
    // New connections are answered: one statement times out, the probe succeeds, and the retry works.
    await db.tx(first(), async (tx) => {
      tries++
      await insertThreadIn(tx, first(), 'kept')
    })
    expect(tries).toBe(3)
    expect(await readThreadIds(db, first())).toContain('kept')
  })

  test('during a commit makes its outcome unknown and frees the connections', async ({ expect }) => {
    const { proxy, db } = await openThroughProxy()
    const committing = db.tx(first(), async (tx) => {
      await insertThreadIn(tx, first(), 'unknown')
      proxy.stall(false)
    })
    await expect(committing).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(db.usage()).toEqual({ inUse: 0, waiting: 0 })
    await insertThread(db, first(), 'afterwards')
  })

  test('during its preparation makes concurrent callers wait only once', async ({ expect }) => {
    const db = open(() => new Promise(() => undefined))
    const tookMs: number[] = []
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      expect(await outcome(readThreadIds(db, first()))).toBe('database_unavailable')
      tookMs.push(performance.now() - began)
    }
    // The first one waits for the connect timeout.
    const [longest = 0, ...others] = tookMs
    expect(others.reduce((sum, ms) => sum + ms)).toBeLessThan(longest)
  })
})

describe('dead databases', () => {
  test('are tried once a minute and delay no other organisation', async () => {
    const hole = await openStallingProxy(url)
    hole.stall(true)
    ends.push(() => hole.close())
    const events: string[] = []
    const db = open(
      async () => {
        events.push('asked')
        return { url: hole.url, role: null }
      },
      () => events.push('left out'),
    )
    const schema = await makeOrg(own)
    await placeInSchema(own, schema)
    const visited: string[] = []
    const visit = () =>
      db.forEachPlacement(
        async (tx, reach) => void visited.push(reach, ...(await selectThreadIds(tx.content))),
      )

    await visit()
    expect(visited).toEqual(['platform', schema])
    // In parallel, all of them together take as long as one.
    expect(events).toEqual(['asked', 'asked', 'asked', 'left out', 'left out', 'left out'])
    expect(hole.accepted).toBe(3)

    await visit()
    expect(events.slice(6)).toEqual(['left out', 'left out', 'left out'])
    hole.resume()
    await expect(readThreadIds(db, first())).rejects.toMatchObject({ code: 'database_unavailable' })
    expect(hole.accepted).toBe(3)
    own.clock.advance({ minutes: 1 })
    await readThreadIds(db, first())
  })

  test('are not visited after the signal aborts', async () => {
    const db = open(() => Promise.reject(new Error('not there')))
    const visited: string[] = []
    const ending = new AbortController()
    const visits = db.forEachPlacement(async (_tx, reach) => {
      visited.push(reach)
      ending.abort(new Error('time is up'))
    }, ending.signal)
    await expect(visits).rejects.toThrow('time is up')
    expect(visited).toEqual(['platform'])
  })
})
