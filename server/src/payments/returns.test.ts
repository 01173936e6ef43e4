// Money that went back to the payer outside of us: partial refunds and disputes at the provider, and what becomes of them here.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test/harness.ts'
import { holdSome, include, spend } from '../wallet/money.fixture.ts'
import { eventsAbout, mailsTo, movedFor, rowOf } from './payment.fixture.ts'
import { notifyUrl } from './rail-token.ts'
import { type FawryStandIn, startFawryStandIn } from './rails/fawry-stand-in.ts'
import { type FlutterwaveStandIn, startFlutterwaveStandIn } from './rails/flutterwave-stand-in.ts'
import { type OpayStandIn, startOpayStandIn } from './rails/opay-stand-in.ts'
import { type OzowStandIn, startOzowStandIn } from './rails/ozow-stand-in.ts'
import { type PaystackStandIn, startPaystackStandIn } from './rails/paystack-stand-in.ts'
import type { RailStandIn } from './rails/stand-in.ts'
import { customer, topUp } from './topup.fixture.ts'

const AMOUNT = 500_000n
let paystack: PaystackStandIn
let flutterwave: FlutterwaveStandIn
let opay: OpayStandIn
let ozow: OzowStandIn
let fawry: FawryStandIn
let server: TestServer
let second: TestServer
let staff: Person

beforeAll(async () => {
  paystack = await startPaystackStandIn()
  flutterwave = await startFlutterwaveStandIn()
  opay = await startOpayStandIn('NG')
  ozow = await startOzowStandIn()
  fawry = await startFawryStandIn()
  const variables = {
    ...paystack.variables,
    ...flutterwave.variables,
    ...opay.variables,
    ...ozow.variables,
    ...fawry.variables,
    SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
    SERVICE_WEBHOOK_TOKEN_MPESA: 'a-token-of-the-operator',
  }
  server = await startTestServer({ variables })
  second = await startTestServer({ variables, url: server.url, clock: server.clock })
  staff = await server.person({ staff: 'billing' })
})
afterAll(async () => {
  await second.close()
  await server.close()
  await Promise.all([paystack, flutterwave, opay, ozow, fawry].map((fake) => fake.close()))
})
afterEach(async () => {
  for (const fake of [paystack, flutterwave, opay, ozow, fawry]) fake.heal()
  const { body } = await server.call('GET', '/admin/ledger/invariants', { as: staff })
  expect(body).toMatchObject({ ok: true })
})

type Message = ReturnType<RailStandIn['message']>

async function post(path: string, { headers, body }: Message, on = server): Promise<void> {
  expect(await on.call('POST', path, { headers, raw: body })).toMatchObject({ status: 200 })
  await on.app.jobs.drain()
}
const card = (message: Message, on = server) => post('/webhooks/card_provider', message, on)

async function settled(person: Person): Promise<string> {
  const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
  paystack.pay(reference)
  await card(paystack.message(reference))
  expect(await movedFor(server, reference)).toEqual([AMOUNT])
  return reference
}

const walletOf = async (person: Person) => (await server.call('GET', '/wallet', { as: person })).body
type Cases = { cases: { id: string; kind: string }[] }
const casesOf = async (reference: string) =>
  (await server.call<Cases>('GET', '/admin/payment-cases', { as: staff, query: { reference } })).body.cases
const ledgerOf = async (person: Person) =>
  (await server.call('GET', '/wallet/ledger', { as: person })).body.entries as { id: string; type: string }[]

