// Failing and slow endpoints: their deliveries wait, without delaying others.

import {
  addEndpoint,
  deliveriesOf,
  type EndpointBody,
  type Receiver,
  sendDue,
  startReceiver,
} from '@cowrie/testkit/fakes/webhook-receiver.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Duration } from '../../kernel/clock.ts'
import { deliver } from '../deliveries/deliver.ts'
import type { DeliveryId } from '../deliveries/deliveries-sql.ts'
import { emit } from '../hooks.ts'
import { failOverdue, requeueStalled } from '../jobs.ts'

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ schedules: ['hooks.', 'wallet.'] })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

let paths = 0
/** A user with an endpoint at a unique path and a number of events. */
async function createSubscriber(events = 0) {
  const path = `/${++paths}`
  const ada = await server.person()
  const endpoint = await addEndpoint(server, ada, `${receiver.url}${path}`)
  await emitLow(ada, events)
  return { ada, path, endpoint }
}
const LOW = { balanceMinor: 1n, thresholdMinor: 2n, currency: 'NGN' }
const emitLow = ({ orgId }: Person, times = 1) =>
  server.app.db.tx(orgId, async (tx) => {
    for (let event = 0; event < times; event++) await emit(tx, { orgId, type: 'balance.low', data: LOW })
  })
const drain = () => server.app.jobs.drain()
const pass = async (by: Duration) => {
  server.clock.advance(by)
  await drain()
}
const show = async (as: Person, id: string) =>
  (await server.call<{ endpoint: EndpointBody }>('GET', `/webhook-endpoints/${id}`, { as })).body.endpoint
const sent = async (as: Person, id: string) =>
  (await deliveriesOf(server, as, id, { limit: '200' })).deliveries
const statuses = async (as: Person, id: string) => [
  ...new Set((await sent(as, id)).map(({ status }) => status)),
]
const queued = async ({ orgId }: Person) =>
  (await server.sql.rows`select id from jobs where name = 'hooks.deliver' and org_id = ${orgId}`).length

describe('an endpoint that keeps failing', () => {
  test('gets a quiet period, and others do not', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    const other = await addEndpoint(server, ada, `${receiver.url}${path}/other`)
    receiver.answer(path, 500)
    await emitLow(ada, 8)
    await drain()
    // Concurrent attempts finish; none starts after the third failure.
    expect(receiver.at(path).length).toBeLessThanOrEqual(4)
    expect(receiver.at(`${path}/other`)).toHaveLength(8)
    receiver.answer(path, 204)
    await pass({ minutes: 6 })
    expect(await statuses(ada, endpoint.id)).toEqual(['delivered'])
    expect(await sent(ada, endpoint.id)).toHaveLength(8)
    expect(await sent(ada, other.id)).toHaveLength(8)
  })

  test('gets one event at a time, while the others wait without jobs', async () => {
    const { ada, path, endpoint } = await createSubscriber()
    receiver.answer(path, 500)
    await emitLow(ada, 50)
    await drain()
    const begun = receiver.at(path).length
    expect(begun).toBeLessThanOrEqual(4)
    for (let round = 1; round <= 2; round++) {
      await pass({ minutes: 2 })
      expect(receiver.at(path)).toHaveLength(begun + round)
      // The next check, and the attempted deliveries with their own retry times.
      expect(await queued(ada)).toBeLessThanOrEqual(1 + begun + round)
    }
    const calls = receiver.at(path).map(({ headers }) => headers['webhook-id'])
    expect(new Set(calls).size).toBe(calls.length)
    receiver.answer(path, 204)
    await pass({ minutes: 6 })
    // One success resets the endpoint, forty follow at once, and the rest five seconds later.
    expect(receiver.at(path).length).toBeLessThan(begun + 2 + 50)
    await pass({ seconds: 5 })
    expect(await statuses(ada, endpoint.id)).toEqual(['delivered'])
    expect(receiver.at(path)).toHaveLength(begun + 2 + 50)
  })

  test('gets the waiting events after a successful ping or a new URL', async () => {
    for (const mend of [
      (as: Person, id: string) => server.call('POST', `/webhook-endpoints/${id}/test`, { as, body: {} }),
      (as: Person, id: string, path: string) =>
        server.call('PATCH', `/webhook-endpoints/${id}`, {
          as,
          body: { url: `${receiver.url}${path}?moved` },
        }),
    ]) {
      const { ada, path, endpoint } = await createSubscriber(8)
      receiver.answer(path, 500)
      await drain()
      const untried = (await sent(ada, endpoint.id)).filter(({ attempts }) => attempts === 0)
      expect(untried.length).toBeGreaterThanOrEqual(4)
      receiver.answer(path, 204)
      await mend(ada, endpoint.id, path)
      await drain()
      const now = await sent(ada, endpoint.id)
      for (const { id } of untried)
        expect(now.find((each) => each.id === id)).toMatchObject({ status: 'delivered' })
    }
  })

  test('has its overdue deliveries failed with the reason; deliveries to others are sent', async () => {
    const [bad, good] = [await createSubscriber(6), await createSubscriber()]
    receiver.answer(bad.path, 500)
    await drain()
    await emitLow(good.ada)
    await server.sql.rows`delete from jobs where name = 'hooks.deliver'`
    server.clock.advance({ hours: 83 })
    await failOverdue(server.app)
    expect(await statuses(bad.ada, bad.endpoint.id)).toEqual(['pending'])
    server.clock.advance({ hours: 2 })
    await failOverdue(server.app)
    const reason = expect.stringContaining('Not delivered within 84 hours')
    expect(await sent(bad.ada, bad.endpoint.id)).toMatchObject(
      Array(6).fill({ status: 'failed', lastError: reason, nextAttemptAt: null }),
    )
    await requeueStalled(server.app)
    await drain()
    expect(await statuses(good.ada, good.endpoint.id)).toEqual(['delivered'])
  })

  test('for five days is disabled, its deliveries fail, and owners and admins get a mail', async () => {
    const { ada, path, endpoint } = await createSubscriber(1)
    const [admin, member] = [
      await server.member(ada.orgId, 'admin'),
      await server.member(ada.orgId, 'member'),
    ]
    receiver.answer(path, 503)
    for (let attempt = 0; attempt < 8; attempt++) {
      await sendDue(server)
      server.clock.advance({ hours: 16 })
    }
    // More than five days, but fewer than ten failures.
    await emitLow(ada, 5)
    await sendDue(server)
    expect(await show(ada, endpoint.id)).toMatchObject({ enabled: true })
    await pass({ minutes: 15 })
    expect(await show(ada, endpoint.id)).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect(receiver.at(path)).toHaveLength(10)
    expect(await statuses(ada, endpoint.id)).toEqual(['failed'])
    for (const person of [ada, admin])
      expect(await mails(person)).toMatchObject([{ text: expect.stringContaining('five days') }])
    expect(await mails(member)).toEqual([])
  })
})

