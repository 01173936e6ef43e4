import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { closeGate, gates, PROBE_TABLES, probe, reachedGates } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let replica: TestServer
let owner: Person

beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  replica = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
  owner = await server.person()
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const spend = (key: string | null, body: object, on = server, as = owner) =>
  on.call('POST', '/probe/spend', { as, body, headers: key === null ? {} : { 'idempotency-key': key } })
const spends = async () =>
  (await server.sql.one<{ n: number }>`select count(*)::int as n from probe_spends`).n

describe('the same key and body', () => {
  test('run once and return the same bytes with the replay header', async () => {
    const before = await spends()
    const first = await spend('same', { amountMinor: 9007199254740993n })
    const again = await spend('same', { amountMinor: 9007199254740993n })
    const elsewhere = await spend('same', { amountMinor: 9007199254740993n }, replica)
    expect(first.status).toBe(200)
    expect(first.body.amountMinor).toBe(9007199254740993n)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    for (const replay of [again, elsewhere]) {
      expect(replay.text).toBe(first.text)
      expect(replay.status).toBe(first.status)
      expect(replay.headers['content-type']).toBe(first.headers['content-type'])
      expect(replay.headers['idempotency-replayed']).toBe('true')
    }
    expect(await spends()).toBe(before + 1)
  })

  test('with fields in another order are the same body', async () => {
    const first = await spend('order', { amountMinor: 5n, note: 'a' })
    const again = await spend('order', { note: 'a', amountMinor: 5n })
    expect(again.text).toBe(first.text)
  })

  test('fifty times at once on two replicas have one effect, and each response is that or a conflict', async () => {
    const before = await spends()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => spend('storm', { amountMinor: 7n }, i % 2 ? server : replica)),
    )
    const done = replies.filter((reply) => reply.status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map((reply) => reply.text)).size).toBe(1)
    for (const reply of replies.filter((other) => other.status !== 200))
      expect(reply).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    expect(await spends()).toBe(before + 1)
  })

  test('return 409 with a retry delay while the first call runs', async () => {
    const open = closeGate('running')
    const first = spend('running', { amountMinor: 3n, wait: 'running' })
    await expect
      .poll(() => server.sql.rows`select 1 from idempotency_keys where key = 'running'`)
      .toHaveLength(1)
    const second = await spend('running', { amountMinor: 3n, wait: 'running' }, replica)
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    expect(second.headers['retry-after']).toBeDefined()
    open()
    expect((await first).status).toBe(200)
  })
})

