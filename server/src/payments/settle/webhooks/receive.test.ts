// Webhooks of the card provider, from the request to the credit.

import type { FakeProvider } from '@cowrie/testkit/fakes/payments/fake-provider.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { eventsOf, postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

const AMOUNT = 500_000n
let paystack: FakePaystack
let server: TestServer
let second: TestServer
let ada: Person

beforeAll(async () => {
  paystack = await startFakePaystack()
  const variables = { ...paystack.variables, SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' }
  server = await startTestServer({ schedules: SCHEDULES, variables })
  second = await startTestServer({ schedules: SCHEDULES, variables, url: server.url, clock: server.clock })
  ada = await server.person()
})
afterAll(async () => {
  await second.close()
  await server.close()
  await paystack.close()
})
afterEach(() => paystack.heal())

const card = ({ headers, body }: ReturnType<FakeProvider['message']>, on = server): Promise<Reply> =>
  on.call('POST', '/webhooks/card_provider', { headers, raw: body })
const works = (on = server) => on.app.jobs.drain()
const countEvents = async () =>
  (await server.sql.one<{ count: bigint }>`select count(*) from payment_events`).count

async function begun(): Promise<string> {
  const reply = await topUp(server, ada, { amountMinor: AMOUNT })
  expect(reply).toMatchObject({ status: 200, body: { mode: 'live' } })
  return reply.body.reference
}

describe('200', () => {
  test('immediately, and the job credits the payment', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const reply = await card(paystack.message(reference))
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    expect(await postedAmounts(server, reference)).toEqual([])
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await eventsOf(server, reference)).toMatchObject([
      { kind: 'charge.success', verdict: 'settled', times: 1 },
    ])
    expect(await server.app.metrics.exposition()).toContain(
      'cowrie_payment_credit_seconds_bucket{le="1",rail="paystack"} 1\n',
    )
  })

  test('to a hundred copies on two replicas, with one credit', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const message = paystack.message(reference)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => card(message, i % 2 ? server : second)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await Promise.all([works(server), works(second)])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: 'settled', times: 100 }])
  })

  test('to a replay after 400 days, without a credit', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const message = paystack.message(reference)
    await card(message)
    await works()
    server.clock.advance({ days: 400 })
    expect((await card(message)).status).toBe(200)
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('before a crash, after which another replica runs the job', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const doomed = await startTestServer({
      schedules: SCHEDULES,
      variables: { ...paystack.variables, SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' },
      url: server.url,
      clock: server.clock,
    })
    expect((await card(paystack.message(reference), doomed)).status).toBe(200)
    await doomed.close()
    await works(second)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('to two different events about one payment, with one credit', async () => {
    const reference = await begun()
    paystack.pay(reference)
    await card(paystack.message(reference))
    const other = JSON.stringify({ event: 'charge.completed', data: { id: 77, reference } })
    await card(paystack.signedMessage(other))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    const verdicts = (await eventsOf(server, reference)).map(({ verdict }) => verdict)
    expect(verdicts.sort()).toEqual(['no_change', 'settled'])
  })

  test('to webhook, verify, redirect and sweeper concurrently, with one credit', async () => {
    const reference = await begun()
    paystack.pay(reference)
    await card(paystack.message(reference))
    server.clock.advance({ minutes: 2 })
    const [, , , ...replies] = await Promise.all([
      works(server),
      works(second),
      server.call('GET', '/pay/return', { query: { topup: reference, reference } }),
      verify(server, ada, reference),
      verify(second, ada, reference),
    ])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    const credited = replies.map(({ body }) => body.creditedMinor)
    expect(credited.filter((minor) => minor === AMOUNT).length).toBeLessThanOrEqual(1)
    for (const { status } of replies) expect(status).toBe(200)
  })

  test('to statements about money, which are ignored', async () => {
    const reference = await begun()
    // Correctly signed, but the provider's status reply has no payment.
    const claim = {
      event: 'charge.success',
      data: { id: 1, reference, amount: 99_999_999, status: 'success' },
    }
    await card(paystack.signedMessage(JSON.stringify(claim)))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([])
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: 'pending' }])
    // The same event counts when the status confirms it.
    paystack.pay(reference)
    await card(paystack.signedMessage(JSON.stringify(claim)))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test.for([
    ['less', { amountMinor: 400_000n }],
    ['more', { amountMinor: 600_000n }],
    ['another currency', { currency: 'GHS' }],
  ] as const)('to a payment with %s, which goes to review', async ([, as]) => {
    const reference = await begun()
    paystack.pay(reference, as)
    expect((await card(paystack.message(reference))).status).toBe(200)
    await works()
    expect(await postedAmounts(server, reference)).toEqual([])
    expect((await readPayment(server, reference)).status).toBe('review')
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: 'review' }])
  })

  test('to an unknown reference, stored without a credit', async () => {
    const body = JSON.stringify({
      event: 'charge.success',
      data: { id: 5, reference: 'tpunknown0001', metadata: { org_id: ada.orgId } },
    })
    expect((await card(paystack.signedMessage(body))).status).toBe(200)
    await works()
    expect(await eventsOf(server, 'tpunknown0001')).toMatchObject([{ verdict: 'unknown_reference' }])
  })

  test('to a reversal, which debits the wallet', async () => {
    const reference = await begun()
    paystack.pay(reference)
    await card(paystack.message(reference))
    await works()
    // Events of one instant have no order.
    server.clock.advance({ seconds: 1 })
    paystack.reverse(reference)
    await card(paystack.message(reference))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect((await eventsOf(server, reference)).at(-1)).toMatchObject({ verdict: 'reversed' })
  })

  test('to a reversal that the API does not show yet, which is queried again', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const refund = { event: 'refund.processed', data: { transaction_reference: reference } }
    await card(paystack.signedMessage(JSON.stringify(refund)))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    paystack.reverse(reference)
    server.clock.advance({ minutes: 2 })
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect((await eventsOf(server, reference)).at(-1)).toMatchObject({ verdict: 'reversed' })
  })

  test('to a return that the API never shows, which becomes a case for staff', async () => {
    const reference = await begun()
    paystack.pay(reference)
    await card(paystack.message(reference))
    await works()
    server.clock.advance({ seconds: 1 })
    const refund = { event: 'refund.processed', data: { transaction_reference: reference } }
    await card(paystack.signedMessage(JSON.stringify(refund)))
    await works()
    expect((await eventsOf(server, reference)).at(-1)).toMatchObject({ verdict: null })
    server.clock.advance({ hours: 1 })
    await works()
    expect((await eventsOf(server, reference)).map(({ verdict }) => verdict)).toEqual([
      'settled',
      'case_opened',
    ])
    expect(await server.sql.rows`select kind from payment_cases where reference = ${reference}`).toEqual([
      { kind: 'unclear_return' },
    ])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test.for([
    '[]',
    'null',
    '"text"',
    '{"event":"charge.success"}',
    '{"event":"charge.success","data":[]}',
    '{"event":{},"data":{"reference":["tp"]}}',
    '{"event":"charge.success","data":{"reference":{"$ne":null},"amount":"1000"}}',
    '{"event":"charge.success","data":{"reference":"a\\u0000b","id":"\\ud800"}}',
    '{"event":"charge.success","data":{"reference":"tp1","amount":[1000],"id":{}}}',
  ])('to a signed invalid body (%s), without effect', async (body) => {
    expect((await card(paystack.signedMessage(body))).status).toBe(200)
    await works()
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  test('during an outage of the provider, with a credit afterwards', async () => {
    const reference = await begun()
    paystack.pay(reference)
    paystack.fault('down')
    expect((await card(paystack.message(reference))).status).toBe(200)
    await works()
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: null }])
    paystack.heal()
    server.clock.advance({ minutes: 2 })
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('regardless of a session cookie', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const { headers, body } = paystack.message(reference)
    const reply = await card({
      headers: { ...headers, cookie: 'service_session=x', origin: 'https://evil.example' },
      body,
    })
    expect(reply.status).toBe(200)
    await works()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })
})

