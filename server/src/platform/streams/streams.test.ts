import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { untilListening } from '@cowrie/testkit/platform/replica.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { Db } from '../db/tx.ts'
import { readPage } from './sql.ts'
import {
  append,
  appendAll,
  closeStream,
  deleteStream,
  follow,
  openStream,
  type StreamEvent,
} from './streams.ts'

const ORG: OrgId = 'org_one'
const OTHER: OrgId = 'org_two'

let world: TestDb
let second: Db
beforeAll(async () => {
  world = await openTestDb()
  second = world.openReplica()
})
afterAll(() => world.close())

async function opened(): Promise<string> {
  const id = newId('run')
  await world.db.tx(ORG, (tx) => openStream(tx, ORG, id))
  return id
}
const add = (id: string, ...events: object[]) => world.db.tx(ORG, (tx) => appendAll(tx, id, events))
const close = (id: string) => world.db.tx(ORG, (tx) => closeStream(tx, id))

/** Follows in the background and collects the events. */
function watch(id: string, { db = second, after = 0 }: { db?: Db; after?: number } = {}) {
  const leaving = new AbortController()
  const seen: StreamEvent[] = []
  const ended = (async () => {
    for await (const event of follow({ db }, ORG, id, after, leaving.signal)) seen.push(event)
  })()
  return { seen, ended, leave: () => leaving.abort(), seqs: () => seen.map(({ seq }) => seq) }
}
/** Only polls use platform scope, so failing it disables them. */
const withoutPolls = (db: Db): Db => ({
  ...db,
  tx: (reach, work) => (reach === 'platform' ? Promise.reject(new ApiError('busy')) : db.tx(reach, work)),
})
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, nr) => nr + from)

describe('appending', () => {
  test('numbers events from 1 without gaps, also after a rollback', async () => {
    const id = await opened()
    expect(await world.db.tx(ORG, (tx) => append(tx, id, { nr: 1 }))).toBe(1)
    const undone = world.db.tx(ORG, async (tx) => {
      await append(tx, id, { nr: 'undone' })
      throw new Error('never mind')
    })
    await expect(undone).rejects.toThrow('never mind')
    expect(await add(id, { nr: 2 }, { nr: 3 })).toBe(3)
  })

  test('is rejected for a closed or missing stream and for events over 256 KiB', async () => {
    const id = await opened()
    await expect(add(id, { text: 'x'.repeat(256 * 1024) })).rejects.toThrow('at most 256 KiB')
    await close(id)
    await close(id)
    await expect(add(id, { nr: 1 })).rejects.toThrow('is open')
    await expect(add('run_nowhere', { nr: 1 })).rejects.toThrow('is open')
  })

  test('stores events unchanged: characters that text columns reject, exact amounts, key order', async () => {
    const id = await opened()
    const event = { zebra: 'a\u0000b\ud800', amountMinor: 9_007_199_254_740_993n, apple: [1.5, null] }
    await add(id, event)
    await close(id)
    const { seen, ended } = watch(id)
    await ended
    expect(seen).toEqual([{ seq: 1, at: world.clock.now(), event }])
    expect(Object.keys(seen[0]?.event ?? {})).toEqual(['zebra', 'amountMinor', 'apple'])
  })
})

