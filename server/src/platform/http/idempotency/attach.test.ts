import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { closeGate, PROBE_TABLES, probe, renewals } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let replica: TestServer
let owner: Person
let address: string
let elsewhere: string

beforeAll(async () => {
  server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  replica = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
  owner = await server.person()
  address = await server.listen()
  elsewhere = await replica.listen()
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const post = (path: string, key: string, body: object, init: { at?: string; signal?: AbortSignal } = {}) =>
  fetch(`${init.at ?? address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: init.signal ?? null,
  })

const isDetached = async (key: string) =>
  (await server.sql.rows`select 1 from idempotency_keys where key = ${key} and detached_at is not null`)
    .length === 1
const spends = async () =>
  (await server.sql.one<{ n: number }>`select count(*)::int as n from probe_spends`).n

/** A request whose client disconnects in the middle. */
async function lost(path: string, key: string, body: object): Promise<void> {
  const caller = new AbortController()
  const first = post(path, key, body, { signal: caller.signal }).then((reply) => reply.text())
  await expect
    .poll(() => server.sql.rows`select 1 from idempotency_keys where key = ${key} and state = 'running'`)
    .toHaveLength(1)
  caller.abort()
  await expect(first).rejects.toThrow()
  await expect.poll(() => isDetached(key)).toBe(true)
}

describe('a client that reconnects with the key', () => {
  test.for(['here', 'on another replica'])(
    '%s receives the last frame of the stream that continued',
    async (where) => {
      const before = await spends()
      const key = `stream ${where}`.replaceAll(' ', '-')
      const body = { frames: 2, wait: key }
      const open = closeGate(key)
      await lost('/probe/stream', key, body)
      const again = post('/probe/stream', key, body, { at: where === 'here' ? address : elsewhere })
      const reply = await again
      expect(reply.headers.get('content-type')).toContain('text/event-stream')
      open()
      const text = await reply.text()
      expect(text).toContain('"done":true')
      expect(await spends()).toBe(before + 1)
      // The stored reply equals the one that the waiting client received.
      expect(await (await post('/probe/stream', key, body)).text()).toBe(text)
    },
  )

  test('receives the reply of a call without a stream', async () => {
    const before = await spends()
    const body = { amountMinor: 5, wait: 'json' }
    const open = closeGate('json')
    await lost('/probe/spend', 'json', body)
    const again = post('/probe/spend', 'json', body, { at: elsewhere })
    open()
    const reply = await again
    expect(reply.status).toBe(200)
    expect(reply.headers.get('idempotency-replayed')).toBe('true')
    expect(await reply.json()).toMatchObject({ amountMinor: 5 })
    expect(await spends()).toBe(before + 1)
  })

  test('repeats the work when the first call failed', async () => {
    const before = await spends()
    const body = { frames: 0, wait: 'broken', fail: 'during' }
    const open = closeGate('broken')
    await lost('/probe/stream', 'broken', body)
    const again = post('/probe/stream', 'broken', body)
    await again
    open()
    expect(await (await again).text()).toContain('"code":"internal"')
    expect(await spends()).toBe(before)
  })

  test('is one of at most three that wait for the same outcome', async () => {
    const body = { frames: 1, wait: 'crowd' }
    const open = closeGate('crowd')
    await lost('/probe/stream', 'crowd', body)
    const waiting = await Promise.all([1, 2, 3].map(() => post('/probe/stream', 'crowd', body)))
    expect(waiting.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await post('/probe/stream', 'crowd', body)).status).toBe(409)
    open()
    const texts = await Promise.all(waiting.map((reply) => reply.text()))
    expect(new Set(texts).size).toBe(1)
  })

  test('with another body is rejected', async () => {
    const open = closeGate('other')
    await lost('/probe/stream', 'other', { frames: 1, wait: 'other' })
    expect((await post('/probe/stream', 'other', { frames: 3, wait: 'other' })).status).toBe(422)
    open()
  })
})

test('a key of work that is still running is not taken over, however long it takes', async () => {
  const open = closeGate('long')
  const body = { frames: 1, wait: 'long', renew: true }
  const first = await post('/probe/stream', 'long', body)
  const claimedAt = async () =>
    (await server.sql.one<{ at: Date }>`select claimed_at as at from idempotency_keys where key = 'long'`).at
  const begun = await claimedAt()
  server.clock.advance({ minutes: 16 })
  renewals.get('long')?.()
  await expect.poll(claimedAt).not.toEqual(begun)
  expect((await post('/probe/stream', 'long', body, { at: elsewhere })).status).toBe(409)
  open()
  expect(await first.text()).toContain('"done":true')
})

test('a second caller is rejected while the first is still connected', async () => {
  const open = closeGate('connected')
  const body = { frames: 1, wait: 'connected' }
  const first = await post('/probe/stream', 'connected', body)
  expect((await post('/probe/stream', 'connected', body, { at: elsewhere })).status).toBe(409)
  open()
  expect(await first.text()).toContain('"done":true')
})
