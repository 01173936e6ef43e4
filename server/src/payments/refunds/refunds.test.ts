// Refunds to the card that paid, at Paystack: money, states, failures and repetitions.
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type Message, type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceRefund } from './advance.ts'
import { claimAttempt, openRefundOf } from './sql.ts'

const AMOUNT = 500_000n
let world: ReturnsWorld
let server: TestServer
let second: TestServer
let staff: Person
let paystack: ReturnsWorld['paystack']
let count = 0

beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, second, staff, paystack } = world)
})
afterAll(() => world.close())
afterEach(() => {
  paystack.returns.answerRefunds('pending')
  return world.checkLedger()
})

const card = (message: Message, on = server) => world.post('/webhooks/card_provider', message, on)

async function settled(person: Person): Promise<string> {
  const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
  paystack.pay(reference)
  await card(paystack.message(reference))
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  return reference
}

type Options = { key?: string; on?: TestServer; as?: Person }

const ask = (reference: string, amountMinor: bigint, { key, on = server, as = staff }: Options = {}) =>
  on.call('POST', `/admin/payments/${reference}/refund-to-source`, {
    as,
    body: { amountMinor, reason: 'Paid twice by mistake' },
    headers: { 'idempotency-key': key ?? `refund${++count}` },
  })

/** Requests a refund, and runs its job. */
async function refund(reference: string, amountMinor: bigint, options?: Options) {
  const reply = await ask(reference, amountMinor, options)
  expect(reply).toMatchObject({ status: 200, body: { state: 'requested' } })
  await server.app.jobs.drain()
  return String(reply.body.id)
}

async function refundsOf(reference: string) {
  const shown = await server.call('GET', `/admin/payments/${reference}`, { as: staff })
  return shown.body.sourceRefunds
}

async function pass(minutes: number) {
  server.clock.advance({ minutes })
  await server.app.jobs.drain()
}

