// Reports over all organisations: limited concurrency, ranking, and sums beyond 64 bits.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { INT64_MAX } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { withFleetSlot } from './fleet-queue.ts'
import { exportOrgs } from './reports/orgs.ts'

let server: TestServer
let staff: Person
const ALL = { scope: 'all' }
beforeAll(async () => {
  server = await startTestServer()
  staff = await server.person({ staff: 'support' })
})
afterAll(() => server.close())

describe('fleet reports', () => {
  /** Starts reports that run until the test ends them. */
  function occupy(count: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy = Array.from({ length: count }, () => withFleetSlot(server.app, () => promise))
    return async () => {
      resolve()
      await Promise.all(busy)
    }
  }

  test('wait while two are running, and continue in order', async () => {
    const free = occupy(2)
    const order: string[] = []
    const first = withFleetSlot(server.app, async () => void order.push('first'))
    const second = withFleetSlot(server.app, async () => void order.push('second'))
    const page = server.call('GET', '/metrics/kpis', { as: staff, query: ALL })
    const own = await server.call('GET', '/metrics/kpis', { as: staff })
    expect([own.status, order]).toEqual([200, []])
    await free()
    await Promise.all([first, second])
    expect([(await page).status, order]).toEqual([200, ['first', 'second']])
  })

  test('are refused after the wait limit, and leave the queue', async () => {
    const free = occupy(2)
    const never = withFleetSlot(server.app, () => Promise.reject(new Error('came in')), 20)
    await expect(never).rejects.toMatchObject({ code: 'busy' })
    await free()
    await expect(withFleetSlot(server.app, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    )
    expect(await Promise.all([1, 2, 3].map((n) => withFleetSlot(server.app, async () => n)))).toEqual([
      1, 2, 3,
    ])
  })

  test('are refused at once when the queue is full', async () => {
    server.clock.advance({ seconds: 6 })
    const free = occupy(2 + 50)
    for (const page of ['overview', 'usage', 'timeseries', 'kpis']) {
      const refused = await server.call('GET', `/metrics/${page}`, { as: staff, query: ALL })
      expect(refused).toMatchObject({ status: 503, body: { code: 'busy' } })
    }
    expect((await server.call('GET', '/metrics/orgs', { as: staff })).status).toBe(503)
    await free()
    expect((await server.call('GET', '/metrics/orgs', { as: staff })).status).toBe(200)
  })
})

describe('the CSV of organisations', () => {
  test('ranks organisations once, for any length', async () => {
    await server.sql.rows`
      insert into orgs (id, name, type, tier, currency, created_at)
      select 'org_' || lpad(n::text, 26, '0'), 'x', 'individual', 'individual', 'NGN', now() from generate_series(1, 1100) n`
    let ranked = 0
    const watched = (tx: Tx): Tx => ({
      ...tx,
      rows(text, ...values) {
        if (text.join('').includes('ranked as')) ranked++
        return tx.rows(text, ...values)
      },
    })
    const { db } = server.app
    const app: App = {
      ...server.app,
      db: { ...db, tx: (reach, work) => db.tx(reach, (tx) => work(watched(tx))) },
    }
    const { csv, nextCursor } = await exportOrgs(app, { sort: 'revenue' })
    const ids = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    const all = await server.sql.rows<{ id: string }>`select id from orgs`
    expect([ids.length, new Set(ids).size, nextCursor]).toEqual([all.length, all.length, null])
    expect(ranked).toBe(1)
  })
})

describe('a sum in kobo beyond 64 bits', () => {
  const OVERFLOWING = INT64_MAX / 5n
  let rich: Person
  beforeAll(async () => {
    rich = await server.person()
    await server.sql.rows`update orgs set currency = 'USD' where id = ${rich.orgId}`
    await server.sql.rows`
      insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
      values (${newId('use')}, ${rich.orgId}, ${rich.userId}, ${server.clock.now()}, 'open', 'm', 'agent', 1, ${OVERFLOWING})`
    server.clock.advance({ seconds: 6 })
  })

  test.for([
    { page: 'usage', expected: { totals: { costMinor: INT64_MAX } } },
    { page: 'overview', expected: { usage: { last30Days: { costMinor: INT64_MAX } } } },
    { page: 'kpis', expected: { margin: [{ revenueMinor: INT64_MAX }, { revenueMinor: 0n }] } },
  ])('is clamped to the largest number and marked ($page)', async ({ page, expected }) => {
    const get = (as: Person, query: Record<string, string>) =>
      server.call('GET', `/metrics/${page}`, { as, query })
    expect(await get(staff, ALL)).toMatchObject({
      status: 200,
      body: { scope: 'all', clamped: true, ...expected },
    })
    expect(await get(rich, {})).toMatchObject({ status: 200, body: { scope: 'org', clamped: false } })
  })
})
