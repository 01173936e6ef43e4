// Deliveries to a real receiver: signatures, retries, failures, and independence of the fact itself.

import {
  addEndpoint,
  type DeliveryBody,
  deliveriesOf,
  type EndpointBody,
  matchingSignatures,
  type Receiver,
  sendDue,
  startReceiver,
} from '@cowrie/testkit/fakes/webhook-receiver.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Duration, toMs } from '../../kernel/clock.ts'
import { hooksTenantData } from '../data-export.ts'
import { deleteOrgEndpoints, emit } from '../hooks.ts'
import { deleteOldEvents, requeueStalled } from '../jobs.ts'
import { deliver } from './deliver.ts'
import type { DeliveryId } from './deliveries-sql.ts'

const SCHEDULES = ['hooks.', 'wallet.']

let server: TestServer
let replica: TestServer
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ schedules: SCHEDULES })
  replica = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
  await receiver.close()
})

let paths = 0
/** A user with an endpoint at a unique path. */
async function createSubscriber(more: object = {}) {
  const path = `/${++paths}`
  const ada = await server.person()
  return { ada, path, endpoint: await addEndpoint(server, ada, `${receiver.url}${path}`, more) }
}
const LOW = { balanceMinor: 1n, thresholdMinor: 2n, currency: 'NGN' }
const emitLow = ({ orgId }: Person, on = server) =>
  on.app.db.tx(orgId, (tx) => emit(tx, { orgId, type: 'balance.low', data: LOW }))
const drain = () => server.app.jobs.drain()
const send = () => sendDue(server)
const pass = async (by: Duration) => {
  server.clock.advance(by)
  await drain()
}
const show = async (as: Person, id: string) =>
  (await server.call<{ endpoint: EndpointBody }>('GET', `/webhook-endpoints/${id}`, { as })).body.endpoint
const only = async (as: Person, id: string) => (await deliveriesOf(server, as, id)).deliveries[0]
const replay = (as: Person, id: string | undefined) =>
  server.call<{ delivery: DeliveryBody; code?: string }>('POST', `/webhook-deliveries/${id}/replay`, {
    as,
    body: {},
  })