describe('a refund to the payer', () => {
  test('freezes the money, and debits it once when the provider has paid', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await refund(reference, 120_000n)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 120_000n })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await refundsOf(reference)).toMatchObject([{ state: 'sent', amountMinor: 120_000n }])
    const message = paystack.returns.finish(reference, 'processed')
    for (const on of [server, second, server]) await card(message, on)
    // The sweep and a check by staff report the same refund.
    await server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    await pass(90)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 380_000n, heldMinor: 0n })
    expect(await refundsOf(reference)).toMatchObject([{ state: 'done', providerId: expect.any(String) }])
    expect(paystack.returns.requested(reference)).toHaveLength(1)
  })

  test('is explained in the ledger, credited on the invoice once, audited and mailed', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.returns.answerRefunds('processed')
    const id = await refund(reference, 120_000n)
    await card(paystack.returns.finish(reference, 'processed'))
    const [entry] = await world.ledgerOf(person)
    const explained = await server.call('GET', `/wallet/ledger/${entry?.id}`, { as: person })
    expect(explained.body.explanation).toMatchObject({
      kind: 'reversal',
      summary: expect.stringContaining('to the card, account or phone that paid'),
    })
    const notes = await server.sql.rows`
      select total_minor, reason from credit_notes where cause like ${`return ${reference} %`}`
    expect(notes).toEqual([{ total_minor: 120_000n, reason: 'Paid twice by mistake' }])
    const mails = await mailsTo(server, person.email)
    expect(mails.filter(({ text }) => text.includes('We refunded ₦1,200.00'))).toHaveLength(1)
    const actions = await server.sql.rows<{ action: string }>`
      select action from audit_entries where target = ${reference} and metadata ->> 'refundId' = ${id}
      order by created_at, seq`
    expect(actions.map(({ action }) => action)).toEqual([
      'admin.payments.refund_to_source',
      'payments.return',
    ])
  })

  test('of the whole payment is debited once, although the provider also reports a reversal', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await refund(reference, AMOUNT)
    await card(paystack.returns.finish(reference, 'processed'))
    await pass(90)
    await server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
    const about = (await mailsTo(server, person.email)).filter(({ text }) => text.includes(reference))
    expect(about.map(({ subject }) => subject).filter((each) => !each.startsWith('Receipt'))).toEqual([
      '₦5,000.00 of your payment went back to you',
    ])
  })

  test('whose webhook arrives before the reply of the provider is debited once', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.fault('silent')
    await refund(reference, 120_000n)
    paystack.heal()
    await spend(server, person, 380_000n)
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    expect(await world.casesOf(reference)).toEqual([])
    expect(await refundsOf(reference)).toMatchObject([{ state: 'done' }])
    await pass(60)
    expect(paystack.returns.requested(reference)).toHaveLength(1)
  })

  test('that the provider refuses is given back', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.returns.answerRefunds('refused')
    await refund(reference, 120_000n)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
    expect(await refundsOf(reference)).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('balance is not enough') },
    ])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'A refund to the payer failed',
    )
    paystack.returns.answerRefunds('processed')
    await refund(reference, 120_000n)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })

  test('that fails days later is given back', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await refund(reference, 120_000n)
    await pass(3 * 24 * 60)
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 120_000n })
    await card(paystack.returns.finish(reference, 'failed'))
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
    expect(await refundsOf(reference)).toMatchObject([{ state: 'failed' }])
  })

  test('stays frozen without an answer, and is never sent twice', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.fault('silent')
    await refund(reference, 120_000n)
    for (const minutes of [5, 40, 60]) await pass(minutes)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 120_000n })
    paystack.heal()
    await pass(60)
    expect(paystack.returns.requested(reference)).toHaveLength(1)
    paystack.returns.finish(reference, 'processed')
    await pass(60)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })

  test('is sent by the sweep after a kill before the request', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await ask(reference, 120_000n)
    // The job is lost with its process.
    await server.sql.rows`delete from jobs where name = 'payments.refund'`
    expect(paystack.returns.requested(reference)).toEqual([])
    await pass(2)
    expect(paystack.returns.requested(reference)).toHaveLength(1)
    expect(await refundsOf(reference)).toMatchObject([{ state: 'sent' }])
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })

  test('is sent once after a kill between the record of the attempt and the request', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await ask(reference, 120_000n)
    await server.sql.rows`delete from jobs where name = 'payments.refund'`
    await server.app.db.tx('platform', async (tx) => {
      const open = await openRefundOf(tx, reference)
      if (open) await claimAttempt(tx, open, tx.now)
    })
    await pass(5)
    // The list of the provider may lag behind, so an absent refund is not sent again at once.
    expect(paystack.returns.requested(reference)).toEqual([])
    await pass(40)
    await pass(40)
    expect(paystack.returns.requested(reference)).toHaveLength(1)
  })

  test('that is refused because an earlier attempt succeeded stays frozen until it is paid', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.fault('silent')
    const id = (await refund(reference, AMOUNT)) as `srf_${string}`
    paystack.heal()
    server.clock.advance({ minutes: 45 })
    // The list lags behind, so the refund is sent again, and refused as too high.
    paystack.scriptedReplies.push({ status: 200, body: { status: true, message: 'Refunds', data: [] } })
    await advanceRefund(server.app, id)
    expect(
      paystack.requests.filter(({ method, path }) => method === 'POST' && path === '/refund').at(-1)?.raw,
    ).toContain(id)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: AMOUNT })
    expect(paystack.returns.requested(reference)).toHaveLength(1)
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
  })

  test('is sent once by two workers', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const { id } = (await ask(reference, 120_000n)).body as { id: `srf_${string}` }
    await Promise.all([advanceRefund(server.app, id), advanceRefund(second.app, id)])
    await server.app.jobs.drain()
    expect(paystack.returns.requested(reference)).toHaveLength(1)
  })

  test('is requested once by a repeated request, and one at a time by two people', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const other = await server.person({ staff: 'operator' })
    const replies = await Promise.all([
      ask(reference, 120_000n, { key: `same-${reference}` }),
      ask(reference, 120_000n, { key: `same-${reference}`, on: second }),
      ask(reference, 120_000n, { as: other, on: second }),
    ])
    const requested = replies.filter(({ status }) => status === 200)
    expect(new Set(requested.map(({ body }) => body.id)).size).toBe(1)
    for (const { status } of replies) expect([200, 409]).toContain(status)
    await server.app.jobs.drain()
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 120_000n })
    expect(paystack.returns.requested(reference)).toHaveLength(1)
    expect(await ask(reference, 1n)).toMatchObject({ status: 409, body: { code: 'refund_in_progress' } })
  })

  test('is at most the free balance', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 300_000n)
    await holdSome(server, person, 150_000n)
    expect(await ask(reference, 60_000n)).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_balance', availableMinor: 50_000n },
    })
    expect(await refundsOf(reference)).toEqual([])
    await refund(reference, 50_000n)
    expect(await world.walletOf(person)).toMatchObject({ availableMinor: 0n, heldMinor: 200_000n })
  })

  test('is at most what is left of the payment after refunds, returns and disputes', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.refund(reference, 100_000))
    await card(paystack.returns.dispute(reference, 200_000))
    expect(await ask(reference, 200_001n)).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_captured', remainingMinor: 200_000n },
    })
    await refund(reference, 150_000n)
    const toWallet = await server.call('POST', '/wallet/refund', {
      as: staff,
      body: { orgId: person.orgId, amountMinor: 60_000n, reason: 'goodwill', reference },
      headers: { 'idempotency-key': `wallet-${reference}` },
    })
    expect(toWallet).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_captured', remainingMinor: 50_000n },
    })
    await card(paystack.returns.finish(reference, 'processed'))
    await card(paystack.returns.decide(reference, 'lost'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -100_000n, -150_000n, -200_000n])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 50_000n, heldMinor: 0n })
  })

  test('that is overtaken by a reversal of the whole payment is debited with it', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await refund(reference, 120_000n)
    paystack.reverse(reference)
    await card(paystack.message(reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
    expect(await refundsOf(reference)).toMatchObject([{ state: 'done' }])
  })

  test('beside a refund from the dashboard of the same amount: both are debited once', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await refund(reference, 120_000n)
    const own = paystack.returns.finish(reference, 'processed')
    await card(paystack.returns.refund(reference, 120_000))
    await card(own)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n, -120_000n])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 260_000n, heldMinor: 0n })
  })

  test('that needs an action at the provider opens a case, and still ends by itself', async () => {
    const person = await server.person()
    const reference = await settled(person)
    paystack.returns.answerRefunds('needs-attention')
    await refund(reference, 120_000n)
    expect(await world.casesOf(reference)).toMatchObject([{ kind: 'refund', resolvedAt: null }])
    expect(await refundsOf(reference)).toMatchObject([{ state: 'unclear' }])
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await world.casesOf(reference)).toMatchObject([{ resolvedAt: expect.anything() }])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })
})