describe('a partial refund at the provider', () => {
  test('is debited once, explained and credited on the invoice, however often it is announced', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const message = paystack.returns.refund(reference, 120_000)
    for (const on of [server, second, server]) await card(message, on)
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -120_000n])
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 380_000n, heldMinor: 0n })
    expect(await casesOf(reference)).toEqual([])
    const [entry] = await ledgerOf(person)
    const explained = await server.call('GET', `/wallet/ledger/${entry?.id}`, { as: person })
    expect(explained.body).toMatchObject({
      entry: { type: 'debit', amountMinor: 120_000n, ref: reference },
      explanation: { kind: 'reversal', payment: { reference } },
    })
    expect(explained.body.explanation).toMatchObject({
      summary: expect.stringContaining('refunded a part'),
    })
    const notes = await server.sql.rows`
      select total_minor from credit_notes where cause like ${`return ${reference} %`}`
    expect(notes).toEqual([{ total_minor: 120_000n }])
    expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).toContain(
      '₦1,200.00 of your payment went back to you',
    )
    const proof = await server.call('GET', '/wallet/proof', { as: person })
    expect(proof.body).toMatchObject({ matches: true, checked: { intact: true } })
    const actions = await server.sql.rows`
      select action from audit_entries where target = ${reference} and action = 'payments.return'`
    expect(actions).toHaveLength(1)
  })

  test('takes what is free, never what is held or spent, and opens a case for the rest', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 300_000n)
    await holdSome(server, person, 150_000n)
    await card(paystack.returns.refund(reference, 200_000))
    expect(await walletOf(person)).toMatchObject({
      balanceMinor: 150_000n,
      heldMinor: 150_000n,
      availableMinor: 0n,
    })
    const [found, ...others] = await casesOf(reference)
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'shortfall', amountMinor: 150_000n, resolvedAt: null })
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'Money of a payment went back to its payer',
    )
    const resolve = (key: string) =>
      server.call('POST', `/admin/payment-cases/${found?.id}/resolve`, {
        as: staff,
        body: { note: 'Asked the customer to pay it again.' },
        headers: { 'idempotency-key': key },
      })
    expect(await resolve('one')).toMatchObject({ status: 200 })
    expect(await resolve('two')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const open = await server.call('GET', '/admin/payment-cases', {
      as: staff,
      query: { status: 'open', reference },
    })
    expect(open.body.cases).toEqual([])
  })

  test('before the payment itself was announced is taken after it was credited', async () => {
    const person = await server.person()
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
    paystack.pay(reference)
    await card(paystack.returns.refund(reference, 50_000))
    await card(paystack.message(reference))
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -50_000n])
  })

  test('followed by the refund of the rest takes back exactly what was paid', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.refund(reference, 120_000))
    paystack.reverse(reference)
    await card(paystack.message(reference))
    await card(paystack.returns.refund(reference, 380_000))
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -120_000n, -380_000n])
    const { total } = await server.sql.one<{ total: bigint }>`
      select sum(total_minor)::bigint as total from credit_notes where reason is not null and invoice_id =
        (select invoice_id from payments where reference = ${reference})`
    expect(total).toBe(AMOUNT)
  })

  test('leaves that much less for staff to refund', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.refund(reference, 120_000))
    const refund = await server.call('POST', '/wallet/refund', {
      as: staff,
      body: { orgId: person.orgId, amountMinor: AMOUNT, reason: 'goodwill', reference },
      headers: { 'idempotency-key': reference },
    })
    expect(refund).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_captured', remainingMinor: 380_000n },
    })
  })

  test.for(['pending', 'processing', 'failed'])('that is %s moves nothing', async (status) => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.refund(reference, 120_000, status))
    expect(await movedFor(server, reference)).toEqual([AMOUNT])
    expect((await eventsAbout(server, reference)).at(-1)).toMatchObject({ verdict: 'no_change' })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'is found again after the provider was %s when it was asked',
    async (fault) => {
      const person = await server.person()
      const reference = await settled(person)
      const message = paystack.returns.refund(reference, 120_000)
      paystack.fault(fault)
      await card(message)
      expect(await movedFor(server, reference)).toEqual([AMOUNT])
      paystack.heal()
      server.clock.advance({ minutes: 20 })
      await server.app.jobs.drain()
      expect(await movedFor(server, reference)).toEqual([AMOUNT, -120_000n])
    },
  )
})

