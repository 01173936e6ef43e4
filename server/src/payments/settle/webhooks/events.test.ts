import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPayment, eventsOf } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RailName } from '../../channels.ts'
import { storeEvent } from './events.ts'

let server: TestServer
let reference: string
beforeAll(async () => {
  server = await startTestServer()
  reference = await createPayment(server, await server.person())
})
afterAll(() => server.close())

const keep = (eventKey: string, kind = 'paid', rail: RailName = 'paystack', payment: string | null = null) =>
  storeEvent(
    server.app,
    rail,
    { about: { reference }, eventKey, kind },
    { raw: Buffer.from(eventKey), address: '127.0.0.1', payment },
  )

const kept = (kind: string) =>
  server.sql.rows<{ rail: string; times: number }>`
    select rail, times from payment_events where kind = ${kind} order by rail, event_key`

test('two events whose long ids differ at the end are separate', async () => {
  const name = 'n'.repeat(400)
  for (const end of ['a', 'b', 'b']) await keep(`${name}${end}`, 'long')
  expect((await kept('long')).map(({ times }) => times).sort()).toEqual([1, 2])
})

test('characters that the database rejects do not prevent storing an event', async () => {
  await keep('odd \0 \ud800', 'odd \0 \ud800')
  expect((await eventsOf(server, reference)).map(({ kind }) => kind)).toContain('odd   \ufffd')
})

test('concurrent events of two providers with one id are both stored', async () => {
  const rails = ['paystack', 'opay', 'paystack', 'opay', 'paystack', 'opay'] as const
  await Promise.all(rails.map((rail) => keep('one name', 'shared', rail)))
  expect(await kept('shared')).toEqual([
    { rail: 'opay', times: 3 },
    { rail: 'paystack', times: 3 },
  ])
})

test('events at the URLs of two payments are separate, even with one id', async () => {
  for (const payment of ['tpaaaaaaaa', 'tpbbbbbbbb']) await keep('one name', 'addressed', 'daraja', payment)
  expect(await kept('addressed')).toHaveLength(2)
})