describe('an unclear refund', () => {
  const decide = (id: string, body: object) =>
    server.call('POST', `/admin/source-refunds/${id}/decide`, {
      as: staff,
      body: { note: 'Looked it up.', ...body },
      headers: { 'idempotency-key': `decide${++count}` },
    })

  async function unclear(reference: string): Promise<string> {
    paystack.fault('silent')
    const id = await refund(reference, 120_000n)
    expect(await decide(id, { decision: 'returned' })).toMatchObject({ status: 409 })
    await pass(25 * 60)
    expect(await world.casesOf(reference)).toMatchObject([{ kind: 'refund', resolvedAt: null }])
    paystack.heal()
    // The circuit closes again.
    await pass(1)
    return id
  }

  test('is debited by decision of staff, and not again when the provider lists it later', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const id = await unclear(reference)
    expect(await decide(id, { decision: 'returned' })).toMatchObject({ status: 200, body: { state: 'done' } })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    expect(await decide(id, { decision: 'not_returned' })).toMatchObject({ status: 409 })
  })

  test('is released by decision of staff, and debited if the provider pays it after all', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const id = await unclear(reference)
    expect(await decide(id, { decision: 'not_returned' })).toMatchObject({ body: { state: 'failed' } })
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
    await card(paystack.returns.finish(reference, 'processed'))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })
})

test('only staff of the right tier, outside the organisation, can refund to the payer', async () => {
  const member = await server.person({ staff: 'billing' })
  const reference = await settled(member)
  const support = await server.person({ staff: 'support' })
  expect(await ask(reference, 1n, { as: support })).toMatchObject({ status: 403 })
  expect(await ask(reference, 1n, { as: member })).toMatchObject({ status: 403 })
  expect(await ask(reference, 1n)).toMatchObject({ status: 200 })
})
