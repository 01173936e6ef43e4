// Streams of organisations with a separate placement are polled there.

import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { makeOrg, placeInSchema } from '@cowrie/testkit/platform/placement-fixtures.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { Db, TenantScope } from '../db/tx.ts'
import { append, follow, openStream } from './streams.ts'

let world: TestDb
let apart: OrgId
let sharing: OrgId
beforeAll(async () => {
  world = await openTestDb()
  ;[apart, sharing] = [await makeOrg(world), await makeOrg(world)]
  await placeInSchema(world, apart)
})
afterAll(() => world.close())

const add = (org: OrgId, id: string) => world.db.tx(org, (tx) => append(tx, id, { at: 'last' }))

/** Gets only the notification that some may have been missed, and then polls. */
function deaf(base: Db, tx: Db['tx'] = base.tx) {
  let heard: (id: null) => void = () => undefined
  const listen: Db['listen'] = (_, callback) => {
    heard = callback
    return () => undefined
  }
  return { db: { ...base, tx, listen } satisfies Db, poll: () => heard(null) }
}

/** Follows a new stream with one event, and resolves when the event has been read. */
async function watch(db: Db, org: OrgId) {
  const id = newId('run')
  await world.db.tx(org, async (tx) => {
    await openStream(tx, org, id)
    await append(tx, id, { at: 'first' })
  })
  const leaving = new AbortController()
  const seen: number[] = []
  const ended = (async () => {
    for await (const { seq } of follow({ db }, org, id, 0, leaving.signal)) seen.push(seq)
  })()
  await expect.poll(() => seen).toEqual([1])
  const leave = () => {
    leaving.abort()
    return ended
  }
  return { id, seen, leave }
}

test('one poll wakes followers in the shared tables and in separate placements', async () => {
  const { db, poll } = deaf(world.openReplica())
  const [mine, ours] = [await watch(db, apart), await watch(db, sharing)]
  await add(apart, mine.id)
  await add(sharing, ours.id)
  poll()
  await expect
    .poll(() => [mine.seen, ours.seen])
    .toEqual([
      [1, 2],
      [1, 2],
    ])
  await Promise.all([mine.leave(), ours.leave()])
})

test('a stream in a separate placement is polled only there', async () => {
  const reaches: TenantScope[] = []
  const base = world.openReplica()
  const { db, poll } = deaf(base, (reach, work) => {
    reaches.push(reach)
    return base.tx(reach, work)
  })
  const mine = await watch(db, apart)
  reaches.length = 0
  await add(apart, mine.id)
  poll()
  await expect.poll(() => mine.seen).toEqual([1, 2])
  // The count varies, because it also polls on a timer and reads the events it found.
  expect(new Set(reaches)).toEqual(new Set([apart]))
  await mine.leave()
})

test('an unreachable placement does not delay followers elsewhere', async () => {
  const base = world.openReplica()
  let isAway = false
  const { db, poll } = deaf(base, (reach, work) =>
    isAway && reach === apart ? Promise.reject(new ApiError('database_unavailable')) : base.tx(reach, work),
  )
  const [mine, ours] = [await watch(db, apart), await watch(db, sharing)]
  isAway = true
  await add(apart, mine.id)
  await add(sharing, ours.id)
  poll()
  await expect.poll(() => ours.seen).toEqual([1, 2])
  expect(mine.seen).toEqual([1])
  isAway = false
  await expect
    .poll(() => {
      poll()
      return mine.seen
    })
    .toEqual([1, 2])
  await Promise.all([mine.leave(), ours.leave()])
})

test('following continues while the stream moves to another placement', async () => {
  const mover = await makeOrg(world)
  const { db, poll } = deaf(world.openReplica())
  const { id, seen, leave } = await watch(db, mover)
  await placeInSchema(world, mover)
  await world.db.tx(mover, async (tx) => {
    await openStream(tx, mover, id)
    await append(tx, id, { at: 'first' })
  })
  await world.sql.rows`delete from public.streams where id = ${id}`
  await add(mover, id)
  poll()
  await expect.poll(() => seen).toEqual([1, 2])
  await leave()
})
