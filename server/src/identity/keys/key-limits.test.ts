import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

type Made = { id: string; key: string }
type Listed = Record<string, unknown> & { id: string; spentMinor: bigint; budgetLeftMinor: bigint | null }
type By = { bearer: string }

let upstream: FakeUpstream
let server: TestServer
/** Trusts the proxy in front of it. */
let replica: TestServer
let owner: Person
let member: Person

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const variables = { SERVICE_UPSTREAM_BASE_URL: upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' }
  server = await startTestServer({ variables })
  replica = await startTestServer({
    url: server.url,
    clock: server.clock,
    variables: { ...variables, TRUST_PROXY: '127.0.0.1' },
  })
})
afterAll(async () => {
  await replica.close()
  await server.close()
  await upstream.close()
})
beforeEach(async () => {
  owner = await server.person({ type: 'team' })
  member = await server.member(owner.orgId, 'member')
  await giveCredit(server, owner.orgId, 1_000_000n)
  upstream.reset()
  upstream.fallback(() => ({ text: 'Yes.', usage: { prompt_tokens: 40, completion_tokens: 60 } }))
})

const ALL = ['agent:run', 'wallet:read', 'keys:manage']
const create = (as: By, body: object) =>
  server.call<Made & Listed & { code?: string }>('POST', '/auth/keys', {
    as,
    body: { name: 'a key', scopes: ALL, ...body },
  })
const change = (as: By, id: string, body: object) =>
  server.call<Listed & { code?: string }>('PATCH', `/auth/keys/${id}`, { as, body })
const listed = async (as: By, id: string) => {
  const { body } = await server.call<{ keys: Listed[] }>('GET', '/auth/keys', { as })
  return body.keys.find((key) => key.id === id)
}
async function make(as: By, body: object = {}): Promise<By & { id: string }> {
  const { body: made } = await create(as, body)
  return { bearer: made.key, id: made.id }
}
const me = async (as: By, on = server, headers: Record<string, string> = {}) =>
  (await on.call('GET', '/me', { as, headers })).status
const complete = (as: By, on = server) =>
  on.call<{ error?: { code: string; message: string; requiredMinor: bigint; availableMinor: bigint } }>(
    'POST',
    '/v1/chat/completions',
    { as, body: { model: 'open', max_tokens: 200, messages: [{ role: 'user', content: 'Is it?' }] } },
  )
const trail = (action: string) =>
  server.sql.rows<{ target: string; metadata: object; ip: string }>`
    select target, metadata, ip from audit_entries
    where org_id = ${owner.orgId} and action = ${action} order by seq`

describe('the limits of a key', () => {
  const LIMITS = {
    ...{ budgetMinor: 5000n, budgetPeriod: 'week', models: ['open', 'claude-*'], requestsPerMinute: 100 },
    ...{ tokensPerMinute: 9000, allowedAddresses: ['127.0.0.1', '2001:db8::/32', '10.0.0.0/8'] },
  }

  test('are stored at creation, shown in lists, and changed or removed one by one', async () => {
    const { status, body } = await create(member, LIMITS)
    expect([status, body]).toMatchObject([200, { ...LIMITS, spentMinor: 0n, budgetLeftMinor: 5000n }])
    expect(await listed(member, body.id)).toMatchObject({ ...LIMITS, budgetLeftMinor: 5000n })
    const changed = await change(member, body.id, { name: 'renamed', budgetMinor: 7000, models: null })
    const after = { ...LIMITS, name: 'renamed', budgetMinor: 7000n, models: null, budgetLeftMinor: 7000n }
    expect([changed.status, changed.body]).toMatchObject([200, after])
    const removed = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, null]))
    const { budgetPeriod: _, ...nullable } = removed
    await change(owner, body.id, nullable)
    const bare = { ...nullable, name: 'renamed', budgetPeriod: 'week', budgetLeftMinor: null }
    expect(await listed(member, body.id)).toMatchObject(bare)
    expect(await trail('keys.change')).toMatchObject([
      {
        target: body.id,
        metadata: {
          before: { name: 'a key', budgetMinor: 5000n, models: LIMITS.models },
          after: { name: 'renamed', budgetMinor: 7000n, models: null },
        },
      },
      { metadata: { after: { budgetMinor: null } } },
    ])
  })

  test.for([
    [{ budgetMinor: -1 }, 'budgetMinor'],
    [{ budgetMinor: 1.5 }, 'budgetMinor'],
    [{ budgetPeriod: 'year' }, 'budgetPeriod'],
    [{ models: [] }, 'models'],
    [{ models: ['a*b'] }, 'models.0'],
    [{ requestsPerMinute: 0 }, 'requestsPerMinute'],
    [{ tokensPerMinute: 1.5 }, 'tokensPerMinute'],
    [{ allowedAddresses: ['10.0.0.0/33'] }, 'allowedAddresses.0'],
    [{ allowedAddresses: ['10.0.0.1', 'example.com'] }, 'allowedAddresses.1'],
    [{ allowedAddresses: ['10.0.0.1,10.0.0.2'] }, 'allowedAddresses.0'],
  ] as const)('%o is refused', async ([limit, path]) => {
    const reply = await create(member, limit)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields', fields: [{ path }] } })
  })

  test('can be changed by the holder and by admins, and by no one else', async () => {
    const { id } = await make(member)
    const other = await server.member(owner.orgId, 'member')
    const stranger = await server.person()
    const statuses = [member, owner, other, stranger].map(async (as) => {
      return (await change(as, id, { requestsPerMinute: 9 })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404])
    const reader = await server.key(member, ['wallet:read'])
    expect((await change(reader, id, {})).body.code).toBe('insufficient_scope')
    await server.call('DELETE', `/auth/keys/${id}`, { as: member })
    expect((await change(member, id, {})).status).toBe(404)
  })
})

