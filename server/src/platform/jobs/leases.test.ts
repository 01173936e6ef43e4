import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { gate, replica } from '@cowrie/testkit/platform/replica.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Db } from '../db/tx.ts'
import { enqueue, holdsLease, type JobAttempt, job } from './jobs.ts'

let world: TestDb
beforeAll(async () => {
  world = await openTestDb()
})
afterEach(() => world.sql.rows`truncate jobs, job_schedules`)
afterAll(() => world.close())

const NAME = 'test.leased'
const add = () => world.db.tx('platform', (tx) => enqueue(tx, NAME, {}))
const stored = () =>
  world.sql.rows<{ state: string; attempt: number; fence: bigint; due_at: Date }>`
    select state, attempt, fence, due_at from jobs where name = ${NAME}`

test('a job is taken over after the lease and grace period of its worker, and the old worker changes nothing', async () => {
  const first = gate()
  const second = gate()
  const works: JobAttempt[] = []
  const kindOf = (pass: () => Promise<void>) =>
    job(NAME, {
      run: (_app, work) => {
        works.push(work)
        return pass()
      },
    })
  await add()
  const silent = replica(world, [kindOf(first.pass)])
  const taker = replica(world, [kindOf(second.pass)])
  const late = silent.drain()
  await first.arrived

  world.clock.advance({ seconds: 89 })
  expect(await taker.drain()).toBe(0)
  world.clock.advance({ seconds: 1 })
  const taken = taker.drain()
  await second.arrived
  const [old, current] = works
  expect([old?.fence, current?.fence]).toEqual([1n, 2n])
  expect([old?.attempt, current?.attempt]).toEqual([1, 2])

  first.open()
  await late
  expect(await stored()).toMatchObject([{ state: 'running', attempt: 2, fence: 2n }])
  second.open()
  expect(await taken).toBe(1)
  expect(await stored()).toEqual([])
})

test('a late failure of the old worker does not return the job of its successor', async () => {
  const first = gate()
  const second = gate()
  await add()
  const silent = replica(world, [
    job(NAME, { run: () => first.pass().then(() => Promise.reject(new Error('too late'))) }),
  ])
  const late = silent.drain()
  await first.arrived
  world.clock.advance({ seconds: 90 })
  const taken = replica(world, [job(NAME, { run: second.pass })]).drain()
  await second.arrived
  first.open()
  await late
  expect(await stored()).toMatchObject([{ state: 'running', attempt: 2, fence: 2n }])
  second.open()
  await taken
})

test('an attempt that checks its lease in a transaction holds the job until the transaction ends', async () => {
  const { pass, arrived, open } = gate()
  const works: JobAttempt[] = []
  const kindOf = (run: () => Promise<void>) =>
    job(NAME, {
      run: (_app, work) => {
        works.push(work)
        return run()
      },
    })
  await add()
  const late = replica(world, [kindOf(pass)]).drain()
  await arrived
  const taker = replica(world, [kindOf(async () => {})])
  const [old] = works
  const asking = world.db.tx('platform', async (tx) => {
    const holds = old !== undefined && (await holdsLease(tx, old))
    world.clock.advance({ seconds: 90 })
    return { holds, taken: await taker.drain() }
  })
  expect(await asking).toEqual({ holds: true, taken: 0 })
  expect(await taker.drain()).toBe(1)
  const afterwards = world.db.tx('platform', async (tx) => old !== undefined && holdsLease(tx, old))
  expect(await afterwards).toBe(false)
  open()
  await late
})

test('a job that runs longer than many leases stays with its worker', async () => {
  const { pass, arrived, open } = gate()
  const times = { leaseSeconds: () => 0.3, graceSeconds: () => 0 }
  let starts = 0
  const kind = job(NAME, {
    run: () => {
      starts++
      return pass()
    },
  })
  await add()
  const [keeper, other] = [replica(world, [kind], times), replica(world, [kind], times)]
  const kept = keeper.drain()
  await arrived
  for (let halfLease = 0; halfLease < 10; halfLease++) {
    world.clock.advance({ ms: 150 })
    const extended = after(world.clock.now(), { ms: 300 })
    await expect.poll(() => stored()).toMatchObject([{ due_at: extended }])
    expect(await other.drain()).toBe(0)
  }
  open()
  expect(await kept).toBe(1)
  expect(starts).toBe(1)
})

test('a job is interrupted before its lease ends when the lease cannot be extended', async () => {
  let reason: unknown
  const { pass, arrived, open } = gate()
  const kind = job(NAME, {
    run: async (_app, { signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
        open()
      })
      await pass()
    },
  })
  const jobs = replica(world, [kind], { leaseSeconds: () => 0.3, graceSeconds: () => 3_600 })
  jobs.start()
  await add()
  await arrived
  world.clock.advance({ ms: 250 })
  await expect.poll(() => reason).toMatchObject({ message: 'the lease could not be extended' })
  await jobs.stop()
  expect(await stored()).toMatchObject([{ state: 'running', attempt: 1 }])
})

test('a job that crashes its worker every time is dead after its last attempt', async () => {
  await add()
  const { pass, open } = gate()
  const kind = job(NAME, { attempts: 2, run: pass })
  const late: Promise<number>[] = []
  for (const nr of [0, 1]) {
    late.push(replica(world, [kind]).drain())
    await expect.poll(() => stored()).toMatchObject([{ state: 'running', attempt: nr + 1 }])
    world.clock.advance({ seconds: 90 })
  }
  let runs = 0
  await replica(world, [job(NAME, { attempts: 2, run: async () => void runs++ })]).drain()
  expect(runs).toBe(0)
  expect(await stored()).toMatchObject([{ state: 'dead' }])
  open()
  await Promise.all(late)
})

test('an outcome is recorded after a database outage has ended', async () => {
  let outages = 0
  const failing: Db = {
    ...world.db,
    tx: (reach, work) => {
      if (outages === 0) return world.db.tx(reach, work)
      outages--
      return Promise.reject(new ApiError('database_unavailable'))
    },
  }
  await add()
  const kind = job(NAME, {
    run: async () => {
      outages = 2
    },
  })
  expect(await replica({ ...world, db: failing }, [kind]).drain()).toBe(1)
  expect(await stored()).toEqual([])
})
