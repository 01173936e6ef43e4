import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModel, getProvider, laneRoutes, listCatalogue } from './models.ts'

type Provider = { id: string; keyLast4: string | null; baseUrl: string; health: { status: string } }
type Field = { path: string; message: string }
type Refusal = { code: string; error: string; fields?: Field[]; models?: string[] }

const SECRET_KEY = 'sk-canary-0123456789-wxyz'

let server: TestServer
let replica: TestServer
let root: Person
let operator: Person
let support: Person
let customer: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  root = await server.person({ staff: 'super_admin' })
  operator = await server.person({ staff: 'operator' })
  support = await server.person({ staff: 'support' })
  customer = await server.person()
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const NEW_PROVIDER = { wire: 'openai', baseUrl: 'https://models.example.com/v1' }
const create = (name: string, body: object = {}, as = root) =>
  server.call<Provider & Refusal>('POST', '/admin/providers', {
    as,
    body: { name, ...NEW_PROVIDER, ...body },
  })
const change = (id: string, body: object, as = root) =>
  server.call<Provider & Refusal>('PATCH', `/admin/providers/${id}`, { as, body })
const providers = async (as = support) =>
  (await server.call<{ providers: Provider[] }>('GET', '/admin/providers', { as })).body.providers

const PRICE = { input: 100, output: 400, cachedInput: 10, cacheWrite: 125 }
const BODY = {
  lane: 'frontier',
  routes: [{ providerId: 'prv_default', upstreamModel: 'up-1' }],
  contextTokens: 200_000,
  outputTokens: 8_000,
  price: PRICE,
}
const put = (id: string, body: object = {}, as = root) =>
  server.call<Record<string, unknown> & Refusal>('PUT', `/admin/models/${encodeURIComponent(id)}`, {
    as,
    body: { ...BODY, ...body },
  })
const putLane = (id: string, body: object) =>
  server.call<Refusal>('PUT', `/admin/models/${id}`, { as: operator, body })
const remove = (path: string, as = operator) => server.call<Refusal>('DELETE', path, { as })
const fieldsOf = ({ body }: { body: Refusal }) => body.fields?.map(({ path }) => path)
const audited = (target: string) =>
  server.sql.rows<{ action: string; metadata: object }>`
    select action, metadata from audit_entries where target = ${target} order by created_at, seq`