test('the same key with another body is rejected and changes nothing', async () => {
  await spend('reused', { amountMinor: 1n })
  const before = await spends()
  expect(await spend('reused', { amountMinor: 2n })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(await spends()).toBe(before)
})

test('the same key of another user is another key', async () => {
  const other = await server.person()
  const first = await spend('shared name', { amountMinor: 1n }).then(() =>
    spend('shared-name', { amountMinor: 1n }),
  )
  const second = await spend('shared-name', { amountMinor: 1n }, server, other)
  expect(second.status).toBe(200)
  expect(second.headers['idempotency-replayed']).toBeUndefined()
  expect(second.body.id).not.toBe(first.body.id)
})

describe('a failure', () => {
  test('that is final is stored and replayed', async () => {
    const first = await spend('refused', { amountMinor: 1n, fail: 'refuse' })
    const again = await spend('refused', { amountMinor: 1n, fail: 'refuse' })
    expect(first.status).toBe(404)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
  })

  test.for(['break', 'busy'] as const)(
    'of the service (%s) frees the key, keeps its reference and has no effect',
    async (fail) => {
      const before = await spends()
      const first = await spend(`ours-${fail}`, { amountMinor: 1n, fail })
      expect(first.status).toBe(fail === 'break' ? 500 : 503)
      expect(await spends()).toBe(before)
      const held = await server.sql.one<{
        state: string
        id: string
      }>`select state, id from idempotency_keys where key = ${`ours-${fail}`}`
      expect(held.state).toBe('free')
      await spend(`ours-${fail}`, { amountMinor: 1n, fail })
      const after = await server.sql.one<{
        id: string
        fence: bigint
      }>`select id, fence from idempotency_keys where key = ${`ours-${fail}`}`
      expect(after).toEqual({ id: held.id, fence: 2n })
    },
  )

  test('of validation is not stored: the corrected call runs under the same key', async () => {
    expect((await spend('fixed', { amountMinor: '1' })).status).toBe(400)
    expect((await spend('fixed', { amountMinor: 1n })).status).toBe(200)
  })
})

describe('a key left running by a crashed process', () => {
  const abandon = (key: string) => server.sql.rows`
    insert into idempotency_keys (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at)
    select user_id, route, ${key}, 'idem_' || ${key}, fingerprint, 'running', 1, ${server.clock.now()}, ${server.clock.now()}
    from idempotency_keys where key = 'pattern'`

  test('is kept until it is stale and then taken over, with the same reference', async () => {
    await spend('pattern', { amountMinor: 11n })
    await abandon('lost')
    const early = await spend('lost', { amountMinor: 11n })
    expect(early.status).toBe(409)
    expect(early.headers['retry-after']).toBe('900')
    server.clock.advance({ minutes: 16 })
    const taken = await spend('lost', { amountMinor: 11n })
    expect(taken).toMatchObject({ status: 200, body: { id: 'idem_lost' } })
  })

  test('cannot be committed by its first owner after a takeover', async () => {
    const open = closeGate('overtaken')
    const first = spend('overtaken', { amountMinor: 12n, wait: 'overtaken' })
    // Wait until the first call is inside its handler. Otherwise it would pass the gate of the second.
    await expect.poll(() => reachedGates.has('overtaken')).toBe(true)
    const before = await spends()
    server.clock.advance({ minutes: 16 })
    // The gate of the second call is open.
    gates.set('overtaken', Promise.resolve())
    const second = await spend('overtaken', { amountMinor: 12n, wait: 'overtaken' }, replica)
    open()
    expect(second.status).toBe(200)
    expect((await first).status).not.toBe(200)
    expect(await spends()).toBe(before + 1)
    expect((await spend('overtaken', { amountMinor: 12n, wait: 'overtaken' })).text).toBe(second.text)
  })
})

describe('a stream', () => {
  const stream = (key: string, body: object) =>
    server.call('POST', '/probe/stream', { as: owner, body, headers: { 'idempotency-key': key } })

  test('is replayed as its stored last frame', async () => {
    const first = await stream('stream', { frames: 3 })
    const before = await spends()
    const again = await stream('stream', { frames: 3 })
    const frames = first.text.split('\n\n').filter(Boolean)
    expect(frames).toHaveLength(4)
    expect(again.text).toBe(`${frames[3]}\n\n`)
    expect(again.headers['content-type']).toContain('text/event-stream')
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await spends()).toBe(before)
  })

  test('that is rejected before it starts returns JSON, and one that fails ends with an error frame', async () => {
    expect(await stream('early', { frames: 1, fail: 'before' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    const broken = await stream('late', { frames: 1, fail: 'during' })
    expect(broken.status).toBe(200)
    expect(broken.text.trimEnd().split('\n\n').at(-1)).toContain('"code":"internal"')
    expect(
      await server.sql.rows`select 1 from idempotency_keys where key = 'late' and state = 'free'`,
    ).toHaveLength(1)
  })
})

describe('the key itself', () => {
  test.for([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['a space inside', 'a b'],
    ['not ASCII', 'clé'],
  ])('is rejected when it is %s', async ([, key]) => {
    const reply = await spend(key ?? '', { amountMinor: 1n })
    expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } })
  })

  test('is required on its routes', async () => {
    const staff = await server.person({ staff: 'billing' })
    const reply = await server.call('POST', '/probe/refund', { as: staff, body: { amountMinor: 1n } })
    expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })
})

test('outcomes are deleted after a week and not before', async () => {
  const { sweep } = await import('./sql.ts')
  await spend('old', { amountMinor: 1n })
  const at = server.clock.now()
  expect(await sweep(server.app.db.direct, new Date(at.getTime() - 60_000_000), 10_000)).toBe(0)
  expect(await sweep(server.app.db.direct, new Date(at.getTime() + 1), 10_000)).toBeGreaterThan(0)
})
