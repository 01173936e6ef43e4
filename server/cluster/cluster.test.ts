// Several replicas behind one address behave as one service, also during a rolling restart.

import {
  type Customer,
  type Reply,
  startTestCluster,
  type TestCluster,
} from '@cowrie/testkit/cluster/cluster.ts'
import { type FakeWeb, startWeb } from '@cowrie/testkit/fakes/web-pages.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Frame } from '../chaos/models/event-log.ts'
import { countBrokenHashLinks, endsByHold, unbalancedWallets } from '../chaos/sql.ts'
import { QUESTION } from '../src/research/world/pages.ts'
import { type Redis, startRedis } from './redis.ts'

const PATIENCE = { timeout: scaledTimeout(60_000) }
const RESTARTS = rounds(1, 5)
/** Each of them sends requests, runs and loops continuously. */
const CUSTOMERS = rounds(1, 3)
/** Between two requests of a customer: in `npm test`, starting replicas need CPU time too. */
const PAUSE_MS = isSoak ? 0 : 100
const AUDITED_AT_ONCE = rounds(8, 40)
const ASKED_AT_ONCE = rounds(24, 40)
/** Finished runs before and after a restart. */
const RUNS = rounds(4, 10)
const METRICS = 'a token for numbers'
const GOOD = /^\/(harbour-review|coast-daily|trade-notes|makoro-observer)\//
const FILES = [{ path: 'word.txt', content: 'word is bad\n' }]

let url: string
let web: FakeWeb
let redis: Redis | null
let all: TestCluster
let root: Customer

beforeAll(async () => {
  url = await createDatabase()
  web = await startWeb()
  // Only pages that answer immediately.
  web.show(web.pages.map(({ path }) => path).filter((path) => GOOD.test(path)))
  redis = await startRedis()
  all = await startTestCluster(url, 2, {
    ...web.variables,
    ...(redis && { REDIS_URL: redis.url }),
    METRICS_TOKEN: METRICS,
    SERVICE_ROOT_ADMIN_EMAIL: 'root@example.com',
    SERVICE_RATE_LIMIT_AUTH: '30/3600',
  })
  root = await all.customer('root@example.com')
}, 240_000)
afterAll(async () => {
  await all?.close()
  await redis?.close()
  await web?.close()
  await dropDatabase(url)
})

/** The addresses of single replicas, for tests that bypass the proxy. */
const [first, second] = [0, 1].map((i) => () => all.cluster.replicas()[i]?.address ?? '') as [
  () => string,
  () => string,
]
const runOf = (words: string) => ({ prompt: `${words}: another word.`, context: FILES })
const balanceOf = async (as: Customer) =>
  BigInt((await all.call('GET', '/wallet', { as })).body.balanceMinor as bigint)
const chargedOf = async ({ bearer }: Customer) => {
  const { minor } = await all.sql.one<{ minor: bigint }>`
    select coalesce(sum(charged_minor), 0)::bigint as minor from holds where user_id = ${bearer}`
  return minor
}

const openHolds = async ({ bearer }: Customer) => {
  const { open } = await all.sql.one<{ open: number }>`
    select count(*)::int as open from holds where user_id = ${bearer} and state = 'open'`
  return open
}
/** One metric of a replica. */
async function readMetric(address: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS}` }
  const { text } = await all.call('GET', '/metrics', { headers }, address)
  return Number(new RegExp(`^\\w*${name}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}

test('a session opened through the proxy is valid on all replicas, and a sign-out on one ends it on all', async () => {
  const opened = await all.call('POST', '/auth/dev-login', { body: { email: 'ada@example.com' } })
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await all.call('GET', '/me', { cookie }, first())).status).toBe(200)
  expect((await all.call('GET', '/me', { cookie }, second())).status).toBe(200)
  expect((await all.call('POST', '/auth/logout', { cookie }, first())).status).toBe(200)
  expect((await all.call('GET', '/me', { cookie }, second())).status).toBe(401)
})

