import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { gate, replica, untilListening } from '@cowrie/testkit/platform/replica.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'
import { enqueue, job } from './jobs.ts'

const ORG: OrgId = 'org_one'
const OTHER: OrgId = 'org_two'

let world: TestDb
beforeAll(async () => {
  world = await openTestDb()
})
afterEach(() => world.sql.rows`truncate jobs, job_schedules`)
afterAll(() => world.close())

const add = (name: string, payload: unknown = {}, options: Parameters<typeof enqueue>[3] = {}) =>
  world.db.tx('platform', (tx) => enqueue(tx, name, payload, options))
const stored = () =>
  world.sql.rows<{ name: string; state: string; attempt: number; error: string | null }>`
    select name, state, attempt, error from jobs order by created_at, id`

/** A kind that records the payloads of its runs. */
function noting(name = 'test.note') {
  const seen: unknown[] = []
  return { seen, kind: job(name, { run: async (_app, { payload }) => void seen.push(payload) }) }
}

describe('enqueueing a job', () => {
  test('has no effect when the transaction rolls back', async () => {
    const { seen, kind } = noting()
    const refused = world.db.tx('platform', async (tx) => {
      await enqueue(tx, kind.name, { nr: 1 })
      throw new Error('the fact is not one')
    })
    await expect(refused).rejects.toThrow('the fact is not one')
    expect(await replica(world, [kind]).drain()).toBe(0)
    expect(seen).toEqual([])
  })

  test('passes the payload unchanged, and the row is deleted when the job is done', async () => {
    const { seen, kind } = noting()
    const payload = { text: 'a\u0000b', amountMinor: 9_007_199_254_740_993n, list: [1, null] }
    await add(kind.name, payload)
    expect(await replica(world, [kind]).drain()).toBe(1)
    expect(seen).toEqual([payload])
    expect(await stored()).toEqual([])
  })

  test('rejects a payload over 256 KiB', async () => {
    await expect(add('test.note', 'x'.repeat(256 * 1024))).rejects.toThrow('at most 256 KiB')
    await add('test.note', 'x'.repeat(256 * 1024 - 2))
  })

  test('waits until the job is due', async () => {
    const { seen, kind } = noting()
    const jobs = replica(world, [kind])
    await add(kind.name, 'in ten minutes', { after: { minutes: 10 } })
    await add(kind.name, 'at five past', { runAt: new Date(world.clock.now().getTime() + 300_000) })
    expect(await jobs.drain()).toBe(0)
    world.clock.advance({ minutes: 5 })
    expect(await jobs.drain()).toBe(1)
    world.clock.advance({ minutes: 5 })
    expect(await jobs.drain()).toBe(1)
    expect(seen).toEqual(['at five past', 'in ten minutes'])
  })

  test('with a key adds no second job of the same kind and organisation while one is waiting', async () => {
    const { seen, kind } = noting()
    const { seen: others, kind: otherKind } = noting('test.other')
    await add(kind.name, 'first', { key: 'invoice 7' })
    await add(kind.name, 'second', { key: 'invoice 7' })
    await add(kind.name, 'another key', { key: 'invoice 8' })
    await add(kind.name, 'of an organisation', { key: 'invoice 7', org: ORG })
    await add(kind.name, 'of the same organisation', { key: 'invoice 7', org: ORG })
    await add(otherKind.name, 'another kind', { key: 'invoice 7' })
    await replica(world, [kind, otherKind]).drain()
    expect(seen.sort()).toEqual(['another key', 'first', 'of an organisation'])
    expect(others).toEqual(['another kind'])
  })

  test('with the key of a running job adds another, and a failure of the first merges into it', async () => {
    const seen: unknown[] = []
    const kind = job('test.refresh', {
      run: async (_app, { payload, attempt }) => {
        seen.push(payload)
        if (payload === 'first' && attempt === 1) {
          await add('test.refresh', 'second', { key: 'cache' })
          throw new Error('out of date')
        }
      },
    })
    await add(kind.name, 'first', { key: 'cache' })
    const jobs = replica(world, [kind])
    expect(await jobs.drain()).toBe(2)
    expect(await stored()).toEqual([])
    expect(seen).toEqual(['first', 'second'])
  })
})

describe('row-level security', () => {
  test('lets an organisation add its own jobs and platform jobs, but none of other organisations', async () => {
    await world.db.tx(ORG, (tx) => enqueue(tx, 'test.note', {}, { org: ORG }))
    await world.db.tx(ORG, (tx) => enqueue(tx, 'test.note', {}, { key: 'shared' }))
    const trespass = world.db.tx(ORG, (tx) => enqueue(tx, 'test.note', {}, { org: OTHER }))
    await expect(trespass).rejects.toThrow('row-level security')
    expect(await stored()).toHaveLength(2)
  })

  test('shows an organisation only its own jobs', async () => {
    await add('test.note', {}, { org: ORG })
    await add('test.note', {}, { org: OTHER })
    await add('test.note')
    expect(await world.db.tx(ORG, (tx) => tx.rows`select id from jobs`)).toHaveLength(1)
    expect(await world.db.tx('platform', (tx) => tx.rows`select id from jobs`)).toHaveLength(3)
  })
})

