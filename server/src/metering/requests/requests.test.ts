import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { purgeRequests } from './purge.ts'
import { flushRequestLog, recordRequest } from './request-log.ts'
import { NO_TOKENS, type RequestRecord } from './request-row.ts'

const SCHEDULES = ['metering.', 'wallet.']

type Row = {
  id: string
  at: string
  orgId: string
  keyId: string | null
  userId: string | null
  model: string
  costMinor: bigint
  status: number
  code: string | null
}
type Page = { requests: Row[]; nextCursor: string | null }
type Summary = {
  currency: string
  buckets: {
    at: string
    requests: number
    errors: number
    costMinor: bigint
    tokens: Record<string, number>
    durationMs: { p50: number; p95: number } | null
    ttftMs: { p50: number; p95: number } | null
  }[]
}

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
})
beforeEach(async () => {
  ada = await server.person({ type: 'team' })
  // The clock of each test starts later than all rows of the tests before it.
  server.clock.advance({ days: 1 })
})
afterAll(() => server.close())

const CALL = {
  keyId: null,
  route: 'POST /v1/chat/completions',
  model: 'open',
  provider: 'default',
  tokens: { input: 900, cachedInput: 100, cacheWrite: 50, output: 250 },
  costMinor: 117n,
  exactCost: null,
  ttftMs: 80,
  durationMs: 1_200,
  status: 200,
  code: null,
  requestId: null,
  ledgerId: null,
}
const REFUSED = { status: 402, code: 'insufficient_funds', tokens: NO_TOKENS, costMinor: 0n, ttftMs: null }

function record(person: Person, changes: Partial<RequestRecord> = {}, app: App = server.app): void {
  recordRequest(app, { ...CALL, orgId: person.orgId, userId: person.userId, ...changes })
}

/** One row per second, oldest first. */
async function recordEach(person: Person, changes: readonly Partial<RequestRecord>[]): Promise<void> {
  for (const each of changes) {
    server.clock.advance({ seconds: 1 })
    record(person, each)
  }
  await flushRequestLog(server.app)
}

const list = (as: { bearer: string }, query: Record<string, string> = {}) =>
  server.call<Page>('GET', '/usage/requests', { as, query })
const summary = (as: { bearer: string }, query: Record<string, string> = {}) =>
  server.call<Summary>('GET', '/usage/requests/summary', { as, query })
const models = async (as: { bearer: string }, query: Record<string, string> = {}) =>
  (await list(as, query)).body.requests.map(({ model }) => model)