test('a key revoked on one replica is refused by the other immediately', async () => {
  const as = await all.customer('keys@example.com')
  const body = { name: 'short', scopes: ['wallet:read'] }
  const made = await all.call('POST', '/auth/keys', { as, body }, first())
  expect(made.status, made.text).toBe(200)
  const bearer = String(made.body.key)
  const ask = async (address: string) => (await all.call('GET', '/wallet', { bearer }, address)).status
  expect([await ask(first()), await ask(second())]).toEqual([200, 200])
  expect((await all.call('DELETE', `/auth/keys/${made.body.id}`, { as }, first())).status).toBe(200)
  expect(await ask(second())).toBe(401)
})

test('replicas share a rate limit: they never admit more, and not much less', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 50; i++) {
    // A separate client address, so that the requests of other tests are not counted.
    const ask = async () => {
      const headers = { 'x-forwarded-for': '198.51.100.7', 'content-type': 'application/json' }
      return (await all.call('POST', '/auth/dev-login', { headers }, i % 2 ? first() : second())).status
    }
    // A request that cannot be counted in time gets 503 and is retried.
    let status = 503
    await expect.poll(async () => (status = await ask()), PATIENCE).not.toBe(503)
    statuses.push(status)
  }
  const admitted = statuses.filter((status) => status === 400).length
  expect(statuses.filter((status) => status === 429)).toHaveLength(50 - admitted)
  expect(admitted).toBeLessThanOrEqual(30)
  expect(admitted).toBeGreaterThanOrEqual(27)
})

test('the same idempotency key on two replicas at once has one effect and one answer', async () => {
  const as = await all.customer('twice@example.com')
  const ask = (address: string) =>
    all.call('POST', '/agent/run', { as, key: 'the-same', body: runOf('twice') }, address)
  const replies = await Promise.all([ask(first()), ask(second()), ask(first()), ask(second())])
  const done = replies.filter(({ status }) => status === 200)
  expect(replies.filter(({ body }) => body.code !== 'idempotency_in_progress')).toEqual(done)
  const { text } = await ask(second())
  expect(done.map((reply) => reply.text)).toEqual(done.map(() => text))
  const runs = await all.sql.rows`select id from agent_runs where user_id = ${as.bearer}`
  expect(runs).toHaveLength(1)
})

test('concurrent work on all replicas never spends more than the balance', async () => {
  const as = await all.customer('poor@example.com', 20_000)
  // All of them hold their maximum cost at the same time, or are refused.
  const releaseModel = all.hold('poor')
  const asks = Array.from({ length: ASKED_AT_ONCE }, (_, i) =>
    all.call('POST', '/agent/run', { as, body: runOf(`poor ${i}`) }, i % 2 ? first() : second()),
  )
  let refused = 0
  for (const each of asks) void each.then(() => refused++)
  const isSettled = async () => (await openHolds(as)) + refused
  await expect.poll(isSettled, PATIENCE).toBe(asks.length)
  const wallet = await all.sql.one<{ free: bigint }>`
    select w.balance_minor - w.held_minor as free from wallets w
    join memberships m on m.org_id = w.org_id where m.user_id = ${as.bearer}`
  expect(wallet.free).toBeGreaterThanOrEqual(0n)
  releaseModel()
  const replies = await Promise.all(asks)
  const statuses = new Set(replies.map(({ status }) => status))
  expect(statuses).toEqual(new Set([200, 402]))
  expect(await balanceOf(as)).toBe(20_000n - (await chargedOf(as)))
})

describe('streams', () => {
  soakTest('of a loop pass through the proxy frame by frame', async () => {
    const as = await all.customer('looping@example.com')
    const releaseModel = all.hold('looping')
    const started = Promise.withResolvers<void>()
    const streamed = all.stream('/agent/run-loop', as, runOf('looping'), { onFrame: () => started.resolve() })
    // The first frame arrives before the model has answered.
    await started.promise
    releaseModel()
    const { isWhole, frames } = await streamed
    expect(isWhole).toBe(true)
    expect(frames.at(-1)).toMatchObject({ result: { costMinor: await chargedOf(as) } })
  })

  test('that the client closes end after the current turn', async () => {
    const as = await all.customer('leaving@example.com')
    const releaseModel = all.hold('leaving')
    const leaving = new AbortController()
    const { signal } = leaving
    const streamed = all.stream('/agent/run-loop', as, runOf('leaving'), {
      signal,
      onFrame: () => leaving.abort(),
    })
    expect((await streamed).isWhole).toBe(false)
    const streams = async () =>
      (await readMetric(first(), 'streams_open')) + (await readMetric(second(), 'streams_open'))
    await expect.poll(streams, PATIENCE).toBe(0)
    releaseModel()
    await expect.poll(() => openHolds(as), PATIENCE).toBe(0)
    const stopped = () => all.sql.rows<{ reason: string | null }>`
      select stop_reason as reason from agent_runs where user_id = ${as.bearer}`
    await expect.poll(stopped, PATIENCE).toEqual([{ reason: 'cancelled' }])
  })
})

