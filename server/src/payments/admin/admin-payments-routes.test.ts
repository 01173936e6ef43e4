import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPayment,
  mailsTo,
  postedAmounts,
  readPayment,
} from '@cowrie/testkit/payments/payment-fixture.ts'
import { customer, PHONES, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { settlePayment } from '../settle/settle.ts'
import { maskPhones } from './admin-payments.ts'

const AMOUNT = 500_000n
let paystack: FakePaystack
let server: TestServer
let billing: Person
let support: Person
let ada: Person

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({
    variables: { ...paystack.variables, SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' },
  })
  billing = await server.person({ staff: 'billing' })
  support = await server.person({ staff: 'support' })
})
afterAll(async () => {
  await server.close()
  await paystack.close()
})
beforeEach(async () => {
  ada = await server.person()
})

const list = (query: Record<string, string> = {}, as: Person = support) =>
  server.call<{
    payments: { reference: string; status: string; events: number }[]
    nextCursor: string | null
  }>('GET', '/admin/payments', { as, query })
const show = (reference: string, as: Person = support) =>
  server.call('GET', `/admin/payments/${reference}`, { as })
const resolve = (
  reference: string,
  body: object,
  as: Person = billing,
  key: string = newId('idem'),
): Promise<Reply> =>
  server.call('POST', `/admin/payments/${reference}/resolve`, {
    as,
    body,
    headers: { 'idempotency-key': key },
  })
const credit = { decision: 'credit', note: 'The bank statement shows it.' }
const reject = { decision: 'reject', note: 'Sent back to the payer.' }

/** A payment for which the provider reports another currency or amount. */
async function disputed(transactionId: string = newId('x'), saidMinor?: bigint): Promise<string> {
  const reference = await createPayment(server, ada)
  const other = { amountMinor: saidMinor ?? 1n, currency: saidMinor === undefined ? 'USD' : 'NGN' }
  const providerStatus = { ...other, reference, live: true, transactionId }
  await settlePayment(server.app, reference, { status: 'paid', ...providerStatus }, 'webhook')
  expect((await readPayment(server, reference)).status).toBe('review')
  return reference
}

describe('GET /admin/payments', () => {
  test('200 to every staff role, filtered by status and organisation, newest first, in pages', async () => {
    const references = []
    for (let i = 0; i < 3; i++) {
      server.clock.advance({ seconds: 1 })
      references.unshift(await createPayment(server, ada))
    }
    const first = await list({ orgId: ada.orgId, limit: '2' })
    expect(first.body.payments.map(({ reference }) => reference)).toEqual(references.slice(0, 2))
    const rest = await list({ orgId: ada.orgId, limit: '2', cursor: first.body.nextCursor ?? '' })
    expect(rest.body).toMatchObject({ payments: [{ reference: references[2] }], nextCursor: null })
    const reviewed = await disputed()
    const { body } = await list({ orgId: ada.orgId, status: 'review' })
    expect(body.payments).toMatchObject([{ reference: reviewed, orgId: ada.orgId, amountMinor: AMOUNT }])
  })

  test('400 for an unknown status and an invalid organisation id', async () => {
    for (const query of [{ status: 'lost' }, { orgId: 'x' }, { cursor: 'x' }, { limit: '0' }])
      expect((await list(query as Record<string, string>)).status).toBe(400)
  })

  test('403 to customers', async () => {
    expect((await list({}, ada)).body).toMatchObject({ code: 'staff_only' })
  })
})

describe('GET /admin/payments/{reference}', () => {
  test('200 with webhook events and masked phone numbers', async () => {
    const abena = await customer(server, 'GHS')
    const { body: topup } = await topUp(server, abena, {
      amountMinor: 10_000n,
      channel: 'telecel_cash',
      phone: PHONES.GHS,
    })
    const { reference } = topup
    const message = { event: 'charge.success', data: { reference, customer: { phone: '+233244123456' } } }
    const { headers, body } = paystack.signedMessage(JSON.stringify(message))
    await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
    await server.app.jobs.drain()
    const reply = await show(reference)
    expect(reply.body).toMatchObject({
      payment: { reference, status: 'pending', channel: 'telecel_cash', events: 1, email: abena.email },
      phone: '+233…456',
      events: [{ kind: 'charge.success', verdict: 'pending', times: 1, sourceIp: '127.0.0.1' }],
    })
    expect(reply.text).toContain('•••456')
    expect(reply.text).not.toContain('244123')
  })

  test('404 for an unknown reference', async () => {
    for (const reference of ['tp00000000', 'x', 'TP00000000', '%00'.slice(1)])
      expect((await show(reference)).status).toBe(404)
  })
})