describe('GET /usage/requests', () => {
  test('returns every field of a call, newest first', async () => {
    const key = await server.key(ada, ['metrics:read'])
    const full = {
      keyId: key.id,
      requestId: newId('req'),
      ledgerId: newId('led'),
      model: 'claude-x',
      exactCost: '116.3',
    }
    await recordEach(ada, [full, REFUSED])
    const { status, body } = await list(key)
    expect(status).toBe(200)
    expect(body).toEqual({
      requests: [
        expect.objectContaining({ status: 402, code: 'insufficient_funds', costMinor: 0n, ttftMs: null }),
        {
          id: expect.stringMatching(/^rql_/),
          at: '2026-11-16T09:00:01.000Z',
          orgId: ada.orgId,
          currency: 'NGN',
          keyId: key.id,
          userId: ada.userId,
          route: 'POST /v1/chat/completions',
          model: 'claude-x',
          provider: 'default',
          tokens: { input: 900, cachedInput: 100, cacheWrite: 50, output: 250 },
          costMinor: 117n,
          ttftMs: 80,
          durationMs: 1200,
          status: 200,
          code: null,
          requestId: full.requestId,
          ledgerId: full.ledgerId,
          exactCost: '116.3',
        },
      ],
      nextCursor: null,
    })
  })

  test('pages without gaps or repeats, also for calls of the same millisecond', async () => {
    for (let row = 0; row < 7; row++) record(ada, { model: `m${row}` })
    await flushRequestLog(server.app)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: Page } = await list(ada, { limit: '3', ...(cursor && { cursor }) })
      seen.push(...body.requests.map(({ model }) => model))
      cursor = body.nextCursor
    }
    expect(seen.toSorted()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'])
  })

  test('filters by every field', async () => {
    const [keyId, requestId] = [newId('key'), newId('req')]
    await recordEach(ada, [
      { model: 'a', keyId },
      { model: 'b', provider: 'elsewhere' },
      { model: 'c', route: 'agent.run', costMinor: 5_000n },
      { ...REFUSED, model: 'd' },
      { model: 'e', requestId, userId: null },
      { model: 'f', status: 502, code: 'upstream_failed' },
    ])
    const from = server.clock.now().toISOString()
    const cases: [query: Record<string, string>, found: string[]][] = [
      [{ keyId }, ['a']],
      [{ provider: 'elsewhere' }, ['b']],
      [{ route: 'agent.run' }, ['c']],
      [{ minCostMinor: '5000' }, ['c']],
      [{ status: 'failed' }, ['f', 'd']],
      [{ status: '402' }, ['d']],
      [{ status: 'success' }, ['e', 'c', 'b', 'a']],
      [{ code: 'upstream_failed' }, ['f']],
      [{ requestId }, ['e']],
      [{ model: 'b' }, ['b']],
      [{ userId: ada.userId, status: 'success' }, ['c', 'b', 'a']],
      [{ from }, ['f']],
      [{ to: from, status: 'failed' }, ['d']],
    ]
    for (const [query, found] of cases) expect(await models(ada, query), JSON.stringify(query)).toEqual(found)
  })

  test('with `after` returns later rows, oldest first, once no earlier row can arrive', async () => {
    await recordEach(ada, [{ model: 'a' }, { model: 'b' }, { model: 'c' }])
    const [, , first] = (await list(ada)).body.requests
    const follow = (query: Record<string, string> = {}) => models(ada, { after: first?.id ?? '', ...query })
    expect(await follow()).toEqual([])
    server.clock.advance({ seconds: 3 })
    expect(await follow()).toEqual(['b', 'c'])
    expect(await follow({ limit: '1' })).toEqual(['b'])
    // The row itself may be deleted by then.
    await server.sql.rows`delete from request_log where id = ${first?.id ?? ''}`
    expect(await follow()).toEqual(['b', 'c'])
  })

  test.for<[string, Record<string, string>]>([
    ['an id of another kind', { after: newId('req') }],
    ['a cursor beside `after`', { after: newId('rql'), cursor: 'x' }],
    ['an unknown status', { status: 'odd' }],
    ['a cost that is no number', { minCostMinor: '1.5' }],
    ['an organisation beside all of them', { scope: 'all', orgId: newId('org') }],
  ])('rejects %s', async ([, query]) => {
    const staff = await server.person({ staff: 'support' })
    expect(await list(staff, query)).toMatchObject({ status: 400 })
  })
})