/** Reads the stream of a research run from one replica until `enough`. */
async function follow(
  address: string,
  as: Customer,
  id: string,
  after: number,
  enough: (frame: Frame) => boolean,
) {
  const leaving = new AbortController()
  const frames: Frame[] = []
  const reply = await fetch(`${address}/research/${id}/stream?after=${after}`, {
    headers: { authorization: `Bearer ${as.bearer}` },
    signal: leaving.signal,
  })
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of reply.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events)
      if (event.startsWith('data: ')) frames.push(JSON.parse(event.slice('data: '.length)) as Frame)
    if (frames.some(enough)) break
  }
  leaving.abort()
  return frames
}

describe('research', () => {
  const begin = async (as: Customer, question = QUESTION) => {
    const reply = await all.call('POST', '/research', { as, body: { question, depth: 'quick' } })
    expect(reply.status, reply.text).toBe(202)
    return String(reply.body.id)
  }
  const isOver = ({ kind }: Frame) => kind === 'done' || kind === 'failed'

  test('can be followed on one replica and resumed on another', async () => {
    const as = await all.customer('curious@example.com')
    const id = await begin(as)
    const before = await follow(first(), as, id, 0, () => true)
    const seen = Number(before.at(-1)?.seq)
    const rest = await follow(second(), as, id, seen, isOver)
    const seqs = [...before, ...rest].map(({ seq }) => Number(seq))
    expect(seqs).toEqual(seqs.map((_, i) => i + 1))
    expect(rest.at(-1)).toMatchObject({ kind: 'done', run: { status: 'completed' } })
  })

  soakTest('is taken over when its replica is killed, and the replica is restarted', async () => {
    const as = await all.customer('unlucky@example.com')
    const releaseModel = all.hold('unlucky')
    const id = await begin(as, `${QUESTION} Asked by the unlucky.`)
    await expect.poll(() => all.upstream.open, PATIENCE).toBe(1)
    const working = await Promise.all(
      all.cluster
        .replicas()
        .map(async ({ address, pid }) => ((await readMetric(address, 'jobs_running')) ? pid : 0)),
    )
    const holder = Math.max(...working)
    expect(holder).toBeGreaterThan(0)
    process.kill(holder, 'SIGKILL')
    await expect.poll(() => all.cluster.replicas().map(({ pid }) => pid), PATIENCE).not.toContain(holder)
    releaseModel()
    // Simulates the end of the dead replica's lease.
    await all.sql.rows`
      update jobs set due_at = now() - interval '1 second' where name = 'research.run' and state = 'running'`
    const frames = await follow(all.cluster.address, as, id, 0, isOver)
    expect(frames.at(-1)).toMatchObject({ kind: 'done' })
    const seqs = frames.map(({ seq }) => Number(seq))
    expect(seqs).toEqual(seqs.map((_, i) => i + 1))
    await expect.poll(() => all.cluster.proxy.backends.ready, PATIENCE).toBe(2)
  })
})

soakTest('a setting changed on one replica takes effect on the others within seconds', async () => {
  const signups = async (address: string) =>
    (await all.call('GET', '/auth/config', {}, address)).body.signupsEnabled
  const set = (value: boolean) =>
    all.call('PUT', '/admin/settings/signups_enabled', { as: root, body: { value } }, first())
  expect((await set(false)).status).toBe(200)
  await expect.poll(() => signups(second()), PATIENCE).toBe(false)
  expect((await set(true)).status).toBe(200)
  await expect.poll(() => signups(second()), PATIENCE).toBe(true)
})