describe('POST /admin/payments/{reference}/resolve', () => {
  describe('200', () => {
    test('credits the expected amount, sends a receipt and records the audit event', async () => {
      const reference = await disputed()
      expect((await resolve(reference, credit)).body).toMatchObject({
        status: 'settled',
        creditedMinor: AMOUNT,
        balanceMinor: AMOUNT,
      })
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
      expect((await mailsTo(server, ada.email)).map(({ subject }) => subject)).toEqual([
        'Receipt: ₦5,000.00 added to your wallet',
      ])
      const trail = await server.sql.rows`
        select action, actor_kind, actor_user_id, metadata from audit_entries where target = ${reference} order by seq`
      expect(trail.at(-1)).toMatchObject({
        action: 'admin.payments.resolve',
        actor_kind: 'operator',
        actor_user_id: billing.userId,
        metadata: { decision: 'credit', note: credit.note },
      })
    })

    test('credits the received amount, which then limits refunds', async () => {
      const reference = await disputed()
      const reply = await resolve(reference, { ...credit, amountMinor: AMOUNT - 1n })
      expect(reply.body).toMatchObject({ status: 'settled', creditedMinor: AMOUNT - 1n })
      expect(await readPayment(server, reference)).toMatchObject({ capturedMinor: AMOUNT - 1n })
    })

    test('credits by default the amount that the provider reported, and never more', async () => {
      const reference = await disputed(undefined, AMOUNT - 1_000n)
      const more = await resolve(reference, { ...credit, amountMinor: AMOUNT })
      expect([more.status, more.body.fields]).toMatchObject([400, [{ path: 'amountMinor' }]])
      const unsaid = await disputed()
      expect((await resolve(unsaid, { ...credit, amountMinor: AMOUNT + 1n })).status).toBe(400)
      expect(await postedAmounts(server, unsaid)).toEqual([])
      expect((await resolve(reference, credit)).body).toMatchObject({ creditedMinor: AMOUNT - 1_000n })
    })

    test('rejects finally: later provider replies credit nothing', async () => {
      const reference = await disputed()
      expect((await resolve(reference, reject)).body).toMatchObject({ status: 'failed', creditedMinor: 0n })
      const paid = { transactionId: null, amountMinor: AMOUNT, currency: 'NGN', reference, live: true }
      for (const amountMinor of [AMOUNT, 1n]) {
        const providerStatus = { ...paid, status: 'paid' as const, amountMinor }
        expect(await settlePayment(server.app, reference, providerStatus, 'webhook')).toMatchObject({
          changed: false,
        })
      }
      expect(await postedAmounts(server, reference)).toEqual([])
    })

    test('repeats the reply for the same idempotency key and credits once', async () => {
      const reference = await disputed()
      const replies = [
        await resolve(reference, credit, billing, 'once'),
        await resolve(reference, credit, billing, 'once'),
      ]
      expect(replies.map(({ text }) => text)).toEqual([replies[0]?.text, replies[0]?.text])
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    })

    test('to only one of many concurrent requests', async () => {
      const reference = await disputed()
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, i) => resolve(reference, i % 2 ? credit : reject)),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    })
  })

  test('400 without an idempotency key, a decision or a note', async () => {
    const reference = await disputed()
    const path = `/admin/payments/${reference}/resolve`
    expect((await server.call('POST', path, { as: billing, body: credit })).status).toBe(400)
    for (const body of [
      {},
      { decision: 'credit' },
      { ...credit, note: '' },
      { ...credit, note: ' \n' },
      { ...credit, decision: 'steal' },
    ])
      expect((await resolve(reference, body)).status).toBe(400)
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('403 to lower staff tiers, customers and members of the organisation', async () => {
    const reference = await disputed()
    for (const as of [support, ada]) expect((await resolve(reference, credit, as)).status).toBe(403)
    const insider = await server.member(ada.orgId, 'member')
    await server.sql.rows`
      insert into staff (user_id, role, created_at) values (${insider.userId}, 'billing', ${server.clock.now()})`
    expect((await resolve(reference, credit, insider)).body).toMatchObject({ code: 'forbidden' })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('404 for an unknown reference', async () => {
    expect((await resolve('tp00000000', credit)).status).toBe(404)
  })

  describe('409', () => {
    test('for a payment that is not under review', async () => {
      const reference = await createPayment(server, ada)
      expect((await resolve(reference, credit)).body).toMatchObject({ code: 'payment_not_in_review' })
      const decided = await disputed()
      await resolve(decided, credit)
      expect((await resolve(decided, credit)).body).toMatchObject({ code: 'payment_not_in_review' })
      expect(await postedAmounts(server, decided)).toEqual([AMOUNT])
    })

    test('for a transaction that settled another payment', async () => {
      const [first, twin] = [await disputed('shared'), await disputed('shared')]
      expect((await resolve(first, credit)).status).toBe(200)
      expect((await resolve(twin, credit)).body).toMatchObject({ code: 'transaction_used' })
      expect(await postedAmounts(server, twin)).toEqual([])
      expect((await resolve(twin, reject)).status).toBe(200)
    })

    test('for a wallet whose currency has changed', async () => {
      const reference = await disputed()
      await server.sql.rows`update orgs set currency = 'KES' where id = ${ada.orgId}`
      expect((await resolve(reference, credit)).status).toBe(409)
      expect(await postedAmounts(server, reference)).toEqual([])
    })
  })
})

describe('POST /admin/payments/{reference}/check', () => {
  const check = (reference: string, as: Person = billing) =>
    server.call('POST', `/admin/payments/${reference}/check`, { as, body: {} })

  test('200 queries the provider and settles by its reply', async () => {
    const { reference } = (await topUp(server, ada, { amountMinor: AMOUNT })).body
    expect((await check(reference)).body).toMatchObject({ status: 'pending', answer: 'pending' })
    paystack.pay(reference)
    expect((await check(reference)).body).toMatchObject({
      status: 'settled',
      answer: 'paid',
      creditedMinor: AMOUNT,
    })
    const trail = await server.sql.rows`select action from audit_entries where target = ${reference}`
    expect(trail.filter(({ action }: { action?: string }) => action === 'admin.payments.check')).toHaveLength(
      2,
    )
  })

  test('200 with status unknown if the provider does not answer', async () => {
    const { reference } = (await topUp(server, ada, { amountMinor: AMOUNT })).body
    paystack.fault('down')
    expect((await check(reference)).body).toMatchObject({ status: 'pending', answer: 'unknown' })
    paystack.heal()
  })

  test('403 to lower staff tiers, 404 for an unknown reference', async () => {
    expect((await check('tp00000000', support)).status).toBe(403)
    expect((await check('tp00000000')).status).toBe(404)
  })
})

test.for([
  ['{"phone":"+254712345678"}', '{"phone":"+•••678"}'],
  ['{"Name":"PhoneNumber","Value":254712345678}', '{"Name":"PhoneNumber","Value":•••678}'],
  ['customerMobile=01012345678&x=1', 'customerMobile=•••678&x=1'],
  ['MSISDN=%2B256772123456', 'MSISDN=%2B•••456'],
  ['{"partyIdType":"MSISDN","partyId":"256772123456"}', '{"partyIdType":"MSISDN","partyId":"•••456"}'],
  ['{"id":4099260516,"reference":"tp1"}', '{"id":4099260516,"reference":"tp1"}'],
] as const)('a phone number in a field named like one is masked: %s', ([raw, masked]) => {
  expect(maskPhones(raw)).toBe(masked)
})