describe('running', () => {
  test('happens once for each job with several replicas', async () => {
    const runs = new Map<unknown, number>()
    const kind = job('test.count', {
      run: async (_app, { payload }) => void runs.set(payload, (runs.get(payload) ?? 0) + 1),
    })
    const second = world.openReplica()
    const replicas = [replica(world, [kind]), replica({ ...world, db: second }, [kind])]
    for (const each of replicas) each.start()
    await world.db.tx('platform', async (tx) => {
      for (let nr = 0; nr < 100; nr++) await enqueue(tx, kind.name, nr)
    })
    await expect.poll(() => stored()).toEqual([])
    for (const each of replicas) await each.stop()
    expect(runs.size).toBe(100)
    expect([...runs.values()].every((count) => count === 1)).toBe(true)
  })

  test('starts without waiting for the next poll when another replica enqueues a job', async () => {
    const { seen, kind } = noting()
    const second = world.openReplica()
    const jobs = replica({ ...world, db: second }, [kind], { pollMs: 3_600_000 })
    jobs.start()
    await untilListening(second)
    for (const nr of [1, 2, 3]) {
      await add(kind.name, nr)
      await expect.poll(() => seen).toHaveLength(nr)
    }
    await jobs.stop()
  })

  test('claims the oldest jobs first, up to the concurrency limit', async () => {
    let running = 0
    let most = 0
    const order: unknown[] = []
    const kind = job('test.places', {
      run: async (_app, { payload }) => {
        order.push(payload)
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      },
    })
    for (const minutes of [3, 1, 2]) await add(kind.name, minutes, { after: { minutes } })
    world.clock.advance({ minutes: 3 })
    const jobs = replica(world, [kind], { concurrency: 1 })
    await jobs.drain()
    expect(order).toEqual([1, 2, 3])
    expect(most).toBe(1)
  })

  test('of slow kinds leaves capacity for quick ones', async () => {
    const { pass, open } = gate()
    const slow = job('test.slow', { slow: true, run: pass })
    const { seen, kind } = noting()
    for (let nr = 0; nr < 5; nr++) await add(slow.name)
    await add(kind.name, 'quick')
    const jobs = replica(world, [slow, kind], { concurrency: 4, slowConcurrency: 2 })
    jobs.start()
    await expect.poll(() => seen).toEqual(['quick'])
    // The quick job may have been claimed before the slow ones.
    await expect.poll(() => jobs.count()).toContainEqual({ name: slow.name, state: 'running', count: 2 })
    open()
    await expect.poll(() => stored()).toEqual([])
    await jobs.stop()
  })

  test('of a pool uses separate workers and none of the common ones', async () => {
    const away = gate()
    const here = gate()
    const calls = job('test.calls', { pool: 'outbound', run: away.pass })
    const busy = job('test.busy', { run: here.pass })
    for (let nr = 0; nr < 5; nr++) await add(calls.name)
    const jobs = replica(world, [calls, busy], { concurrency: 2, poolConcurrency: 3 })
    jobs.start()
    await away.arrived
    for (let nr = 0; nr < 3; nr++) await add(busy.name)
    await expect.poll(() => jobs.running).toBe(5)
    expect(await jobs.count()).toEqual([
      { name: busy.name, state: 'running', count: 2 },
      { name: busy.name, state: 'waiting', count: 1 },
      { name: calls.name, state: 'running', count: 3 },
      { name: calls.name, state: 'waiting', count: 2 },
    ])
    here.open()
    away.open()
    await expect.poll(() => stored()).toEqual([])
    await jobs.stop()
  })

  test('pauses slow kinds while they are disabled and continues with the others', async () => {
    const { seen, kind: quick } = noting()
    const slow = job('test.paused', { slow: true, run: async () => void seen.push({ paused: false }) })
    let on = false
    const jobs = replica(world, [quick, slow], { slowEnabled: () => on })
    await add(slow.name)
    await add(quick.name)
    expect(await jobs.drain()).toBe(1)
    expect(seen).toHaveLength(1)
    on = true
    expect(await jobs.drain()).toBe(1)
    expect(seen).toHaveLength(2)
  })

  test('ignores jobs of unknown kinds and logs a warning when they are overdue', async () => {
    const lines: string[] = []
    const jobs = replica(world, [noting().kind], { lines })
    await add('test.misspelt')
    await jobs.drain()
    world.clock.advance({ minutes: 20 })
    await jobs.drain()
    expect(await stored()).toMatchObject([{ name: 'test.misspelt', state: 'waiting' }])
    expect(lines.join('')).toContain('test.misspelt')
  })

  test('reports each outcome to the metrics observer', async () => {
    const seen: unknown[] = []
    await add('test.note')
    await replica(world, [noting().kind], { observe: (each) => seen.push(each) }).drain()
    expect(seen).toEqual([{ name: 'test.note', outcome: 'done', seconds: 0 }])
  })
})