describe('400', () => {
  test.for(['', '{', 'event=charge.success'])(
    'to a signed body that is not JSON (%s), which is not stored',
    async (body) => {
      const reply = await card(paystack.signedMessage(body))
      expect(reply).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
    },
  )
})

describe('401', () => {
  test('for ten invalid signatures, which store nothing', async () => {
    const reference = await begun()
    paystack.pay(reference)
    const { headers, body } = paystack.message(reference)
    const good = present(headers['x-paystack-signature'], 'it is signed')
    const before = await countEvents()
    const variants: [Record<string, string>, string][] = [
      [{}, body],
      [{ 'x-paystack-signature': '' }, body],
      [{ 'x-paystack-signature': 'null' }, body],
      [{ 'x-paystack-signature': good.slice(1) }, body],
      [{ 'x-paystack-signature': `${good}00` }, body],
      [{ 'x-paystack-signature': good.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }, body],
      [{ 'x-paystack-signature': '0'.repeat(128) }, body],
      [{ 'x-signature': good }, body],
      [{ 'verif-hash': good }, body],
      [{ 'x-paystack-signature': good }, `${body} `],
      [{ 'x-paystack-signature': good }, JSON.stringify(JSON.parse(body), null, 1)],
      [{ 'x-paystack-signature': good }, body.replace(reference, 'tpvictim0001')],
    ]
    for (const [shown, sent] of variants)
      expect(await card({ headers: shown, body: sent })).toMatchObject({
        status: 401,
        body: { code: 'invalid_signature' },
      })
    await works()
    expect(await countEvents()).toBe(before)
    expect(await postedAmounts(server, reference)).toEqual([])
  })
})

test('413 for a body above 256 KiB', async () => {
  const body = JSON.stringify({ event: 'charge.success', data: { reference: 'x'.repeat(256 * 1024) } })
  expect((await card(paystack.signedMessage(body))).status).toBe(413)
})