describe('a slow endpoint', () => {
  test('gets its events with pauses, and does not count as failing', async () => {
    const { ada, path, endpoint } = await createSubscriber(5)
    receiver.answer(path, (response) => void setTimeout(() => response.writeHead(204).end(), 20))
    const all = (await sent(ada, endpoint.id)).map(({ id }) => id as DeliveryId).toSorted()
    const sendAll = async () => {
      for (const id of all) await deliver(server.app, ada.orgId, id, { slowMs: 10 })
    }
    await sendAll()
    expect(receiver.at(path)).toHaveLength(3)
    server.clock.advance({ seconds: 5 })
    await sendAll()
    expect(receiver.at(path)).toHaveLength(4)
    expect((await sent(ada, endpoint.id)).map(({ status }) => status).toSorted()).toEqual([
      ...Array(4).fill('delivered'),
      'pending',
    ])
    expect(await show(ada, endpoint.id)).toMatchObject({ enabled: true, failingSince: null })
    await pass({ seconds: 10 })
    expect(await statuses(ada, endpoint.id)).toEqual(['delivered'])
  })

  test('does not delay the events of others, and many of them do not delay mails', async () => {
    await drain()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const slow = await Promise.all(Array.from({ length: 4 }, () => createSubscriber()))
    const calls = () => slow.flatMap(({ path }) => receiver.at(path)).length
    for (const { path } of slow)
      receiver.answer(path, (response) => void held.then(() => response.writeHead(204).end()))
    const [first, ...others] = slow
    if (first) await emitLow(first.ada, 5)
    server.app.jobs.start()
    try {
      await expect.poll(calls).toBe(2)
      const quick = await createSubscriber(1)
      await expect.poll(() => receiver.at(quick.path)).toHaveLength(1)
      for (const { ada } of others) await emitLow(ada, 3)
      await expect.poll(calls).toBe(4)
      await server.call('POST', '/auth/password/forgot', { body: { email: quick.ada.email } })
      const kinds = async () => new Set((await server.app.jobs.count()).map(({ name }) => name))
      await expect.poll(kinds).toEqual(new Set(['hooks.deliver']))
      expect(calls()).toBe(4)
    } finally {
      release()
      await server.app.jobs.stop()
    }
  })
})

async function mails({ email }: { email: string }) {
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to: email },
  })
  return body.mails.filter(({ subject }) => subject === 'A webhook endpoint was disabled')
}