describe('a provider', () => {
  test('is created, listed, changed and deleted, and each change is audited', async () => {
    const made = await create('first', {
      apiKey: SECRET_KEY,
      region: 'eu',
      baseUrl: 'https://a.example.com/v1/',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^prv_/),
        ...{ name: 'first', wire: 'openai', baseUrl: 'https://a.example.com/v1', region: 'eu', weight: 100 },
        ...{ enabled: true, builtIn: false, keyLast4: 'wxyz', health: { status: 'unknown', since: null } },
      },
    })
    const { id } = made.body
    expect(getProvider(server.app, id)?.target).toEqual({
      ...{ baseUrl: 'https://a.example.com/v1', apiKey: SECRET_KEY, wire: 'openai' },
    })
    expect((await change(id, { weight: 5, enabled: false }, operator)).body).toMatchObject({
      ...{ weight: 5, enabled: false, keyLast4: 'wxyz', health: { status: 'disabled' } },
    })
    expect(await providers()).toContainEqual(expect.objectContaining({ id, weight: 5 }))
    expect((await remove(`/admin/providers/${id}`)).status).toBe(200)
    expect((await remove(`/admin/providers/${id}`)).status).toBe(404)
    expect((await change(id, { weight: 6 })).status).toBe(404)
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      'admin.providers.create',
      'admin.providers.change',
      'admin.providers.delete',
    ])
  })

  test('never shows its key: not in replies, logs, audit events or the database', async () => {
    const { body, text } = await create('canary', { apiKey: SECRET_KEY })
    const listed = await server.call('GET', '/admin/providers', { as: root })
    const changed = await change(body.id, { apiKey: `${SECRET_KEY}-2` })
    await change(body.id, { apiKey: 'bad key' })
    const [stored] = await server.sql.rows<object>`select * from providers where id = ${body.id}`
    const everything = [text, listed.text, changed.text, JSON.stringify(stored), ...server.logged].join('\n')
    expect(everything + JSON.stringify(await audited(body.id))).not.toContain('sk-canary')
    expect(getProvider(server.app, body.id)?.target.apiKey).toBe(`${SECRET_KEY}-2`)
    expect((await audited(body.id)).at(-1)?.metadata).toMatchObject({ keyChanged: true })
  })

  test('loses its key when its address moves to another host without a new one', async () => {
    const { id } = (await create('moving', { apiKey: SECRET_KEY })).body
    const same = await change(id, { baseUrl: 'https://models.example.com/v2' })
    expect(same.body.keyLast4).toBe('wxyz')
    expect((await change(id, { baseUrl: 'https://other.example.com/v1' })).body.keyLast4).toBeNull()
    expect(getProvider(server.app, id)?.target.apiKey).toBe('')
    const both = { baseUrl: 'https://third.example.com/v1', apiKey: 'another-key-abcd' }
    expect((await change(id, both)).body.keyLast4).toBe('abcd')
    expect((await change(id, { apiKey: null })).body.keyLast4).toBeNull()
  })

  test('has a unique name, and default is built in', async () => {
    await create('Unique')
    expect(await create('unique')).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(await create('Default')).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    const [first] = await providers()
    expect(first).toMatchObject({ id: 'prv_default', name: 'default', builtIn: true, wire: 'openai' })
    for (const reply of [
      await change('prv_default', { weight: 1 }),
      await remove('/admin/providers/prv_default'),
    ])
      expect(reply).toMatchObject({
        status: 409,
        body: { code: 'built_in', error: expect.stringContaining('upstream_base_url') },
      })
  })

  test('is read by all staff and changed by operators; only a super admin changes address, region and key', async () => {
    const { id } = (await create('guarded')).body
    const [asCustomer, asSupport] = [
      await server.call('GET', '/admin/providers', { as: customer }),
      await providers(),
    ]
    expect(asCustomer.status).toBe(403)
    expect(asSupport.length).toBeGreaterThan(0)
    expect((await change(id, { weight: 1 }, support)).status).toBe(403)
    expect((await change(id, { weight: 1 }, operator)).status).toBe(200)
    for (const body of [
      { apiKey: 'a-new-key-1' },
      { baseUrl: 'https://b.example.com' },
      { region: 'eu' },
      { wire: 'gemini', baseUrl: 'https://models.example.com' },
    ])
      expect(await change(id, body, operator)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    expect((await create('by operator', {}, operator)).body.code).toBe('staff_only')
  })

  test.for<[string, object, string]>([
    ['a metadata address', { baseUrl: 'http://169.254.169.254/v1' }, 'baseUrl'],
    ['a password in the address', { baseUrl: 'https://a:b@models.example.com' }, 'baseUrl'],
    ['a query', { baseUrl: 'https://models.example.com/v1?x=1' }, 'baseUrl'],
    ['the version of Anthropic', { wire: 'anthropic', baseUrl: 'https://api.anthropic.com/v1/' }, 'baseUrl'],
    ['the version of Gemini', { wire: 'gemini', baseUrl: 'https://gemini.example.com/v1beta' }, 'baseUrl'],
    ['an unknown format', { wire: 'soap' }, 'wire'],
    ['a key with a space', { apiKey: 'a b' }, 'apiKey'],
    ['a weight out of range', { weight: 1_001 }, 'weight'],
    ['a region that no policy can name', { region: 'e u' }, 'region'],
  ])('is refused with %s', async ([, body, path]) => {
    const reply = await create('refused', body)
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [path]])
  })

  test('is not deleted while models or lanes have a route to it', async () => {
    const { id } = (await create('used')).body
    const routes = [{ providerId: id, upstreamModel: 'x' }]
    await put('uses-it', { routes })
    await putLane('open', { routes })
    expect(await remove(`/admin/providers/${id}`)).toMatchObject({
      status: 409,
      body: {
        code: 'provider_in_use',
        models: ['open', 'uses-it'],
        error: expect.stringContaining('uses-it'),
      },
    })
    await putLane('open', { routes: [] })
    await remove('/admin/models/uses-it')
    expect((await remove(`/admin/providers/${id}`)).status).toBe(200)
  })
})

