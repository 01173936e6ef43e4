// Endpoint management: access, validation, secrets, limits and audit entries.

import {
  addEndpoint,
  deliveriesOf,
  type Receiver,
  sendDue,
  startReceiver,
} from '@cowrie/testkit/fakes/webhook-receiver.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countAttempt } from '../platform/attempts/attempts.ts'
import type { Actor } from '../platform/http/actor.ts'
import { createEndpoint } from './endpoints/endpoints.ts'
import { SUBSCRIBABLE_TYPES } from './event-types.ts'
import { CHANGES, MANUAL_SENDS } from './limits.ts'

let server: TestServer
let receiver: Receiver
let ada: Person
beforeAll(async () => {
  receiver = await startReceiver()
  url = `${receiver.url}/in?token=abcdefgh12345`
  server = await startTestServer({ schedules: ['hooks.', 'wallet.'] })
  ada = await server.person({ type: 'team' })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

let url: string
const OURS = 'http://127.0.0.1:9/in'
const ping = (as: Person, id: string) =>
  server.call('POST', `/webhook-endpoints/${id}/test`, { as, body: {} })

describe('endpoints', () => {
  test('are created, read, changed and removed, and their secret is shown once', async () => {
    const made = await server.call<{ endpoint: { id: string }; secret: string }>(
      'POST',
      '/webhook-endpoints',
      {
        as: ada,
        body: { url, events: ['run.finished'], description: 'CI' },
      },
    )
    expect(made).toMatchObject({
      status: 201,
      body: { endpoint: { url, events: ['run.finished'], description: 'CI', enabled: true } },
    })
    const { endpoint, secret } = made.body
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
    const at = `/webhook-endpoints/${endpoint.id}`
    const changed = await server.call('PATCH', at, {
      as: ada,
      body: { events: null, description: null, enabled: false },
    })
    expect(changed.body).toMatchObject({
      endpoint: { url, events: null, description: null, enabled: false, disabledReason: null },
    })
    expect((await server.call('GET', at, { as: ada })).body).toEqual(changed.body)
    const rotated = await server.call<{ secret: string }>('POST', `${at}/rotate-secret`, {
      as: ada,
      body: {},
    })
    const listed = await server.call('GET', '/webhook-endpoints', { as: ada })
    expect(listed.body.endpoints).toMatchObject([{ id: endpoint.id, enabled: false }])
    expect(await server.call('DELETE', at, { as: ada })).toMatchObject({ status: 200, body: { ok: true } })
    expect((await server.call('GET', at, { as: ada })).status).toBe(404)
    expect((await server.call('DELETE', at, { as: ada })).status).toBe(404)

    const trail = await server.call<{ entries: { action: string }[] }>('GET', '/audit', { as: ada })
    expect(trail.body.entries.map(({ action }) => action).toReversed()).toEqual(
      ['create', 'change', 'rotateSecret', 'remove'].map((verb) => `hooks.endpoints.${verb}`),
    )
    const written = JSON.stringify(await server.sql.rows`select action, metadata from audit_entries`)
    const elsewhere = [written, listed.text, changed.text, ...server.logged].join('\n')
    for (const each of [secret, rotated.body.secret]) expect(elsewhere).not.toContain(each.slice(6, 20))
    expect(written).not.toContain('abcdefgh12345')
    expect(written).toContain(new URL(url).host)
  })

  test('store sealed secrets that are bound to their row', async () => {
    const { id, secret } = await addEndpoint(server, ada, url)
    const { sealed } = await server.sql.one<{ sealed: string }>`
      select secret_sealed as sealed from hook_endpoints where id = ${id}`
    expect(sealed).not.toContain(secret.slice(6))
    expect(() => server.app.secrets.open(sealed, 'hooks endpoint hep_other secret')).toThrow()
  })

  test.for([
    ['url', { url: 'http://example.com/in' }],
    ['url', { url: 'ftp://example.com/in' }],
    ['url', { url: 'https://ada:pass@example.com/in' }],
    ['url', { url: 'https://10.0.0.1/in' }],
    ['url', { url: 'https://example.com:22/in' }],
    ['url', { url: 'https://8.8.8.8:6379/in' }],
    ['url', { url: 'https://[::ffff:169.254.169.254]/in' }],
    ['url', { url: 'nothing' }],
    ['events', { url: OURS, events: [] }],
    ['events', { url: OURS, events: ['run.finished', 'run.finished'] }],
    ['events.0', { url: OURS, events: ['run.started'] }],
    ['description', { url: OURS, description: 'x'.repeat(201) }],
  ] as const)('are refused for the field %s of %j', async ([path, body]) => {
    const reply = await server.call<{ code: string; fields: { path: string }[] }>(
      'POST',
      '/webhook-endpoints',
      {
        as: ada,
        body,
      },
    )
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields', fields: [{ path }] } })
  })

  test.for([
    'http://127.0.0.1:9/in',
    'https://127.0.0.1/in',
    'https://localhost/in',
    'https://[::1]/in',
    'https://0x7f000001/in',
    'https://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/',
    'https://printer/in',
  ])('in production are refused at %s', async (url) => {
    const production = { ...server.app, config: { ...server.app.config, environment: 'production' as const } }
    const actor = { orgId: ada.orgId, userId: ada.userId } as Actor
    await expect(createEndpoint(production, actor, { url }, '127.0.0.1')).rejects.toMatchObject({
      code: 'invalid_fields',
    })
  })

  test('are limited to ten, even with concurrent requests', async () => {
    const grace = await server.person()
    for (let made = 0; made < 9; made++) await addEndpoint(server, grace, url)
    const body = { url }
    const both = await Promise.all(
      [1, 2].map(() => server.call('POST', '/webhook-endpoints', { as: grace, body })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('limit_reached')
  })

  test('get no audit entry for an edit that changes nothing', async () => {
    const grace = await server.person()
    const events = ['run.finished', 'invoice.paid']
    const { id } = await addEndpoint(server, grace, url, { events, description: 'CI' })
    const edit = (body: object) => server.call('PATCH', `/webhook-endpoints/${id}`, { as: grace, body })
    const changes = async () =>
      await server.sql.rows<{ metadata: object }>`
        select metadata from audit_entries where org_id = ${grace.orgId} and action = 'hooks.endpoints.change'`
    server.clock.advance({ seconds: 1 })
    for (const body of [{}, { url, events: events.toReversed(), description: 'CI', enabled: true }])
      expect(await edit(body)).toMatchObject({ status: 200, body: { endpoint: { id, events } } })
    expect(await changes()).toEqual([])
    await edit({ url, events, description: null })
    expect(await changes()).toMatchObject([{ metadata: { changed: ['description'] } }])
  })

  test('can be changed, tested and replayed at most 120 times an hour', async () => {
    const grace = await server.person()
    const { id } = await addEndpoint(server, grace, url)
    const at = `/webhook-endpoints/${id}`
    await ping(grace, id)
    const [delivery] = (await deliveriesOf(server, grace, id)).deliveries
    for (let made = 2; made < 119; made++)
      await countAttempt(server.app, server.app.db.direct, CHANGES, grace.orgId)
    expect((await server.call('PATCH', at, { as: grace, body: { enabled: false } })).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/webhook-endpoints', { url }],
      ['PATCH', at, { enabled: true }],
      ['POST', `${at}/rotate-secret`, {}],
      ['POST', `${at}/test`, {}],
      ['POST', `/webhook-deliveries/${delivery?.id}/replay`, {}],
      ['DELETE', at],
    ] as const)
      expect(await server.call(method, path, { as: grace, ...(body && { body }) }), path).toMatchObject({
        status: 429,
        body: { code: 'too_many_attempts' },
      })
    expect((await server.call('GET', at, { as: grace })).body).toMatchObject({ endpoint: { enabled: false } })
    server.clock.advance({ minutes: 61 })
    expect((await server.call('DELETE', at, { as: grace })).status).toBe(200)
  })

  test('are managed by owners and admins with a session; other organisations get 404', async () => {
    const admin = await server.member(ada.orgId, 'admin')
    const member = await server.member(ada.orgId, 'member')
    const { id } = await addEndpoint(server, admin, `${receiver.url}/a`)
    expect((await server.call('GET', '/webhook-endpoints', { as: member })).status).toBe(403)
    const key = await server.key(ada, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
    expect((await server.call('GET', '/webhook-endpoints', { as: key })).status).toBe(403)
    expect((await ping(ada, id)).status).toBe(202)
    const [delivery] = (await deliveriesOf(server, ada, id)).deliveries
    const stranger = await server.person()
    for (const [method, path, body] of [
      ['GET', `/webhook-endpoints/${id}`],
      ['PATCH', `/webhook-endpoints/${id}`, { enabled: false }],
      ['DELETE', `/webhook-endpoints/${id}`],
      ['POST', `/webhook-endpoints/${id}/rotate-secret`, {}],
      ['POST', `/webhook-endpoints/${id}/test`, {}],
      ['GET', `/webhook-endpoints/${id}/deliveries`],
      ['POST', `/webhook-deliveries/${delivery?.id}/replay`, {}],
    ] as const)
      expect((await server.call(method, path, { as: stranger, ...(body && { body }) })).status, path).toBe(
        404,
      )
  })
})

describe('deliveries', () => {
  test('are listed newest first, in pages and by status', async () => {
    const grace = await server.person()
    const { id } = await addEndpoint(server, grace, `${receiver.url}/pages`)
    for (let sent = 0; sent < 3; sent++) {
      server.clock.advance({ seconds: 1 })
      await ping(grace, id)
    }
    const first = await deliveriesOf(server, grace, id, { limit: '2' })
    const second = await deliveriesOf(server, grace, id, { limit: '2', cursor: first.nextCursor ?? '' })
    const ids = [...first.deliveries, ...second.deliveries].map((each) => each.id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect([new Set(ids).size, second.nextCursor]).toEqual([3, null])
    await sendDue(server)
    const count = async (status: string) =>
      (await deliveriesOf(server, grace, id, { status })).deliveries.length
    expect([await count('delivered'), await count('pending')]).toEqual([3, 0])
  })

  test('can be sent manually at most sixty times a minute', async () => {
    const grace = await server.person()
    const { id } = await addEndpoint(server, grace, `${receiver.url}/often`)
    for (let sent = 0; sent < 59; sent++)
      await countAttempt(server.app, server.app.db.direct, MANUAL_SENDS, grace.orgId)
    expect([(await ping(grace, id)).status, (await ping(grace, id)).status]).toEqual([202, 429])
    server.clock.advance({ seconds: 61 })
    const [delivery] = (await deliveriesOf(server, grace, id)).deliveries
    const replayed = await server.call('POST', `/webhook-deliveries/${delivery?.id}/replay`, {
      as: grace,
      body: {},
    })
    expect(replayed).toMatchObject({ status: 200, body: { delivery: { eventId: delivery?.eventId } } })
  })
})

test('all subscribable types have a description', async () => {
  const { body } = await server.call<{ types: { type: string }[] }>('GET', '/webhook-event-types', {
    as: ada,
  })
  expect(body.types.map(({ type }) => type)).toEqual([...SUBSCRIBABLE_TYPES, 'ping'])
})
