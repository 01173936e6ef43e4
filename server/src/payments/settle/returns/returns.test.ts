// Partial refunds and disputes at the provider, and their effect on the wallet.

import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { eventsOf, mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type Message, type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { grantAllowance, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const HOURS_BETWEEN = rounds(13, 2)
const AMOUNT = 500_000n
let world: ReturnsWorld
let server: TestServer
let second: TestServer
let staff: Person
let paystack: ReturnsWorld['paystack']

beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, second, staff, paystack } = world)
})
afterAll(() => world.close())
afterEach(() => world.checkLedger())

const card = (message: Message, on = server) => world.post('/webhooks/card_provider', message, on)

async function settled(person: Person): Promise<string> {
  const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
  paystack.pay(reference)
  await card(paystack.message(reference))
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  return reference
}

describe('a partial refund at the provider', () => {
  test('is debited once, explained and credited on the invoice, with any number of webhooks', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const message = paystack.returns.refund(reference, 120_000)
    for (const on of [server, second, server]) await card(message, on)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 380_000n, heldMinor: 0n })
    expect(await world.casesOf(reference)).toEqual([])
    const [entry] = await world.ledgerOf(person)
    const explained = await server.call('GET', `/wallet/ledger/${entry?.id}`, { as: person })
    expect(explained.body).toMatchObject({
      entry: { type: 'debit', amountMinor: 120_000n, ref: reference },
      explanation: { kind: 'reversal', payment: { reference } },
    })
    expect(explained.body.explanation).toMatchObject({
      summary: expect.stringContaining('refunded part of'),
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

  test('debits the free balance only and opens a case for the rest', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 300_000n)
    await holdSome(server, person, 150_000n)
    await card(paystack.returns.refund(reference, 200_000))
    expect(await world.walletOf(person)).toMatchObject({
      balanceMinor: 150_000n,
      heldMinor: 150_000n,
      availableMinor: 0n,
    })
    const [found, ...others] = await world.casesOf(reference)
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'shortfall', amountMinor: 150_000n, resolvedAt: null })
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'A payment was returned to its payer',
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

  test('is debited after the credit if it arrives before the payment', async () => {
    const person = await server.person()
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
    paystack.pay(reference)
    await card(paystack.returns.refund(reference, 50_000))
    await card(paystack.message(reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -50_000n])
  })

  test('and the refund of the rest debit exactly the paid amount', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.refund(reference, 120_000))
    paystack.reverse(reference)
    await card(paystack.message(reference))
    await card(paystack.returns.refund(reference, 380_000))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n, -380_000n])
    const { total } = await server.sql.one<{ total: bigint }>`
      select sum(total_minor)::bigint as total from credit_notes where reason is not null and invoice_id =
        (select invoice_id from payments where reference = ${reference})`
    expect(total).toBe(AMOUNT)
  })

  test('reduces the amount that staff can refund', async () => {
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

  test.for(isSoak ? ['pending', 'processing', 'failed'] : ['failed'])(
    'with status %s changes nothing',
    async (status) => {
      const person = await server.person()
      const reference = await settled(person)
      await card(paystack.returns.refund(reference, 120_000, status))
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
      expect((await eventsOf(server, reference)).at(-1)).toMatchObject({ verdict: 'no_change' })
    },
  )

  test.for(isSoak ? (['down', 'silent', 'garbage'] as const) : (['silent'] as const))(
    'is retried after the provider was %s',
    async (fault) => {
      const person = await server.person()
      const reference = await settled(person)
      const message = paystack.returns.refund(reference, 120_000)
      paystack.fault(fault)
      await card(message)
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
      paystack.heal()
      server.clock.advance({ minutes: 20 })
      await server.app.jobs.drain()
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
    },
  )
})

describe('a dispute', () => {
  test('freezes the amount in the wallet, not the allowance of the plan, and alerts staff', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await grantAllowance(server, person.orgId, 900_000n)
    const message = paystack.returns.dispute(reference, 200_000)
    for (const on of [server, second]) await card(message, on)
    expect(await world.walletOf(person)).toMatchObject({
      balanceMinor: AMOUNT,
      heldMinor: 200_000n,
      availableMinor: 300_000n,
      includedRemainingMinor: 900_000n,
    })
    expect(await world.casesOf(reference)).toMatchObject([
      { kind: 'dispute', amountMinor: 200_000n, resolvedAt: null },
    ])
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'A payment is disputed',
    )
    const shown = await server.call('GET', `/admin/payments/${reference}`, { as: staff })
    expect(shown.body.payment).toMatchObject({ disputedMinor: 200_000n, returnedMinor: 0n })
  })

  test('that is won releases the frozen amount and closes its case', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    await card(paystack.returns.decide(reference, 'won'))
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
    expect(await world.casesOf(reference)).toMatchObject([{ kind: 'dispute', resolvedAt: expect.anything() }])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('that is lost is debited once, although the provider also lists a refund', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    const message = paystack.returns.decide(reference, 'lost')
    for (const on of [server, second]) await card(message, on)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 300_000n, heldMinor: 0n })
  })

  test('that is lost before its first webhook is debited', async () => {
    const person = await server.person()
    const reference = await settled(person)
    const beginning = paystack.returns.dispute(reference, 200_000)
    const end = paystack.returns.decide(reference, 'lost')
    await card(end)
    await card(beginning)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 0n })
  })

  test('without a webhook about its end is found by a status query', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 200_000))
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 200_000n })
    paystack.returns.decide(reference, 'won')
    for (let hour = 0; hour < 26; hour += HOURS_BETWEEN) {
      server.clock.advance({ hours: HOURS_BETWEEN })
      await server.app.jobs.drain()
    }
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
  })

  test('of spent money freezes the rest, and the case shows the difference', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 450_000n)
    await card(paystack.returns.dispute(reference, 500_000))
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 50_000n, availableMinor: 0n })
    await card(paystack.returns.decide(reference, 'lost'))
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
    const cases = await world.casesOf(reference)
    expect(cases).toHaveLength(2)
    expect(cases).toContainEqual(expect.objectContaining({ kind: 'shortfall', amountMinor: 450_000n }))
  })

  test('that ends in a full reversal is debited once', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await card(paystack.returns.dispute(reference, 500_000))
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: AMOUNT })
    paystack.reverse(reference)
    await card(paystack.message(reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
  })
})
