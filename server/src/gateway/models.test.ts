// The list of models: prices by token class, and only those that the policy and the key allow.
import { type Customer, type OpenAiApi, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi()
  const root = await api.server.person({ staff: 'super_admin' })
  const provider = await api.server.call('POST', '/admin/providers', {
    as: root,
    body: { name: 'here', wire: 'openai', baseUrl: 'https://models.example.com/v1', region: 'eu' },
  })
  const put = (id: string, body: object) =>
    api.server.call('PUT', `/admin/models/${id}`, {
      as: root,
      body: {
        routes: [{ providerId: 'prv_default', upstreamModel: 'up-1' }],
        contextTokens: 200_000,
        outputTokens: 64_000,
        price: { input: 300, output: 1500, cachedInput: 30, cacheWrite: 375 },
        ...body,
      },
    })
  await put('large', {
    lane: 'frontier',
    title: 'Large',
    capabilities: ['tools', 'cache'],
    aliases: ['big-*'],
  })
  await put('small', {
    lane: 'open',
    routes: [{ providerId: provider.body.id, upstreamModel: 'up-2' }],
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  ada = await api.customer()
})

type Listed = { id: string } & Record<string, unknown>
const listFor = async (key: string) =>
  (await api.server.call<{ data: Listed[] }>('GET', '/v1/models', { as: { bearer: key } })).body.data
const idsFor = async (key = ada.key) => (await listFor(key)).map(({ id }) => id)

test('a model of the catalogue has its limits and a price for each token class', async () => {
  const [open, , large] = await listFor(ada.key)
  expect(large).toMatchObject({
    id: 'large',
    object: 'model',
    title: 'Large',
    lane: 'frontier',
    context_window: 200_000,
    max_output_tokens: 64_000,
    capabilities: ['tools', 'cache'],
    currency: 'NGN',
    price: { input: 300, output: 1500, cached_input: 30, cache_write: 375 },
    price_per_1m_minor: 1500,
  })
  const one = 1_000_000
  expect(open).toMatchObject({
    id: 'open',
    lane: 'open',
    capabilities: null,
    price: { input: one, output: one, cached_input: one, cache_write: one },
    price_per_1m_minor: one,
  })
})

test('the prices are in the currency of the organisation, rounded up', async () => {
  const { orgId, key } = await api.customer(0n)
  await api.server.sql.rows`update orgs set currency = 'KES' where id = ${orgId}`
  const large = (await listFor(key)).find(({ id }) => id === 'large')
  expect(large?.currency).toBe('KES')
  expect(large?.price_per_1m_minor).toBeLessThan(1500)
  expect(large?.price_per_1m_minor).toBeGreaterThan(1)
})

test('an alias is read as the model that it means', async () => {
  const read = await api.server.call('GET', '/v1/models/big-2026', { as: { bearer: ada.key } })
  expect(read.body).toMatchObject({ id: 'big-2026', title: 'Large' })
})

test('the policy and the key limit the list', async () => {
  const { sql } = api.server
  expect(await idsFor()).toEqual(['open', 'frontier', 'large', 'small'])
  await sql.rows`update orgs set allowed_lanes = '{open}' where id = ${ada.orgId}`
  expect(await idsFor()).toEqual(['open', 'small'])
  await sql.rows`update orgs set allowed_lanes = '{open,frontier}', allowed_models = '{small,lar*}' where id = ${ada.orgId}`
  expect(await idsFor()).toEqual(['large', 'small'])
  const { body } = await api.server.call<{ key: string }>('POST', '/auth/keys', {
    as: { bearer: ada.bearer },
    body: { name: 'limited', scopes: ['agent:run'], models: ['small', 'open'] },
  })
  expect(await idsFor(body.key)).toEqual(['small'])
  await sql.rows`update orgs set allowed_models = null, residency_region = 'eu' where id = ${ada.orgId}`
  expect(await idsFor()).toEqual(['small'])
})