describe('a dispute', () => {
  test('freezes the amount in the wallet, not the allowance of the plan, and alerts staff', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await include(server, person.orgId, 900_000n)
    const message = paystack.returns.dispute(reference, 200_000)
    for (const on of [server, second]) await card(message, on)
    expect(await walletOf(person)).toMatchObject({
      balanceMinor: AMOUNT,
      heldMinor: 200_000n,
      availableMinor: 300_000n,
      includedRemainingMinor: 900_000n,
    })
    expect(await casesOf(reference)).toMatchObject([
      { kind: 'dispute', amountMinor: 200_000n, resolvedAt: null },
    ])
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'A payment is disputed',
    )
    const shown = await server.call('GET', `/admin/payments/${reference}`, { as: staff })
    expect(shown.body.payment).toMatchObject({ disputedMinor: 200_000n, returnedMinor: 0n })
  })

  test('that is won releases what was frozen, and its case is closed', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    await card(paystack.returns.decide(reference, 'won'))
    expect(await walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
    expect(await casesOf(reference)).toMatchObject([{ kind: 'dispute', resolvedAt: expect.anything() }])
    expect(await movedFor(server, reference)).toEqual([AMOUNT])
  })

  test('that is lost debits it once, although the provider lists it as a refund too', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    const message = paystack.returns.decide(reference, 'lost')
    for (const on of [server, second]) await card(message, on)
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 300_000n, heldMinor: 0n })
  })

  test('that is lost before its beginning was heard of is debited', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const beginning = paystack.returns.dispute(reference, 200_000)
    const end = paystack.returns.decide(reference, 'lost')
    await card(end)
    await card(beginning)
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await walletOf(person)).toMatchObject({ heldMinor: 0n })
  })

  test('whose end is never announced is found by asking', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    expect(await walletOf(person)).toMatchObject({ heldMinor: 200_000n })
    paystack.returns.decide(reference, 'won')
    for (let hour = 0; hour < 26; hour += 2) {
      server.clock.advance({ hours: 2 })
      await server.app.jobs.drain()
    }
    expect(await walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
  })

  test('of money that is spent freezes what is left, and the case says so', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 450_000n)
    await card(paystack.returns.dispute(reference, 500_000))
    expect(await walletOf(person)).toMatchObject({ heldMinor: 50_000n, availableMinor: 0n })
    await card(paystack.returns.decide(reference, 'lost'))
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
    const cases = await casesOf(reference)
    expect(cases).toHaveLength(2)
    expect(cases).toContainEqual(expect.objectContaining({ kind: 'shortfall', amountMinor: 450_000n }))
  })

  test('that ends in a reversal of the whole payment takes it back once', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 500_000))
    expect(await walletOf(person)).toMatchObject({ heldMinor: AMOUNT })
    paystack.reverse(reference)
    await card(paystack.message(reference))
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
  })
})

describe('Flutterwave', () => {
  const hook = () => new URL(notifyUrl(server.app, 'flutterwave')).pathname
  async function settledHere(person: Person): Promise<string> {
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'flutterwave' })).body
    flutterwave.pay(reference)
    await post(hook(), flutterwave.message(reference))
    expect(await movedFor(server, reference)).toEqual([AMOUNT])
    return reference
  }

  test('refunds that name only the transaction are debited', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const message = flutterwave.refund(reference, 1_200)
    for (const on of [server, second]) await post(hook(), message, on)
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -120_000n])
  })

  test('chargebacks freeze, and a lost one debits', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.chargeback(reference, 2_000, 'initiated')
    const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    await check()
    expect(await walletOf(person)).toMatchObject({ heldMinor: 200_000n })
    flutterwave.chargeback(reference, 2_000, 'lost')
    await check()
    expect(await movedFor(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await walletOf(person)).toMatchObject({ heldMinor: 0n })
  })

  test('a second payment under one reference is credited as a payment of its own, once', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    const message = flutterwave.message(reference)
    for (const on of [server, second, server]) await post(hook(), message, on)
    expect(await walletOf(person)).toMatchObject({ balanceMinor: AMOUNT * 2n })
    const payments = await server.sql.rows<{ reference: string; repeat_of: string; transaction_id: string }>`
      select reference, repeat_of, transaction_id from payments where org_id = ${person.orgId} order by created_at, reference`
    expect(payments).toHaveLength(2)
    expect(new Set(payments.map(({ transaction_id }) => transaction_id)).size).toBe(2)
    expect(payments.map(({ repeat_of }) => repeat_of)).toContain(reference)
    expect((await ledgerOf(person)).map(({ type }) => type)).toEqual(['credit', 'credit'])
  })

  test('a second payment in another currency is put under review', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference, { currency: 'USD', amountMinor: 1_000n })
    await post(hook(), flutterwave.message(reference))
    expect(await walletOf(person)).toMatchObject({ balanceMinor: AMOUNT })
    const { status } = await server.sql.one<{ status: string }>`
      select status from payments where repeat_of = ${reference}`
    expect(status).toBe('review')
  })

  test('a second payment that is never announced is found when the page closes', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    server.clock.advance({ hours: 25 })
    await server.app.jobs.drain()
    expect(await walletOf(person)).toMatchObject({ balanceMinor: AMOUNT * 2n })
  })
})