describe('a model', () => {
  test('is created with its defaults, found by its names and deleted', async () => {
    const reply = await put('vendor/big-1', { aliases: ['big', 'big-*'], capabilities: ['tools'] })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      ...{ id: 'vendor/big-1', title: 'vendor/big-1', lane: 'frontier', enabled: true, priceVersion: 1 },
      ...{ routes: [{ ...BODY.routes[0], priority: 0, weight: 100 }], price: PRICE, capabilities: ['tools'] },
    })
    for (const name of ['vendor/big-1', 'big', 'big-20261101'])
      expect(findModel(server.app, name)?.id).toBe('vendor/big-1')
    expect(findModel(server.app, 'Big')).toBeUndefined()
    expect((await put('vendor/big-1', { aliases: ['big'], enabled: false })).status).toBe(200)
    expect(findModel(server.app, 'big')).toBeUndefined()
    expect(listCatalogue(server.app).some(({ id }) => id === 'vendor/big-1')).toBe(false)
    expect((await remove('/admin/models/vendor%2Fbig-1')).status).toBe(200)
    expect((await remove('/admin/models/vendor%2Fbig-1')).status).toBe(404)
    expect((await audited('vendor/big-1')).map(({ action }) => action)).toEqual([
      'admin.models.set',
      'admin.models.set',
      'admin.models.delete',
    ])
  })

  test('is found by the longest alias that matches', async () => {
    await put('any', { aliases: ['*'] })
    await put('claude', { aliases: ['claude-*'] })
    await put('sonnet', { aliases: ['claude-sonnet-*', 'claude-sonnet-3'] })
    const found = ['gpt-9', 'claude-opus-1', 'claude-sonnet-4', 'claude-sonnet-3', 'claude', 'claude-']
    expect(found.map((name) => findModel(server.app, name)?.id)).toEqual([
      ...['any', 'claude', 'sonnet', 'sonnet', 'claude', 'claude'],
    ])
    for (const id of ['any', 'claude', 'sonnet']) await remove(`/admin/models/${id}`)
  })

  test('keeps every version of its price, also after its deletion', async () => {
    const version = async (price: object) => (await put('priced', { price })).body.priceVersion
    expect(await version(PRICE)).toBe(1)
    expect(await version(PRICE)).toBe(1)
    expect(await version({ input: 5, output: 7 })).toBe(2)
    expect(findModel(server.app, 'priced')?.price).toEqual({
      input: 5n,
      output: 7n,
      cachedInput: 5n,
      cacheWrite: 5n,
    })
    await remove('/admin/models/priced')
    expect(await version(PRICE)).toBe(3)
    const rows = await server.sql.rows<object>`
      select version, input, created_by as by from model_prices where model_id = 'priced' order by version`
    const by = root.userId
    expect(rows).toEqual([
      { version: 1, input: 100n, by },
      { version: 2, input: 5n, by },
      { version: 3, input: 100n, by },
    ])
    await expect(server.sql.rows`update model_prices set input = 1`).rejects.toThrow('append-only')
    expect((await put('priced', { title: 'Renamed' }, operator)).status).toBe(200)
    expect((await put('priced', { price: { ...PRICE, output: 1 } }, operator)).body.code).toBe('staff_only')
  })

  test.for<[string, string, object, string[]]>([
    [
      'an unknown provider',
      'm',
      { routes: [{ providerId: 'prv_x', upstreamModel: 'a' }] },
      ['routes.0.providerId'],
    ],
    ['a repeated route', 'm', { routes: [...BODY.routes, ...BODY.routes] }, ['routes.1']],
    ['no routes', 'm', { routes: [] }, ['routes']],
    ['too many routes', 'm', { routes: Array.from({ length: 21 }, () => BODY.routes[0]) }, ['routes']],
    ['no lane and price', 'm', { lane: undefined, price: undefined }, ['lane', 'price']],
    ['an output above the context', 'm', { contextTokens: 10, outputTokens: 11 }, ['outputTokens']],
    ['a context above the limit', 'm', { contextTokens: 10_000_001 }, ['contextTokens']],
    ['a price above the limit', 'm', { price: { ...PRICE, input: 1_000_000_001 } }, ['price.input']],
    ['a price with a fraction', 'm', { price: { ...PRICE, output: 1.5 } }, ['price.output']],
    ['a star inside an alias', 'm', { aliases: ['a*b', 'c**'] }, ['aliases.0', 'aliases.1']],
    ['an alias of a lane', 'm', { aliases: ['open', 'x', 'cowrie/frontier'] }, ['aliases.0', 'aliases.2']],
    ['a repeated alias', 'm', { aliases: ['x', 'x'] }, ['aliases.1']],
    ['its id as an alias', 'm', { aliases: ['m'] }, ['aliases.0']],
    ['an unknown capability', 'm', { capabilities: ['flying'] }, ['capabilities.0']],
    ['the name of a lane', 'cowrie/open', {}, ['id']],
    ['a star in its id', 'm-*', {}, ['id']],
  ])('is refused with %s', async ([, id, body, paths]) => {
    const reply = await put(id, body)
    expect([reply.status, fieldsOf(reply)]).toEqual([400, paths])
  })

  test('cannot have a name of another model', async () => {
    await put('owner', { aliases: ['shared', 'shared-*'] })
    for (const [id, aliases] of [
      ['second', ['shared']],
      ['second', ['shared-*']],
      ['second', ['owner']],
      ['shared', []],
    ] as const)
      expect(await put(id, { aliases })).toMatchObject({
        status: 409,
        body: { code: 'name_taken', model: 'owner', error: expect.stringContaining('owner') },
      })
  })

  test('changes on another replica within seconds', async () => {
    const { id } = (await create('far', { apiKey: SECRET_KEY })).body
    await put('far', { routes: [{ providerId: id, upstreamModel: 'f', weight: 3 }] })
    await expect
      .poll(() => findModel(replica.app, 'far')?.routes, { timeout: 15_000 })
      .toEqual([
        {
          ...{
            key: `${id}/f`,
            providerId: id,
            provider: 'far',
            region: null,
            model: 'f',
            priority: 0,
            weight: 300,
          },
          target: { baseUrl: NEW_PROVIDER.baseUrl, apiKey: SECRET_KEY, wire: 'openai' },
        },
      ])
    await change(id, { enabled: false })
    await expect.poll(() => findModel(replica.app, 'far')?.routes, { timeout: 15_000 }).toEqual([])
    await remove('/admin/models/far')
    await expect.poll(() => findModel(replica.app, 'far'), { timeout: 15_000 }).toBeUndefined()
  })
})

describe('a lane', () => {
  test('takes further routes and nothing else', async () => {
    const { id } = (await create('lane')).body
    const routes = [{ providerId: id, upstreamModel: 'extra', priority: 1, weight: 100 }]
    expect(await putLane('frontier', { routes })).toMatchObject({
      status: 200,
      body: { id: 'frontier', routes },
    })
    expect(laneRoutes(server.app, 'frontier')).toMatchObject([
      { provider: 'lane', model: 'extra', priority: 1 },
    ])
    expect(laneRoutes(server.app, 'open')).toEqual([])
    const listed = await server.call<{ lanes: object[] }>('GET', '/admin/models', { as: support })
    expect(listed.body.lanes).toEqual([
      { id: 'open', routes: [] },
      { id: 'frontier', routes },
    ])
    const priced = await putLane('frontier', { routes, price: PRICE, aliases: [] })
    expect([priced.status, fieldsOf(priced)]).toEqual([400, ['price', 'aliases']])
    expect((await remove('/admin/models/frontier')).body.code).toBe('built_in')
    await putLane('frontier', { routes: [] })
    expect(laneRoutes(server.app, 'frontier')).toEqual([])
  })
})