describe('access', () => {
  test('members see their own calls, admins and owners those of the organisation', async () => {
    const [member, admin] = [
      await server.member(ada.orgId, 'member'),
      await server.member(ada.orgId, 'admin'),
    ]
    record(member, { model: 'of the member' })
    await recordEach(ada, [{ model: 'of the owner' }, { model: 'of a job', userId: null }])
    const all = ['of a job', 'of the owner', 'of the member']
    expect(await models(ada)).toEqual(all)
    expect(await models(admin)).toEqual(all)
    expect(await models(admin, { userId: member.userId })).toEqual(['of the member'])
    expect(await models(member)).toEqual(['of the member'])
    expect(await list(member, { userId: ada.userId })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    const { body } = await summary(member)
    expect(body.buckets.reduce((sum, { requests }) => sum + requests, 0)).toBe(1)
  })

  test('a key needs the scope metrics:read', async () => {
    expect((await list(await server.key(ada, ['agent:run']))).status).toBe(403)
  })

  test('no other organisation is visible, except to staff', async () => {
    const [bola, staff] = [await server.person(), await server.person({ staff: 'support' })]
    record(bola, { model: 'of bola' })
    await recordEach(ada, [{ model: 'of ada' }])
    expect(await models(ada)).toEqual(['of ada'])
    expect(await list(ada, { orgId: bola.orgId })).toMatchObject({
      status: 403,
      body: { code: 'staff_only' },
    })
    expect(await list(ada, { scope: 'all' })).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    expect(await summary(ada, { scope: 'all' })).toMatchObject({ status: 403 })
    expect(await models(staff)).toEqual([])
    expect(await models(staff, { orgId: bola.orgId })).toEqual(['of bola'])
    expect((await models(staff, { scope: 'all' })).slice(0, 2)).toEqual(['of ada', 'of bola'])
    expect((await list(staff, { orgId: newId('org') })).status).toBe(404)
    // Row-level security holds without the filter of the statement.
    const visible = await server.app.db.tx(
      ada.orgId,
      (tx) => tx.rows<{ model: string }>`select model from request_log`,
    )
    expect(visible).toEqual([{ model: 'of ada' }])
  })
})

describe('the CSV file', () => {
  const csv = (as: { bearer: string }, query: Record<string, string> = {}, headers = {}) =>
    server.call('GET', '/usage/requests', { as, query, headers })

  test('has the filtered rows, and its texts are no formulas', async () => {
    await recordEach(ada, [{ requestId: '=cmd|calc', model: 'a,b' }, REFUSED])
    for (const { headers, text } of [
      await csv(ada, { status: 'success' }, { accept: 'text/csv' }),
      await csv(ada, { status: 'success', format: 'csv' }),
    ]) {
      expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8; header=present' })
      const [heading, row, end] = text.split('\r\n')
      expect(heading).toBe(
        'at,id,orgId,keyId,userId,route,model,provider,inputTokens,cachedInputTokens,cacheWriteTokens,outputTokens,costMinor,currency,ttftMs,durationMs,status,code,requestId,ledgerId,exactCost',
      )
      expect(row).toMatch(/,"a,b",default,900,100,50,250,117,NGN,80,1200,200,,'=cmd\|calc,,$/)
      expect(end).toBe('')
    }
  })

  test('has 10 000 rows at most and a cursor for the rest', async () => {
    await server.sql.rows`
      insert into request_log (org_id, at, id, user_id, route, model, input_tokens, cached_input_tokens, cache_write_tokens,
        output_tokens, cost_minor, duration_ms, status)
      select ${ada.orgId}, ${server.clock.now()}::timestamptz - n * interval '1 second', 'rql_' || n, ${ada.userId}, 'chat', 'm',
        1, 0, 0, 1, 1, 5, 200 from generate_series(1, 10003) n`
    const first = await csv(ada, { format: 'csv' })
    expect(first.text.match(/\r\n/g)).toHaveLength(10_001)
    const rest = await csv(ada, { format: 'csv', cursor: first.headers['x-next-cursor'] ?? '' })
    expect(rest.text.match(/\r\n/g)).toHaveLength(4)
    expect(rest.headers).not.toHaveProperty('x-next-cursor')
  })
})

describe('the summary', () => {
  test('has every hour, with errors, cost, tokens and percentiles of successful calls', async () => {
    const start = server.clock.now().toISOString()
    await recordEach(
      ada,
      Array.from({ length: 20 }, (_, n) => ({ durationMs: 100 * (n + 1), ttftMs: n + 1 })),
    )
    await recordEach(ada, [{ ...REFUSED, durationMs: 1 }])
    server.clock.advance({ hours: 2 })
    record(ada, { ttftMs: null })
    await flushRequestLog(server.app)
    server.clock.advance({ minutes: 1 })
    const { body } = await summary(ada, { bucket: 'hour', from: start })
    expect(body.buckets.map(({ requests }) => requests)).toEqual([21, 0, 1])
    expect(body.currency).toBe('NGN')
    expect(body.buckets[0]).toEqual({
      at: `${start.slice(0, 13)}:00:00.000Z`,
      requests: 21,
      errors: 1,
      costMinor: 2_340n,
      tokens: { input: 18_000, cachedInput: 2_000, cacheWrite: 1_000, output: 5_000 },
      durationMs: { p50: 1_000, p95: 1_900 },
      ttftMs: { p50: 10, p95: 19 },
    })
    expect(body.buckets[2]).toMatchObject({ durationMs: { p50: 1_200, p95: 1_200 }, ttftMs: null })
    expect((await summary(ada, { status: 'failed' })).body.buckets.at(-1)).toMatchObject({ requests: 1 })
  })

  test('of all organisations is in kobo', async () => {
    const [kenyan, staff] = [await server.person(), await server.person({ staff: 'billing' })]
    await server.sql.rows`update orgs set currency = 'KES' where id = ${kenyan.orgId}`
    await server.sql.rows`update wallets set currency = 'KES' where org_id = ${kenyan.orgId}`
    const from = server.clock.now().toISOString()
    record(kenyan, { costMinor: 89n })
    await recordEach(ada, [{ costMinor: 1n }])
    server.clock.advance({ seconds: 1 })
    const { body } = await summary(staff, { scope: 'all', bucket: 'hour', from })
    expect(body).toMatchObject({ currency: 'NGN', orgId: null, buckets: [{ costMinor: 1_001n }] })
  })

  test.for<[string, Record<string, string>]>([
    ['hours of more than 14 days', { bucket: 'hour', from: '2026-11-01', to: '2026-11-16' }],
    ['days of more than 400 days', { from: '2025-01-01', to: '2026-11-16' }],
    ['a range that ends before it begins', { from: '2026-11-16', to: '2026-11-15' }],
  ])('rejects %s', async ([, query]) => {
    expect((await summary(ada, query)).status).toBe(400)
  })
})

test('old rows of the first partition are deleted, and all old rows below 31 days', async () => {
  await recordEach(ada, [{ model: 'in the first partition' }, { model: 'old' }])
  await server.sql.rows`
    update request_log set at = '2020-01-01Z' where org_id = ${ada.orgId} and model = 'in the first partition'`
  server.clock.advance({ days: 90 })
  await recordEach(ada, [{ model: 'new' }])
  await purgeRequests.run(server.app, work())
  expect(await stored(ada)).not.toContain('in the first partition')
  expect(await models(ada)).toEqual(['new'])
  const admin = await server.person({ staff: 'super_admin' })
  await server.call('PUT', '/admin/settings/usage_log_days', { as: admin, body: { value: 1 } })
  await server.app.settings.refresh()
  server.clock.advance({ days: 1, seconds: 1 })
  await purgeRequests.run(server.app, work())
  expect(await stored(ada)).toEqual([])
})

test('rows past the days of the setting are not shown, even while they are stored', async () => {
  await recordEach(ada, [{ model: 'old' }])
  server.clock.advance({ days: 91 })
  await recordEach(ada, [{ model: 'new' }])
  expect(await models(ada)).toEqual(['new'])
  expect(await stored(ada)).toEqual(['new', 'old'])
})

async function stored({ orgId }: Person): Promise<string[]> {
  const rows = await server.sql.rows<{ model: string }>`
    select model from request_log where org_id = ${orgId} order by model`
  return rows.map(({ model }) => model)
}

test('the rows of a closed organisation are deleted, and those of others stay', async () => {
  const bola = await server.person()
  record(bola, { model: 'of bola' })
  await recordEach(ada, [{ model: 'of ada' }])
  const [data] = server.app.tenantData.filter(({ tables = [] }) => tables.includes('request_log'))
  await data?.erase?.(server.app, ada.orgId)
  expect(await models(ada)).toEqual([])
  expect(await models(bola)).toEqual(['of bola'])
})

test('two replicas write to one log, and a stopping replica stores its last rows', async () => {
  const other = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
  record(ada, { model: 'here' })
  record(ada, { model: 'there' }, other.app)
  await flushRequestLog(server.app)
  expect(await models(ada)).toEqual(['here'])
  await other.service.close()
  expect((await models(ada)).toSorted()).toEqual(['here', 'there'])
})

test('a flood beyond the buffer never fails the caller, and every lost row is counted', async () => {
  for (let row = 0; row < 6_000; row++) record(ada)
  await flushRequestLog(server.app)
  const { stored } = await server.sql.one<{ stored: bigint }>`
    select count(*) as stored from request_log where org_id = ${ada.orgId}`
  const text = await server.app.metrics.exposition()
  const [, lost = '0'] = /cowrie_request_log_lost_rows_total\{reason="overflow"\} (\d+)/.exec(text) ?? []
  expect(Number(lost)).toBe(1_000)
  expect(Number(stored)).toBe(5_000)
  expect(server.logged.filter((line) => line.includes('metering.request_log.rows_lost'))).toHaveLength(1)
})

const work = () => ({ signal: new AbortController().signal }) as never