describe('a failed attempt', () => {
  const failing = (
    attempts: number[],
    rest: { attempts?: number; backoff?: { firstMs: number; maxMs: number } } = {},
  ) =>
    job('test.fail', {
      ...rest,
      run: async (_app, { attempt }) => {
        attempts.push(attempt)
        throw new Error('no route to sk_live_abcdefghijkl')
      },
    })

  test('is retried with exponential backoff up to its limit', async () => {
    const attempts: number[] = []
    const kind = failing(attempts, { backoff: { firstMs: 1_000, maxMs: 3_000 } })
    const jobs = replica(world, [kind], { random: () => 1 })
    await add(kind.name)
    for (const seconds of [0, 1, 2, 3, 3]) {
      if (seconds > 0) world.clock.advance({ ms: seconds * 1000 - 1 })
      if (seconds > 0) expect(await jobs.drain()).toBe(0)
      if (seconds > 0) world.clock.advance({ ms: 1 })
      expect(await jobs.drain()).toBe(1)
    }
    expect(attempts).toEqual([1, 2, 3, 4, 5])
  })

  test('that was the last one leaves a dead job with a redacted error', async () => {
    const attempts: number[] = []
    const jobs = replica(world, [failing(attempts, { attempts: 3 })])
    await add('test.fail')
    for (let hour = 0; hour < 5; hour++) {
      await jobs.drain()
      world.clock.advance({ hours: 1 })
    }
    expect(attempts).toEqual([1, 2, 3])
    expect(await stored()).toEqual([
      { name: 'test.fail', state: 'dead', attempt: 3, error: 'no route to sk_live_[redacted]' },
    ])
    expect(await jobs.count()).toEqual([{ name: 'test.fail', state: 'dead', count: 1 }])
    world.clock.advance({ days: 91 })
    await jobs.drain()
    expect(await stored()).toEqual([])
  })

  test('is also one that exceeds its timeout, even when it ignores the signal', async () => {
    const { pass, open } = gate()
    let reason: unknown
    const kind = job('test.hang', {
      timeoutMs: 20,
      run: async (_app, { signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        await pass()
      },
    })
    await add(kind.name)
    await replica(world, [kind], { graceMs: 10 }).drain()
    open()
    expect(reason).toMatchObject({ message: 'The attempt exceeded its timeout of 20 ms.' })
    expect(await stored()).toMatchObject([
      { state: 'waiting', attempt: 1, error: 'The attempt exceeded its timeout of 20 ms.' },
    ])
  })

  test('is also one that throws synchronously', async () => {
    const kind = job('test.throw', {
      run: () => {
        throw new Error('at once')
      },
    })
    await add(kind.name)
    await replica(world, [kind]).drain()
    expect(await stored()).toMatchObject([{ state: 'waiting', error: 'at once' }])
  })
})

describe('stopping', () => {
  test('waits for running jobs and claims no new ones', async () => {
    const { pass, arrived, open } = gate()
    const jobs = replica(world, [job('test.gate', { run: pass })], { concurrency: 1 })
    jobs.start()
    await add('test.gate')
    await arrived
    const stopped = jobs.stop()
    await add('test.gate')
    open()
    await stopped
    expect(await stored()).toMatchObject([{ state: 'waiting', attempt: 0 }])
  })

  test('returns jobs that do not end in time: another replica runs them, and the attempt does not count', async () => {
    const { pass, arrived, open } = gate()
    const leaving = replica(world, [job('test.gate', { run: pass })], { stopMs: 10, graceMs: 10 })
    leaving.start()
    await add('test.gate')
    await arrived
    await leaving.stop()
    const attempts: number[] = []
    const staying = replica(world, [
      job('test.gate', { run: async (_app, { attempt }) => void attempts.push(attempt) }),
    ])
    expect(await staying.drain()).toBe(1)
    expect(attempts).toEqual([1])
    open()
  })
})

test('inconsistent declarations are rejected at start', () => {
  const { kind } = noting()
  expect(() => replica(world, [kind, kind])).toThrow('declared once')
  const schedules = [{ name: 'nightly', job: 'test.absent', everySeconds: 60 }]
  expect(() => replica(world, [kind], { schedules })).toThrow('a declared kind of job')
})