describe('following', () => {
  test('yields each event once and in order during concurrent appends', async () => {
    const id = await opened()
    await add(id, ...upTo(10).map((nr) => ({ by: 'before', nr })))
    const early = watch(id)
    const late = watch(id, { after: 7, db: world.db })
    const writer = async (by: number) => {
      for (let nr = 1; nr <= 20; nr++)
        await (by % 2 ? world.db : second).tx(ORG, (tx) => append(tx, id, { by, nr }))
    }
    await Promise.all(upTo(6).map(writer))
    await close(id)
    await Promise.all([early.ended, late.ended])
    expect(early.seqs()).toEqual(upTo(130))
    expect(late.seqs()).toEqual(upTo(123, 8))
    for (const by of upTo(6)) {
      const mine = early.seen
        .map(({ event }) => event as { by: number; nr: number })
        .filter((event) => event.by === by)
      expect(mine.map(({ nr }) => nr)).toEqual(upTo(20))
    }
  })

  test('works with notifications alone when polling fails', async () => {
    await untilListening(second)
    const id = await opened()
    const { seqs, ended } = watch(id, { db: withoutPolls(second) })
    for (let nr = 1; nr <= 10; nr++) {
      await add(id, { nr })
      await expect.poll(() => seqs(), { interval: 5 }).toEqual(upTo(nr))
    }
    await close(id)
    await ended
  })

  test('misses no event that is appended during a read', async () => {
    await untilListening(second)
    const id = await opened()
    const base = withoutPolls(second)
    let pending = 5
    const racing: Db = {
      ...base,
      async tx(reach, work) {
        const page = await base.tx(reach, work)
        if (pending-- <= 0) return page
        const heard = Promise.withResolvers<void>()
        const unlisten = second.listen('stream', (each) => each === id && heard.resolve())
        await add(id, { pending })
        await heard.promise
        unlisten()
        return page
      },
    }
    const { seqs, leave, ended } = watch(id, { db: racing })
    await expect.poll(() => seqs()).toEqual(upTo(5))
    leave()
    await ended
  })

  test('catches up by polling when no notification arrives', async () => {
    const deaf: Db = { ...second, listen: () => () => {} }
    const id = await opened()
    await add(id, { nr: 1 })
    const { seqs, ended } = watch(id, { db: deaf })
    await expect.poll(() => seqs()).toEqual([1])
    await add(id, { nr: 2 }, { nr: 3 })
    await expect.poll(() => seqs()).toEqual([1, 2, 3])
    await close(id)
    await ended
  })

  test('replays long streams in pages of bounded size', async () => {
    const id = await opened()
    await add(id, ...upTo(700).map((nr) => ({ nr })))
    for (let nr = 0; nr < 12; nr++) await add(id, { text: 'x'.repeat(200 * 1024) })
    await close(id)
    const { seqs, ended } = watch(id)
    await ended
    expect(seqs()).toEqual(upTo(712))
    const page = await world.db.tx(ORG, (tx) => readPage(tx, id, 700))
    expect(page?.events).toHaveLength(6)
    expect(page).toMatchObject({ lastSeq: 712, isClosed: true })
  })

  test('ends after the last event when the stream is closed', async () => {
    const id = await opened()
    const watchers = [watch(id), watch(id), watch(id, { db: world.db })]
    await world.db.tx(ORG, async (tx) => {
      await append(tx, id, { nr: 1 })
      await closeStream(tx, id)
    })
    await Promise.all(watchers.map(({ ended }) => ended))
    for (const { seqs } of watchers) expect(seqs()).toEqual([1])
    const afterwards = watch(id, { after: 1 })
    await afterwards.ended
    expect(afterwards.seen).toEqual([])
  })

  test('ends when the stream is deleted, and later followers get not_found', async () => {
    const id = await opened()
    await add(id, { nr: 1 })
    const { ended, seqs } = watch(id)
    await expect.poll(() => seqs()).toEqual([1])
    await world.db.tx(ORG, (tx) => deleteStream(tx, id))
    await ended
    await expect(watch(id).ended).rejects.toMatchObject({ code: 'not_found' })
    expect(await world.sql.rows`select seq from stream_events where stream_id = ${id}`).toEqual([])
  })

  test('ends when its signal aborts, before and during the wait', async () => {
    const id = await opened()
    const waiting = watch(id)
    await add(id, { nr: 1 })
    await expect.poll(() => waiting.seqs()).toEqual([1])
    waiting.leave()
    await waiting.ended
    const gone = watch(id)
    gone.leave()
    await gone.ended
  })

  test('survives a short database outage and fails after a long one', async () => {
    let outages = 2
    const failing: Db = {
      ...second,
      tx: (reach, work) =>
        outages-- > 0 ? Promise.reject(new ApiError('database_unavailable')) : second.tx(reach, work),
    }
    const id = await opened()
    await add(id, { nr: 1 })
    await close(id)
    const { ended, seqs } = watch(id, { db: failing })
    await ended
    expect(seqs()).toEqual([1])
    const broken: Db = { ...second, tx: () => Promise.reject(new Error('a bug of ours')) }
    await expect(watch(id, { db: broken }).ended).rejects.toThrow('a bug of ours')
  })
})

describe('row-level security', () => {
  test('hides the streams of another organisation', async () => {
    const id = await opened()
    await add(id, { secret: true })
    const stranger = follow({ db: second }, OTHER, id, 0, new AbortController().signal)
    await expect(stranger.next()).rejects.toMatchObject({ code: 'not_found' })
    await expect(world.db.tx(OTHER, (tx) => append(tx, id, {}))).rejects.toThrow('is open')
    await expect(world.db.tx(OTHER, (tx) => closeStream(tx, id))).rejects.toThrow('exists')
    await world.db.tx(OTHER, (tx) => deleteStream(tx, id))
    expect(await world.sql.rows`select seq from stream_events where stream_id = ${id}`).toHaveLength(1)
  })

  test('prevents an organisation from opening a stream for another', async () => {
    await expect(world.db.tx(OTHER, (tx) => openStream(tx, ORG, newId('run')))).rejects.toThrow(
      'row-level security',
    )
  })
})