test('the audit log stays one chain when all replicas write to it at once', async () => {
  const written = () => all.sql.rows`select 1 from audit_entries where action = 'settings.set'`
  const before = (await written()).length
  const set = async (address: string, value: number) =>
    (await all.call('PUT', '/admin/settings/frontier_target_pct', { as: root, body: { value } }, address))
      .status
  // A replica that waits too long for the lock refuses without an effect, so the call is retried.
  await Promise.all(
    Array.from({ length: AUDITED_AT_ONCE }, (_, i) =>
      expect.poll(() => set(i % 2 ? first() : second(), i), PATIENCE).toBe(200),
    ),
  )
  expect((await all.call('GET', '/audit/verify?scope=all', { as: root })).body.ok).toBe(true)
  expect(await written()).toHaveLength(before + AUDITED_AT_ONCE)
})

describe('a rolling restart', () => {
  test('loses no request: each is answered, and each debit is charged once', async () => {
    const before = new Set(all.cluster.replicas().map(({ pid }) => pid))
    const people = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, n) => all.customer(`steady${n}@example.com`, 5_000_000)),
    )
    const failures: string[] = []
    const results = new Map<string, bigint>()
    let isOver = false
    const note = ({ status, text }: Reply) => {
      if (status !== 200) failures.push(`${status} ${text}`)
    }
    const again = (work: (n: number) => Promise<unknown>) => async () => {
      for (let n = 0; !isOver; n++) {
        await work(n).catch((error: unknown) =>
          failures.push(error instanceof Error ? `${error.cause ?? error}` : ''),
        )
        if (PAUSE_MS > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
    const loads = people.flatMap((as, i) => [
      again(async () => note(await all.call('GET', '/wallet', { as }))),
      again(async (n) => {
        const reply = await all.call('POST', '/agent/run', { as, key: `run-${n}`, body: runOf(`run ${i}`) })
        note(reply)
        results.set(String(reply.body.id), reply.body.costMinor as bigint)
      }),
      again(async (n) => {
        const { isWhole, frames, lastText } = await all.stream('/agent/run-loop', as, runOf(`loop ${i}`), {
          key: `loop-${n}`,
        })
        const { id, totalCostMinor } = frames.at(-1) ?? {}
        if (!isWhole || totalCostMinor === undefined) failures.push(`a stream ended with ${lastText}`)
        results.set(String(id), totalCostMinor as bigint)
      }),
    ])
    // A stream that stays open until its replica is draining.
    const releaseModel = all.hold('patient')
    const patient = all.stream('/agent/run-loop', people[0] as Customer, runOf('patient'))
    const load = Promise.all(loads.map((start) => start()))
    await expect.poll(() => results.size, PATIENCE).toBeGreaterThan(RUNS)
    const restarted = all.cluster.restart()
    const fresh = () => all.cluster.replicas().filter(({ pid }) => !before.has(pid)).length
    await expect.poll(fresh, PATIENCE).toBeGreaterThan(0)
    releaseModel()
    await restarted
    for (let more = 1; more < RESTARTS; more++) await all.cluster.restart()
    const atTheEnd = results.size
    await expect.poll(() => results.size, PATIENCE).toBeGreaterThan(atTheEnd + RUNS)
    isOver = true
    await load
    const { isWhole, frames } = await patient
    expect(isWhole && frames.at(-1)?.totalCostMinor !== undefined).toBe(true)

    expect(failures).toEqual([])
    expect(fresh()).toBe(2)
    const rows = await all.sql.rows<{ id: string; cost: bigint }>`
      select id, cost_minor as cost from agent_runs where id = any(${[...results.keys()]}::text[])`
    expect(new Map(rows.map(({ id, cost }) => [id, cost]))).toEqual(results)
    const holds = await endsByHold(all.sql)
    expect(holds.filter(({ state, ends }) => state !== 'open' && ends !== 1)).toEqual([])
    expect(await unbalancedWallets(all.sql)).toEqual([])
    expect(await countBrokenHashLinks(all.sql)).toBe(0)
  })
})