describe('a key that a key created', () => {
  test('cannot have wider limits, and is changed only by keys above it', async () => {
    const limits = { budgetMinor: 1000, models: ['claude-*'], allowedAddresses: ['127.0.0.0/8'] }
    const parent = await make(member, limits)
    const wider = { budgetMinor: 1001, models: ['claude-opus', 'gpt-5'], allowedAddresses: ['10.0.0.1'] }
    const refused = await create(parent, wider)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect(refused.body.fields).toHaveLength(3)
    const within = { budgetMinor: 1000, models: ['claude-opus*'], allowedAddresses: ['127.0.0.1'] }
    const child = await make(parent, within)
    expect((await change(parent, child.id, { budgetMinor: 1001 })).status).toBe(400)
    expect((await change(parent, child.id, { budgetMinor: 900 })).status).toBe(200)
    const grandchild = await make(child)
    expect((await change(parent, grandchild.id, { requestsPerMinute: 5 })).status).toBe(200)
    for (const [by, id] of [
      [parent, parent.id],
      [child, parent.id],
      [child, child.id],
    ] as const)
      expect(await change(by, id, { budgetMinor: null })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
  })

  test('is under the present limits of the keys above it', async () => {
    const parent = await make(member)
    const child = await make(parent, { models: ['open', 'gpt-*'] })
    expect((await complete(child)).status).toBe(200)
    await change(member, parent.id, { models: ['claude-*'] })
    expect(await complete(child)).toMatchObject({
      status: 403,
      body: { error: { code: 'model_not_allowed' } },
    })
    const run = { as: child, body: { prompt: 'Explain it.' } }
    for (const path of ['/agent/run', '/agent/quote'])
      expect(await server.call('POST', path, run)).toMatchObject({
        status: 403,
        body: { code: 'model_not_allowed' },
      })
    await change(member, parent.id, { models: null, requestsPerMinute: 3 })
    expect([await me(child), await me(parent), await me(child), await me(child)]).toEqual([
      200, 200, 200, 429,
    ])
    await change(member, parent.id, { requestsPerMinute: null, allowedAddresses: ['192.0.2.1'] })
    expect([await me(child), await me(parent)]).toEqual([403, 403])
  })
})

describe('the budget of a key', () => {
  test('is what it can spend, whatever else is in the wallet, and starts again each day', async () => {
    // A call costs 9 kobo: 100 tokens at 90,000 kobo per million. It holds less than 27.
    const key = await make(member, { budgetMinor: 45, budgetPeriod: 'day' })
    expect([(await complete(key)).status, (await complete(key)).status]).toEqual([200, 200])
    expect(await listed(member, key.id)).toMatchObject({ spentMinor: 18n, budgetLeftMinor: 27n })
    const balance = await server.call<{ balanceMinor: bigint }>('GET', '/wallet', { as: owner })
    expect(balance.body.balanceMinor).toBe(999_982n)
    await change(member, key.id, { budgetMinor: 18 })
    const refused = await complete(key, replica)
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'key_budget_exceeded' } } })
    expect(refused.body.error).toMatchObject({ availableMinor: 0n })
    const quote = () => server.call('POST', '/agent/quote', { as: key, body: { prompt: 'Explain it.' } })
    expect((await quote()).body).toMatchObject({ availableMinor: 0n, affordable: false })
    server.clock.advance({ days: 1 })
    expect((await quote()).body).toMatchObject({ availableMinor: 18n })
    expect((await complete(key)).status).toBe(200)
    await change(member, key.id, { budgetPeriod: 'total' })
    expect(await listed(member, key.id)).toMatchObject({ spentMinor: 27n, budgetLeftMinor: 0n })
    expect((await complete(key)).status).toBe(402)
    expect((await complete(await make(member))).status).toBe(200)
  })

  test('is shared with the keys that it created, and a failed call returns its part', async () => {
    const parent = await make(member, { budgetMinor: 45 })
    const child = await make(parent)
    upstream.script({ status: 400, body: { error: { message: 'no' } } })
    expect((await complete(child)).status).toBeGreaterThanOrEqual(400)
    expect(await listed(member, parent.id)).toMatchObject({ spentMinor: 0n, budgetLeftMinor: 45n })
    await complete(child)
    await complete(parent)
    expect(await listed(member, parent.id)).toMatchObject({ spentMinor: 18n, budgetLeftMinor: 27n })
    expect(await listed(member, child.id)).toMatchObject({ spentMinor: 9n, budgetLeftMinor: null })
    await change(member, parent.id, { budgetMinor: 19 })
    expect((await complete(child)).status).toBe(402)
  })
})