test('a second payment under one reference at Ozow is credited as a payment of its own, once', async () => {
  const person = await customer(server, 'ZAR')
  const { reference } = (await topUp(server, person, { amountMinor: 25_000n, channel: 'ozow' })).body
  const path = new URL(notifyUrl(server.app, 'ozow')).pathname
  ozow.pay(reference)
  await post(path, ozow.message(reference))
  ozow.pay(reference)
  const message = ozow.message(reference)
  for (const on of [server, second, server]) await post(path, message, on)
  expect(await walletOf(person)).toMatchObject({ balanceMinor: 50_000n })
  expect(await movedFor(server, reference)).toEqual([25_000n])
  const repeats = await server.sql.rows`
    select status, captured_minor from payments where repeat_of = ${reference}`
  expect(repeats).toEqual([{ status: 'settled', captured_minor: 25_000n }])
})

describe('a return that nobody can ask about', () => {
  test('opens a case when the provider says that a part went back, and not how much', async () => {
    const person = await customer(server, 'EGP')
    const wish = { amountMinor: 25_000n, channel: 'fawry', phone: '01012345678' }
    const { reference } = (await topUp(server, person, wish)).body
    fawry.pay(reference)
    const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    await check()
    fawry.become(reference, 'PARTIAL_REFUNDED')
    await check()
    await check()
    expect(await movedFor(server, reference)).toEqual([25_000n])
    expect(await casesOf(reference)).toMatchObject([{ kind: 'unclear_return', resolvedAt: null }])
  })

  test('opens a case when the provider announced it and its answers do not show it', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'opay' })).body
    opay.pay(reference)
    const path = `/webhooks/rail/${new URL(notifyUrl(server.app, 'opay')).pathname.split('/').at(-1)}`
    await post(path, opay.message(reference))
    expect(await movedFor(server, reference)).toEqual([AMOUNT])
    opay.reverse(reference)
    await post(path, opay.message(reference, 1))
    for (let i = 0; i < 8; i++) {
      server.clock.advance({ minutes: 15 })
      await server.app.jobs.drain()
    }
    expect(await casesOf(reference)).toMatchObject([{ kind: 'unclear_return' }])
    expect(await rowOf(server, reference)).toMatchObject({ status: 'settled', reversedAt: null })
  })

  test('opens a case when the message names no payment of ours', async () => {
    const reply = await server.call('POST', '/webhooks/rail/a-token-of-the-operator', {
      body: { Result: { ResultCode: 0, ResultDesc: 'Reversal done', TransactionID: 'QKA81LK5CY' } },
    })
    expect(reply.status).toBe(200)
    const { body } = await server.call('GET', '/admin/payment-cases', {
      as: staff,
      query: { status: 'open' },
    })
    expect(body.cases).toContainEqual(expect.objectContaining({ kind: 'unread_message', reference: null }))
  })
})
