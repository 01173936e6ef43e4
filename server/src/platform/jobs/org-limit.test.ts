import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { gate, replica } from '@cowrie/testkit/platform/replica.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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

/** Each is due a moment after the previous one, because jobs that are due at the same time have no defined order. */
const addMany = (name: string, org: OrgId | undefined, count: number) =>
  world.db.tx('platform', async (tx) => {
    for (let nr = 0; nr < count; nr++) {
      await enqueue(tx, name, nr, { org, runAt: new Date(tx.now.getTime() - count + nr) })
    }
  })
const countLeft = async () => (await world.sql.rows`select id from jobs`).length

test('two replicas never exceed the limit per organisation and lose no job', async () => {
  const running = new Map<OrgId | null, number>()
  const most = new Map<OrgId | null, number>()
  let done = 0
  // Jobs wait here until the limit is reached. Jobs without an organisation have no limit and wait for more.
  const crowds = new Map([ORG, OTHER, null].map((org) => [org, Promise.withResolvers<void>()]))
  const kind = job('test.limited', {
    perOrg: 2,
    run: async (_app, { org }) => {
      const now = (running.get(org) ?? 0) + 1
      running.set(org, now)
      most.set(org, Math.max(most.get(org) ?? 0, now))
      if (now > (org === null ? 2 : 1)) crowds.get(org)?.resolve()
      await crowds.get(org)?.promise
      await new Promise((resolve) => setTimeout(resolve, 5))
      running.set(org, (running.get(org) ?? 0) - 1)
      done++
    },
  })
  const second = world.openReplica()
  const replicas = [replica(world, [kind]), replica({ ...world, db: second }, [kind])]
  for (const each of replicas) each.start()
  await Promise.all([
    addMany(kind.name, ORG, 40),
    addMany(kind.name, OTHER, 40),
    addMany(kind.name, undefined, 20),
  ])
  await expect.poll(() => countLeft()).toBe(0)
  for (const each of replicas) await each.stop()
  expect(done).toBe(100)
  expect(most.get(ORG)).toBe(2)
  expect(most.get(OTHER)).toBe(2)
})

test('the long queue of one organisation does not delay another', async () => {
  const { pass, arrived, open } = gate()
  const finished: (OrgId | null)[] = []
  const kind = job('test.limited', {
    perOrg: 1,
    run: async (_app, { org }) => {
      if (org === ORG) await pass()
      finished.push(org)
    },
  })
  await addMany(kind.name, ORG, 50)
  const jobs = replica(world, [kind], { concurrency: 2 })
  jobs.start()
  await arrived
  await addMany(kind.name, OTHER, 5)
  await expect.poll(() => finished).toEqual(Array(5).fill(OTHER))
  // The last job has finished, and its row is deleted a moment later.
  await expect
    .poll(() => jobs.count())
    .toEqual([
      { name: kind.name, state: 'parked', count: 49 },
      { name: kind.name, state: 'running', count: 1 },
    ])
  open()
  await expect.poll(() => countLeft()).toBe(0)
  await jobs.stop()
  expect(finished).toHaveLength(55)
})

test.for([
  { it: 'that dies', attempts: 1, left: 1 },
  { it: 'that will be tried again', attempts: 2, left: 1 },
])('a job $it frees its slot for the next', async ({ attempts, left }) => {
  const done: unknown[] = []
  const kind = job('test.limited', {
    perOrg: 1,
    attempts,
    run: async (_app, { payload }) => {
      if (payload === 0) throw new Error('not this one')
      done.push(payload)
    },
  })
  await addMany(kind.name, ORG, 4)
  await replica(world, [kind]).drain()
  expect(done).toEqual([1, 2, 3])
  expect(await countLeft()).toBe(left)
})

test('a job that is taken over from a lost worker counts only once towards the limit', async () => {
  const first = gate()
  const next = gate()
  const takenOver: unknown[] = []
  const kindOf = (pass: () => Promise<void>) =>
    job('test.limited', {
      perOrg: 1,
      run: (_app, { payload, attempt }) => {
        if (attempt === 2) takenOver.push(payload)
        return pass()
      },
    })
  await addMany('test.limited', ORG, 3)
  const lost = replica(world, [kindOf(first.pass)])
  const late = lost.drain()
  await first.arrived
  world.clock.advance({ seconds: 91 })
  const taker = replica(world, [kindOf(next.pass)])
  taker.start()
  await next.arrived
  expect(takenOver).toEqual([0])
  expect(await taker.count()).toContainEqual({ name: 'test.limited', state: 'running', count: 1 })
  first.open()
  await late
  expect(await taker.count()).toContainEqual({ name: 'test.limited', state: 'running', count: 1 })
  next.open()
  await expect.poll(() => countLeft()).toBe(0)
  await taker.stop()
})

test('jobs parked under a limit that the next build removes are unparked', async () => {
  const { pass, arrived, open } = gate()
  const old = replica(world, [job('test.limited', { perOrg: 1, run: pass })])
  await addMany('test.limited', ORG, 3)
  const late = old.drain()
  await arrived
  await expect.poll(() => old.count()).toContainEqual({ name: 'test.limited', state: 'parked', count: 2 })
  world.clock.advance({ seconds: 91 })
  let done = 0
  const fresh = replica(world, [job('test.limited', { run: async () => void done++ })])
  await fresh.drain()
  world.clock.advance({ minutes: 2 })
  await fresh.drain()
  expect(done).toBe(3)
  open()
  await late
})
