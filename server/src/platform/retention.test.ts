// Retention: deletions continue until nothing old is left, and a figure shows rows that are late.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldEvents } from '../hooks/jobs.ts'
import { before } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { deleteOldEvents as deleteOldPaymentEvents } from '../payments/settle/sweeper.ts'
import { housekeeping } from './housekeeping.ts'
import { deleteInBatches } from './retention.ts'

const TOKEN = 'a token of this test'
let server: TestServer
let orgId: string
beforeAll(async () => {
  server = await startTestServer({ variables: { METRICS_TOKEN: TOKEN } })
  orgId = (await server.person()).orgId
})
afterAll(() => server.close())

const daysAgo = (days: number) => before(server.clock.now(), { days })
const addHookEvent = (days: number) => server.sql.rows`
  insert into hook_events (id, org_id, type, body, created_at)
  values (${newId('evt')}, ${orgId}, 'run.finished', '{}', ${daysAgo(days)})`
const addPaymentEvent = (days: number, isProcessed = true) => server.sql.rows`
  insert into payment_events (id, rail, event_key, kind, source_ip, raw, received_at, processed_at, verdict)
  values (${newId('pev')}, 'mock', ${newId('key')}, 'paid', '127.0.0.1', 'x', ${daysAgo(days)},
          ${isProcessed ? daysAgo(days) : null}, ${isProcessed ? 'ignored' : null})`
const addKey = (days: number) => server.sql.rows`
  insert into idempotency_keys (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at)
  values ('usr_1', 'me', ${newId('key')}, ${newId('idem')}, 'f', 'free', 1, ${daysAgo(days)}, ${daysAgo(days)})`
const addReply = (days: number) => server.sql.rows`
  insert into kept_replies (id, org_id, body, kept_at) values (${newId('idem')}, ${orgId}, '{}', ${daysAgo(days)})`
const TABLES = {
  hook_events: { days: 30, add: addHookEvent },
  payment_events: { days: 400, add: addPaymentEvent },
  idempotency_keys: { days: 7, add: addKey },
  kept_replies: { days: 7, add: addReply },
} as const
const overdue = async (table: string) => {
  server.clock.advance({ seconds: 10 })
  const { text } = await server.call('GET', '/metrics', { as: { bearer: TOKEN } })
  return Number(new RegExp(`cowrie_retention_overdue_seconds\\{table="${table}"\\} (\\S+)`).exec(text)?.[1])
}
const sweepReplies = (batches: { size: number; most: number }) => {
  const [sweep] = housekeeping(() => {
    throw new Error('the sweep of replies needs no rate limiter')
  }, batches).jobs
  return sweep?.run(server.app, { signal: AbortSignal.timeout(30_000) } as never)
}
const waiting = async (name: string) =>
  (await server.sql.rows`select id from jobs where name = ${name} and state = 'waiting'`).length

test.for(Object.entries(TABLES))(
  'the figure of %s shows how much longer than its retention the oldest row is stored',
  async ([table, { days, add }]) => {
    await add(days - 1)
    expect(await overdue(table)).toBe(0)
    await add(days + 3)
    expect(await overdue(table)).toBeGreaterThanOrEqual(3 * 86_400)
    expect(await overdue(table)).toBeLessThan(3 * 86_400 + 3_600)
    await deleteOldEvents(server.app)
    await deleteOldPaymentEvents(server.app)
    await sweepReplies({ size: 100, most: 1 })
    expect(await overdue(table)).toBe(0)
  },
)

test('an unprocessed webhook of a payment provider is kept, and is not overdue', async () => {
  await addPaymentEvent(500, false)
  expect(await overdue('payment_events')).toBe(0)
  await deleteOldPaymentEvents(server.app)
  const [kept] = await server.sql.rows`select id from payment_events where processed_at is null`
  expect(kept).toBeDefined()
})

test('a job that leaves rows continues at once, and one that does not is not enqueued again', async () => {
  let rows = 5
  const run = () =>
    deleteInBatches(server.app, 'hooks.tidy', { size: 2, most: 2 }, async () => {
      const deleted = Math.min(2, rows)
      rows -= deleted
      return deleted
    })
  await server.app.jobs.drain()
  await run()
  expect([rows, await waiting('hooks.tidy')]).toEqual([1, 1])
  await server.app.jobs.drain()
  await run()
  expect([rows, await waiting('hooks.tidy')]).toEqual([0, 0])
})

test.for([
  [
    'hooks.tidy',
    'hook_events',
    (batches: { size: number; most: number }) => deleteOldEvents(server.app, batches),
  ],
  [
    'payments.forgetEvents',
    'payment_events',
    (batches: { size: number; most: number }) => deleteOldPaymentEvents(server.app, batches),
  ],
  ['platform.sweepIdempotency', 'idempotency_keys', sweepReplies],
  ['platform.sweepIdempotency', 'kept_replies', sweepReplies],
] as const)('%s of %s deletes more rows than fit into one run', async ([name, table, run]) => {
  const { days, add } = TABLES[table]
  for (let n = 0; n < 3; n++) await add(days + 5)
  await server.app.jobs.drain()
  await run({ size: 1, most: 2 })
  expect(await waiting(name)).toBe(1)
  expect(await overdue(table)).toBeGreaterThan(86_400)
  await server.app.jobs.drain()
  expect(await overdue(table)).toBe(0)
})
