import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { replica } from '@cowrie/testkit/platform/replica.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { retryDelayMs } from './job-kind.ts'
import { job } from './jobs.ts'
import { occurrenceAfter } from './schedule.ts'

let world: TestDb
beforeAll(async () => {
  world = await openTestDb()
})
afterEach(() => world.sql.rows`truncate jobs, job_schedules`)
afterAll(() => world.close())

const HOURLY = { name: 'test hourly', job: 'test.tick', everySeconds: 3_600, payload: { what: 'tick' } }

function ticking() {
  const ticks: unknown[] = []
  return { ticks, kind: job('test.tick', { run: async (_app, { payload }) => void ticks.push(payload) }) }
}

describe('a schedule', () => {
  test('fires at each occurrence and not before', async () => {
    const { ticks, kind } = ticking()
    const jobs = replica(world, [kind], { schedules: [HOURLY] })
    await jobs.drain()
    expect(ticks).toEqual([])
    for (let hour = 1; hour <= 3; hour++) {
      world.clock.advance({ minutes: 59 })
      await jobs.drain()
      expect(ticks).toHaveLength(hour - 1)
      world.clock.advance({ minutes: 1 })
      await jobs.drain()
      await jobs.drain()
      expect(ticks).toHaveLength(hour)
    }
    expect(ticks[0]).toEqual({ what: 'tick' })
  })

  test('fires once with several replicas', async () => {
    const { ticks, kind } = ticking()
    const second = world.openReplica()
    const replicas = [world.db, world.db, second, second].map((db) =>
      replica({ ...world, db }, [kind], { schedules: [HOURLY] }),
    )
    await Promise.all(replicas.map((each) => each.drain()))
    for (let hour = 1; hour <= 5; hour++) {
      world.clock.advance({ hours: 1 })
      await Promise.all(replicas.map((each) => each.drain()))
      await expect.poll(() => ticks).toHaveLength(hour)
    }
  })

  test('is skipped while another replica handles it', async () => {
    const { ticks, kind } = ticking()
    const jobs = replica(world, [kind], { schedules: [HOURLY] })
    await jobs.drain()
    world.clock.advance({ hours: 1 })
    await world.db.tx('platform', async (tx) => {
      await tx.rows`select name from job_schedules for update`
      await jobs.drain()
    })
    expect(ticks).toEqual([])
    await jobs.drain()
    expect(ticks).toHaveLength(1)
  })

  test('runs once for several missed occurrences', async () => {
    const { ticks, kind } = ticking()
    await replica(world, [kind], { schedules: [HOURLY] }).drain()
    world.clock.advance({ days: 3, minutes: 10 })
    const jobs = replica(world, [kind], { schedules: [HOURLY] })
    await jobs.drain()
    expect(ticks).toHaveLength(1)
    world.clock.advance({ minutes: 50 })
    await jobs.drain()
    expect(ticks).toHaveLength(2)
  })

  test('adds no job while its last one is waiting', async () => {
    const jobs = replica(world, [job('test.tick', { run: () => Promise.reject(new Error('not today')) })], {
      schedules: [{ ...HOURLY, everySeconds: 10 }],
    })
    await jobs.drain()
    for (let nr = 0; nr < 6; nr++) {
      world.clock.advance({ seconds: 10 })
      await jobs.drain()
    }
    expect(await world.sql.rows`select id from jobs where name = 'test.tick'`).toHaveLength(1)
  })

  test('with a shorter interval in a new build does not wait for the old occurrence', async () => {
    const { ticks, kind } = ticking()
    await replica(world, [kind], { schedules: [{ ...HOURLY, everySeconds: 86_400 }] }).drain()
    const jobs = replica(world, [kind], { schedules: [{ ...HOURLY, everySeconds: 60 }] })
    await jobs.drain()
    world.clock.advance({ minutes: 1 })
    await jobs.drain()
    expect(ticks).toHaveLength(1)
  })
})

test('occurrences are whole multiples of the interval', () => {
  const next = (at: string, everySeconds: number) => occurrenceAfter(new Date(at), everySeconds).toISOString()
  expect(next('2026-11-15T09:00:00.000Z', 86_400)).toBe('2026-11-16T00:00:00.000Z')
  expect(next('2026-11-15T09:59:59.999Z', 3_600)).toBe('2026-11-15T10:00:00.000Z')
  expect(next('2026-11-15T10:00:00.000Z', 3_600)).toBe('2026-11-15T11:00:00.000Z')
})

test('retry delays double up to the maximum and have jitter in the upper half', () => {
  const backoff = { firstMs: 1_000, maxMs: 600_000 }
  expect([1, 2, 3, 10, 11, 50].map((attempt) => retryDelayMs(backoff, attempt, () => 1))).toEqual([
    1_000, 2_000, 4_000, 512_000, 600_000, 600_000,
  ])
  expect(retryDelayMs(backoff, 3, () => 0)).toBe(2_000)
})