describe('allowed addresses', () => {
  test('are compared with the client address, as trusted proxies report it', async () => {
    const key = await make(member, { allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'] })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    expect(await me(key)).toBe(403)
    expect(await me(key, server, from('198.51.100.7'))).toBe(403)
    expect(await me(key, replica, from('198.51.100.7'))).toBe(200)
    expect(await me(key, replica, from('2001:db8::7'))).toBe(200)
    expect(await me(key, replica, from('::ffff:198.51.100.7'))).toBe(200)
    expect(await me(key, replica, from('198.51.100.7, 203.0.113.1'))).toBe(403)
    expect(await me(key, replica, from('not an address'))).toBe(403)
    expect(await me(await make(member, { allowedAddresses: ['0.0.0.0/0'] }))).toBe(200)
  })

  test('are refused with one audit event per key and hour', async () => {
    const key = await make(member, { allowedAddresses: ['198.51.100.7'] })
    const refused = await server.call('GET', '/me', { as: key })
    expect(refused).toMatchObject({ status: 403, body: { code: 'address_not_allowed' } })
    expect(refused.text).toContain('127.0.0.1')
    await Promise.all([server, replica, server, replica].map((on) => me(key, on)))
    server.clock.advance({ minutes: 59 })
    await me(key)
    expect(await trail('keys.address_refused')).toMatchObject([{ target: key.id, ip: '127.0.0.1' }])
    server.clock.advance({ minutes: 2 })
    await Promise.all([server, replica].map((on) => me(key, on)))
    expect(await trail('keys.address_refused')).toHaveLength(2)
  })
})

describe('rates', () => {
  test('of requests are counted over two replicas and every route, and name the limit', async () => {
    const key = await make(member, { requestsPerMinute: 10 })
    const calls = Array.from({ length: 16 }, (_, i) =>
      (i % 2 ? server : replica).call('GET', i % 3 ? '/me' : '/wallet', { as: key }),
    )
    const replies = await Promise.all(calls)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = replies.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 'key_rate_limited' })
    expect(refused?.text).toContain('10 requests per minute')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(await me(member)).toBe(200)
    await change(member, key.id, { requestsPerMinute: 12 })
    expect([await me(key), await me(key, replica), await me(key)]).toEqual([200, 200, 429])
    server.clock.advance({ seconds: 61 })
    expect([await me(key), await me(key, replica)]).toEqual([200, 200])
  })

  test('of tokens let the call that reaches the limit end, and refuse later paid calls on each replica', async () => {
    // A call uses 100 tokens.
    const key = await make(member, { tokensPerMinute: 150 })
    expect([(await complete(key)).status, (await complete(key, replica)).status]).toEqual([200, 200])
    for (const on of [server, replica]) {
      const refused = await complete(key, on)
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'key_rate_limited' } } })
      expect(refused.body.error?.message).toContain('150 tokens per minute')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(await me(key, on)).toBe(200)
    }
    server.clock.advance({ seconds: 61 })
    expect((await complete(key)).status).toBe(200)
  })

  test('of tokens count work that is settled in a transaction, and the keys below', async () => {
    const parent = await make(member, { tokensPerMinute: 100 })
    const child = await make(parent)
    const run = await server.call('POST', '/agent/run', {
      as: child,
      body: { prompt: 'Explain it.' },
    })
    expect(run.status).toBe(200)
    expect([(await complete(child)).status, (await complete(parent)).status]).toEqual([429, 429])
  })
})