describe('an event', () => {
  test('arrives once, complete and signed, even with two replicas', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    await emitLow(ada)
    await emitLow(ada, replica)
    await Promise.all([drain(), replica.app.jobs.drain()])
    const [first, ...rest] = receiver.at(path)
    expect(rest).toHaveLength(1)
    expect(first?.body).toEqual({
      type: 'balance.low',
      timestamp: server.clock.now().toISOString(),
      data: LOW,
    })
    expect(first?.headers['webhook-timestamp']).toBe(String(server.clock.now().getTime() / 1000))
    expect(first && matchingSignatures(endpoint.secret, first)).toEqual([0])
    expect(first && matchingSignatures(`${endpoint.secret.slice(0, -4)}AAAA`, first)).toEqual([])
    const { deliveries } = await deliveriesOf(server, ada, endpoint.id)
    expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(
      receiver
        .at(path)
        .map(({ headers }) => headers['webhook-id'])
        .sort(),
    )
    expect(deliveries[0]).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
    })
  })

  test('counts its attempts, and times only the first one at a healthy endpoint', async () => {
    const counted = async () => {
      const text = await server.app.metrics.exposition()
      return [
        'attempts_total{outcome="delivered"}',
        'attempts_total{outcome="failed"}',
        'first_attempt_seconds_count',
      ].map((name) => Number(text.split(`cowrie_webhook_${name} `)[1]?.split('\n')[0] ?? 0))
    }
    const { ada, path } = await createSubscriber()
    const before = await counted()
    receiver.answer(path, 500)
    await emitLow(ada)
    await drain()
    receiver.answer(path, 204)
    await pass({ hours: 1 })
    const after = await counted()
    expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([1, 1, 1])
  })

  test('goes only to subscribed endpoints, and stores nothing without subscribers', async () => {
    const { ada, path } = await createSubscriber({ events: ['invoice.paid'] })
    const all = await addEndpoint(server, ada, `${receiver.url}${path}/all`)
    const off = await addEndpoint(server, ada, `${receiver.url}${path}/off`)
    await server.call('PATCH', `/webhook-endpoints/${off.id}`, { as: ada, body: { enabled: false } })
    await emitLow(ada)
    await send()
    expect([path, `${path}/all`, `${path}/off`].map((at) => receiver.at(at).length)).toEqual([0, 1, 0])
    expect((await deliveriesOf(server, ada, all.id)).deliveries).toHaveLength(1)
    expect((await deliveriesOf(server, ada, off.id)).deliveries).toEqual([])
    const other = await server.person()
    await emitLow(other)
    const stored = await server.sql.rows`select id from hook_events where org_id = ${other.orgId}`
    expect(stored).toEqual([])
  })

  test('from a rolled back transaction is not sent', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    const { orgId } = ada
    const undone = server.app.db.tx(orgId, async (tx) => {
      await emit(tx, { orgId, type: 'balance.low', data: LOW })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await send()
    expect(receiver.at(path)).toEqual([])
    expect(await only(ada, endpoint.id)).toBeUndefined()
  })

  test('is delivered while its organisation is suspended', async () => {
    const { ada, path } = await createSubscriber()
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${ada.orgId}`
    await emitLow(ada)
    await send()
    expect(receiver.at(path)).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  test('is retried by schedule with the same id, ten times at most', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    receiver.answer(path, 500)
    await emitLow(ada)
    const { id } = (await only(ada, endpoint.id)) ?? { id: '' }
    const attempt = (by: Duration) => {
      server.clock.advance(by)
      return deliver(server.app, ada.orgId, id as DeliveryId)
    }
    await attempt({})
    const pauses: Duration[] = [
      { seconds: 5 },
      { minutes: 5 },
      { minutes: 30 },
      ...[2, 5, 10, 14, 20, 24].map((hours) => ({ hours })),
    ]
    for (const [at, pause] of pauses.entries()) {
      const { nextAttemptAt = null, status } = (await only(ada, endpoint.id)) ?? {}
      expect(status).toBe('pending')
      const waitMs = Date.parse(String(nextAttemptAt)) - server.clock.now().getTime()
      expect(waitMs).toBeLessThanOrEqual(1.1 * toMs(pause))
      await attempt({ ms: toMs(pause) - 1 })
      expect(receiver.at(path)).toHaveLength(at + 1)
      await attempt({ ms: 0.1 * toMs(pause) + 1 })
      expect(receiver.at(path)).toHaveLength(at + 2)
    }
    expect(await only(ada, endpoint.id)).toMatchObject({
      status: 'failed',
      attempts: 10,
      lastStatus: 500,
      nextAttemptAt: null,
    })
    const calls = receiver.at(path)
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1)
    expect(new Set(calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    for (const call of calls) expect(matchingSignatures(endpoint.secret, call)).toEqual([0])
    expect(await show(ada, endpoint.id)).toMatchObject({ enabled: true, failingSince: expect.any(String) })
  })

  test('occurs on a reset, a redirect or a huge reply; the stored error is short and without secrets', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    const tried = async () => {
      const { id } = (
        await server.call<{ delivery: DeliveryBody }>('POST', `/webhook-endpoints/${endpoint.id}/test`, {
          as: ada,
          body: {},
        })
      ).body.delivery
      await send()
      return (await deliveriesOf(server, ada, endpoint.id)).deliveries.find((each) => each.id === id)
    }
    receiver.answer(path, 'reset')
    expect(await tried()).toMatchObject({ status: 'pending', attempts: 1, lastStatus: null })
    receiver.answer(path, (response) =>
      response.writeHead(302, { location: `${receiver.url}${path}/elsewhere` }).end(),
    )
    expect(await tried()).toMatchObject({ status: 'pending', lastStatus: 302 })
    expect(receiver.at(`${path}/elsewhere`)).toEqual([])
    receiver.answer(path, (response) =>
      response.writeHead(400).end(`no\n\0 ${endpoint.secret} ${'x'.repeat(5_000)}`),
    )
    const delivery = await tried()
    expect(delivery?.lastError).toMatch(/^HTTP 400 no {1,2}whsec_\[redacted\] x+$/)
    expect(delivery?.lastError).toHaveLength(300)
  })

  test('occurs on a timeout, but not on our shutdown', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    receiver.answer(path, 'hang')
    await emitLow(ada)
    const { id } = (await only(ada, endpoint.id)) ?? { id: '' }
    const stop = new AbortController()
    const stopped = deliver(server.app, ada.orgId, id as DeliveryId, { signal: stop.signal })
    await expect.poll(() => receiver.at(path)).toHaveLength(1)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    expect(await only(ada, endpoint.id)).toMatchObject({ attempts: 0, status: 'pending' })
    await deliver(server.app, ada.orgId, id as DeliveryId, { timeoutMs: 50 })
    expect(await only(ada, endpoint.id)).toMatchObject({ attempts: 1, status: 'pending', lastStatus: null })
    receiver.answer(path, 204)
    server.clock.advance({ seconds: 6 })
    await send()
    expect(await only(ada, endpoint.id)).toMatchObject({ attempts: 2, status: 'delivered' })
    expect(await show(ada, endpoint.id)).toMatchObject({ failingSince: null })
  })

  test('occurs for an internal address, which is never called in production', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    await emitLow(ada)
    const { id } = (await only(ada, endpoint.id)) ?? { id: '' }
    const production = { ...server.app, config: { ...server.app.config, environment: 'production' as const } }
    await deliver(production, ada.orgId, id as DeliveryId)
    expect(receiver.at(path)).toEqual([])
    expect(await only(ada, endpoint.id)).toMatchObject({ attempts: 1, status: 'pending', lastStatus: null })
  })

  test('is counted once, even if two workers sent it', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    receiver.answer(path, 500)
    await emitLow(ada)
    const { id } = (await only(ada, endpoint.id)) ?? { id: '' }
    await Promise.all([server, replica].map(({ app }) => deliver(app, ada.orgId, id as DeliveryId)))
    expect(await only(ada, endpoint.id)).toMatchObject({ attempts: 1 })
  })
})

describe('an endpoint', () => {
  test('that replies 410 is disabled at once, and can be pinged and enabled again', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    receiver.answer(path, 410)
    await emitLow(ada)
    await drain()
    expect(await show(ada, endpoint.id)).toMatchObject({ enabled: false, disabledReason: 'gone' })
    const refused = await only(ada, endpoint.id)
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, lastStatus: 410 })
    expect(await mails(ada)).toMatchObject([{ text: expect.stringContaining('replied with status 410') }])
    await emitLow(ada)
    expect((await deliveriesOf(server, ada, endpoint.id)).deliveries).toHaveLength(1)
    expect(await replay(ada, refused?.id)).toMatchObject({ status: 409, body: { code: 'endpoint_disabled' } })
    receiver.answer(path, 204)
    await server.call('POST', `/webhook-endpoints/${endpoint.id}/test`, { as: ada, body: {} })
    await drain()
    expect(receiver.at(path).at(-1)?.body).toMatchObject({ type: 'ping', data: { endpointId: endpoint.id } })
    await server.call('PATCH', `/webhook-endpoints/${endpoint.id}`, { as: ada, body: { enabled: true } })
    expect(await show(ada, endpoint.id)).toMatchObject({
      enabled: true,
      disabledReason: null,
      failingSince: null,
    })
    expect((await replay(ada, refused?.id)).body.delivery).toMatchObject({
      eventId: refused?.eventId,
      attempts: 0,
    })
    await drain()
    expect(receiver.at(path).at(-1)?.headers['webhook-id']).toBe(refused?.eventId)
  })

  test('signs with both secrets for a day after a rotation, then only with the new one', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    const rotated = await server.call<{ secret: string; previousUntil: string }>(
      'POST',
      `/webhook-endpoints/${endpoint.id}/rotate-secret`,
      { as: ada, body: {} },
    )
    const { secret, previousUntil } = rotated.body
    expect(Date.parse(previousUntil) - server.clock.now().getTime()).toBe(24 * 3_600_000)
    expect(await show(ada, endpoint.id)).toMatchObject({ previousUntil })
    await emitLow(ada)
    await send()
    server.clock.advance({ hours: 24 })
    await emitLow(ada)
    await send()
    const [during, afterwards] = receiver.at(path)
    expect(during && [secret, endpoint.secret].map((each) => matchingSignatures(each, during))).toEqual([
      [0],
      [1],
    ])
    expect(
      afterwards && [secret, endpoint.secret].map((each) => matchingSignatures(each, afterwards)),
    ).toEqual([[0], []])
    expect(await show(ada, endpoint.id)).toMatchObject({ previousUntil: null })
  })

  test('that was removed receives nothing, and its pending deliveries fail at once', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    await emitLow(ada)
    await server.call('POST', `/webhook-endpoints/${endpoint.id}/test`, { as: ada, body: {} })
    await server.call('DELETE', `/webhook-endpoints/${endpoint.id}`, { as: ada })
    const left = await server.sql.rows`
      select status, last_error as error from hook_deliveries where org_id = ${ada.orgId}`
    expect(left).toEqual(Array(2).fill({ status: 'failed', error: 'The endpoint was removed.' }))
    await drain()
    expect(receiver.at(path)).toEqual([])
  })

  test('is deleted with its organisation, including its events', async () => {
    const [closed, late, other] = [
      await createSubscriber(),
      await createSubscriber(),
      await createSubscriber(),
    ]
    for (const { ada } of [closed, late, other]) await emitLow(ada)
    await server.app.db.tx(closed.ada.orgId, (tx) => deleteOrgEndpoints(tx, closed.ada.orgId))
    await hooksTenantData.erase?.(server.app, late.ada.orgId)
    await drain()
    expect([closed, late, other].map(({ path }) => receiver.at(path).length)).toEqual([0, 0, 1])
    const remaining = await server.sql.rows<{ org: string }>`
      select org_id as org from hook_events union all select org_id from hook_deliveries
      union all select org_id from hook_endpoints`
    for (const { ada } of [closed, late]) expect(remaining).not.toContainEqual({ org: ada.orgId })
    expect(remaining.filter(({ org }) => org === other.ada.orgId)).toHaveLength(3)
  })
})

describe('a top-up', () => {
  test('is credited while the receiver is down, and its event is sent on recovery', async () => {
    const { ada, path } = await createSubscriber({ events: ['topup.settled'] })
    receiver.answer(path, 'reset')
    const { body } = await topUp(server, ada, { amountMinor: 250_000n })
    expect((await verify(server, ada, body.reference)).body).toMatchObject({ creditedMinor: 250_000n })
    await drain()
    receiver.answer(path, 200)
    await pass({ seconds: 6 })
    expect(receiver.at(path)).toHaveLength(2)
    expect(receiver.at(path)[1]?.body.data).toMatchObject({
      reference: body.reference,
      amountMinor: 250_000n,
    })
  })
})

describe('housekeeping', () => {
  test('enqueues a new job for a stalled delivery, and deletes events after thirty days', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    await emitLow(ada)
    await server.sql.rows`delete from jobs where name = 'hooks.deliver' and org_id = ${ada.orgId}`
    server.clock.advance({ minutes: 61 })
    await requeueStalled(server.app)
    await drain()
    expect(receiver.at(path)).toHaveLength(1)
    server.clock.advance({ days: 29, hours: 22 })
    await deleteOldEvents(server.app)
    expect((await deliveriesOf(server, ada, endpoint.id)).deliveries).toHaveLength(1)
    server.clock.advance({ hours: 2 })
    await deleteOldEvents(server.app)
    expect((await deliveriesOf(server, ada, endpoint.id)).deliveries).toEqual([])
  })
})

async function mails({ email }: { email: string }) {
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to: email },
  })
  return body.mails.filter(({ subject }) => subject === 'A webhook endpoint was disabled')
}
