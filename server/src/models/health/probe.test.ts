import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readPosture } from '../../operators/posture/posture.ts'
import { findModel, getProvider, orderRoutes, recordRouteFailure, recordRouteSuccess } from '../models.ts'

type Health = { status: string; since: string | null; lastError?: string }
type Listed = { id: string; name: string; health: Health }

let server: TestServer
let root: Person
let upstream: Server
let address: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
let requests: { url: string; headers: IncomingMessage['headers'] }[] = []

beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_UPSTREAM_FIRST_BYTE_MS: '300' } })
  root = await server.person({ staff: 'super_admin' })
  // The first round creates the schedules.
  await server.app.jobs.drain()
  upstream = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(async () => {
  upstream.closeAllConnections()
  upstream.close()
  await server.close()
})
beforeEach(() => {
  requests = []
  replyWith(200, '{"data":[]}')
})

const replyWith = (status: number, text = '') => {
  answer = (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

let made = 0
async function add(body: object = {}): Promise<string> {
  const reply = await server.call<{ id: string }>('POST', '/admin/providers', {
    as: root,
    body: {
      name: `provider ${++made}`,
      wire: 'openai',
      baseUrl: `${address}/v1`,
      apiKey: 'key-for-probes-1',
      ...body,
    },
  })
  return reply.body.id
}
async function probe(): Promise<void> {
  server.clock.advance({ minutes: 1 })
  await server.app.jobs.drain()
}
async function healthOf(id: string): Promise<Health | undefined> {
  const { body } = await server.call<{ providers: Listed[] }>('GET', '/admin/providers', { as: root })
  return body.providers.find((each) => each.id === id)?.health
}
/** Removes the provider, so that the next test probes only its own. */
const drop = (id: string) => server.call('DELETE', `/admin/providers/${id}`, { as: root })

test.for<[string, string, Record<string, string>]>([
  ['openai', '/v1/models', { authorization: 'Bearer key-for-probes-1' }],
  ['anthropic', '/v1/models', { 'x-api-key': 'key-for-probes-1', 'anthropic-version': '2023-06-01' }],
  ['gemini', '/v1beta/models', { 'x-goog-api-key': 'key-for-probes-1' }],
])('a provider of the format %s is probed with its path and credentials', async ([wire, path, headers]) => {
  const id = await add({ wire, ...(wire !== 'openai' && { baseUrl: address }) })
  await probe()
  expect(requests.map(({ url }) => url)).toEqual([path])
  expect(requests[0]?.headers).toMatchObject(headers)
  expect(await healthOf(id)).toEqual({ status: 'healthy', since: server.clock.now().toISOString() })
  await drop(id)
})

test.for([404, 405, 400])('a service that answers %i to the list of models is alive', async (status) => {
  replyWith(status)
  const id = await add()
  await probe()
  expect((await healthOf(id))?.status).toBe('healthy')
  await drop(id)
})

test('three failures in a row bring a provider down, and one success brings it back', async () => {
  replyWith(503)
  const id = await add()
  await probe()
  const first = await healthOf(id)
  expect(first).toMatchObject({ status: 'degraded', lastError: 'The provider returns status 503.' })
  await probe()
  expect(await healthOf(id)).toEqual(first)
  await probe()
  const down = { status: 'down', since: server.clock.now().toISOString() }
  expect(await healthOf(id)).toMatchObject(down)
  expect(server.logged.join()).toContain('models.provider.down')
  const feature = (await readPosture(server.app)).features.find(({ key }) => key === `provider_${id}`)
  expect(feature).toMatchObject({
    live: false,
    detail: expect.stringMatching(/^Down since .*: the provider returns status 503\.$/i),
  })
  replyWith(200)
  await probe()
  expect((await healthOf(id))?.status).toBe('healthy')
  expect((await readPosture(server.app)).features.some(({ key }) => key === `provider_${id}`)).toBe(false)
  await drop(id)
})

test.for([401, 403, 302])(
  'a provider that answers %i rejects our key and is down at once',
  async (status) => {
    replyWith(status)
    const id = await add()
    await probe()
    expect(await healthOf(id)).toMatchObject({
      status: 'down',
      lastError: `The provider rejects our key or account with status ${status}.`,
    })
    const changed = await server.call<Listed>('PATCH', `/admin/providers/${id}`, {
      as: root,
      body: { apiKey: 'a-better-key-2' },
    })
    expect(changed.body.health.status).toBe('unknown')
    expect(server.logged.join()).not.toContain('key-for-probes-1')
    await drop(id)
  },
)

test('a slow provider, an unreachable one and one with an endless list are bounded', async () => {
  answer = (request, response) => {
    if (request.url?.startsWith('/slow')) return
    const send = () => {
      while (response.write('x'.repeat(16_384)));
    }
    response.on('drain', send)
    send()
  }
  const slow = await add({ baseUrl: `${address}/slow` })
  const endless = await add({ baseUrl: `${address}/endless` })
  const gone = await add({ baseUrl: 'http://127.0.0.1:1/v1' })
  await probe()
  expect(await healthOf(slow)).toMatchObject({ lastError: 'The provider gave no answer within 300 ms.' })
  expect((await healthOf(endless))?.status).toBe('healthy')
  expect(await healthOf(gone)).toMatchObject({
    status: 'degraded',
    lastError: 'The provider cannot be reached (ECONNREFUSED).',
  })
  for (const id of [slow, endless, gone]) await drop(id)
})

test('a disabled provider and the development model are not probed', async () => {
  const id = await add({ enabled: false })
  await probe()
  expect(requests).toEqual([])
  expect([await healthOf(id), await healthOf('prv_default')]).toEqual([
    { status: 'disabled', since: null },
    { status: 'unknown', since: null },
  ])
  await drop(id)
})

test('calls of customers count for the health, the circuit breaker and the metrics', async () => {
  const [id, other] = [await add({ name: 'busy' }), await add({ name: 'spare' })]
  await server.call('PUT', '/admin/models/busy', {
    as: root,
    body: {
      ...{ lane: 'open', contextTokens: 1_000, outputTokens: 100, price: { input: 1, output: 1 } },
      routes: [
        { providerId: id, upstreamModel: 'b' },
        { providerId: other, upstreamModel: 'b', priority: 1 },
      ],
    },
  })
  const routes = findModel(server.app, 'busy')?.routes ?? []
  const order = () => orderRoutes(server.app, routes, 'conversation').map(({ provider }) => provider)
  expect(order()).toEqual(['busy', 'spare'])
  recordRouteSuccess(server.app, `${id}/b`)
  await expect.poll(async () => (await healthOf(id))?.status).toBe('healthy')
  await probe()
  expect(requests.map(({ url }) => url)).toEqual(['/v1/models'])
  expect(getProvider(server.app, other)?.name).toBe('spare')

  recordRouteFailure(server.app, `${id}/b`, true)
  expect(order()).toEqual(['spare', 'busy'])
  await expect
    .poll(() => healthOf(id))
    .toMatchObject({ status: 'down', lastError: 'The provider rejects our key or account.' })
  const metrics = await server.app.metrics.exposition()
  expect(metrics).toContain('cowrie_model_route_failures_total{provider="busy"} 1')
  expect(metrics).toContain('cowrie_model_circuits_open{provider="busy"} 1')
  expect(metrics).toContain('cowrie_model_circuits_open{provider="spare"} 0')
  expect(server.logged.join()).toContain('models.breaker.opened')

  await server.call('PATCH', `/admin/providers/${id}`, { as: root, body: { apiKey: 'the-right-key-3' } })
  const after = findModel(server.app, 'busy')?.routes ?? []
  expect(orderRoutes(server.app, after, 'conversation')[0]?.provider).toBe('busy')
})
