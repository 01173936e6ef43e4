// Charges stored cards for a bill: every answer of the provider, and a crash at every step.

import { addCard, PRO_MINOR, type Subscriber, subscriber } from '@cowrie/testkit/billing/renewal.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { readPayment as paymentRow, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { chargeStoredCard, startCardPayment } from '../../payments/payments.ts'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
import { chargeableCards } from '../cards/cards.ts'
import { quoteRenewal } from '../quotes/quote.ts'
import { findCurrentSubscription, lockOrg } from '../subscriptions/subscriptions.ts'
import { abandonBill, type Bill, lockBill, openBill } from './bills.ts'
import { chargeReference, collectBill } from './collect.ts'

let bank: FakePaystack
let server: TestServer
let ada: Subscriber
let bill: Bill

const world = useWorld({ variables: { SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' } })
beforeAll(() => {
  ;({ bank, server } = world)
})
beforeEach(async () => {
  ada = await subscriber(server, bank)
  bill = await owed(ada)
})
afterEach(() => bank.heal())

/** A bill for the next period of a subscription. */
function owed({ orgId }: Person): Promise<Bill> {
  return server.app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const subscription = present(
      await findCurrentSubscription(tx, orgId),
      'the subscriber has a subscription',
    )
    const quote = quoteRenewal(subscription, { now: subscription.periodEnd, occupied: 1 })
    const effect = present(quote.effect, 'a renewal has an effect')
    const { id: subscriptionId, currency, version: baseVersion } = subscription
    const opened = await openBill(tx, {
      ...{
        orgId,
        subscriptionId,
        currency,
        baseVersion,
        effect,
        kind: 'renewal',
        userId: null,
        deadline: null,
      },
      ...{ lines: quote.lines, amountMinor: quote.chargeNowMinor, periodStart: effect.periodStart },
    })
    return present(opened, 'a period has one bill')
  })
}

const statusOf = async ({ id }: Bill): Promise<string> =>
  (await server.sql.one<{ status: string }>`select status from bills where id = ${id}`).status
const chargesOf = (last4: string) => bank.cards.charges.filter((charge) => charge.last4 === last4).length
const cardsOf = () => server.app.db.tx(ada.orgId, (tx) => chargeableCards(server.app, tx, ada.orgId))
const references = async () =>
  (
    await server.sql.rows<{ reference: string }>`
      select reference from payments where bill_id = ${bill.id} order by created_at, reference`
  ).map(({ reference }) => reference)
const go = (attempt = 0) => collectBill(server.app, bill, attempt)

/** The provider reports the decision of its customer. */
async function reportByWebhook(reference: string): Promise<void> {
  const { headers, body } = bank.message(reference)
  await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
  await server.app.jobs.drain()
}

/** Waits until no payment is pending. */
async function sweepAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    server.clock.advance({ minutes: 20 })
    await sweepPayments(server.app)
  }
}

test('a card pays the bill, and the wallet balance stays the same', async () => {
  const { balance } = await server.sql.one<{ balance: bigint }>`
    select balance_minor as balance from wallets where org_id = ${ada.orgId}`
  const collected = await go()
  expect(collected).toEqual({ outcome: 'paid', reference: expect.stringMatching(/^sb[a-z0-9]{26}$/) })
  expect(await statusOf(bill)).toBe('paid')
  const [reference = ''] = await references()
  expect(await postedAmounts(server, reference)).toEqual([PRO_MINOR, -PRO_MINOR])
  expect(
    await server.sql.one`select balance_minor as balance from wallets where org_id = ${ada.orgId}`,
  ).toEqual({ balance })
  expect(await cardsOf()).toHaveLength(1)
})

test('repeated and concurrent attempts charge once', async () => {
  const both = await Promise.all([go(), go(), go()])
  await sweepAll()
  expect(both.every(({ outcome }) => outcome === 'paid' || outcome === 'pending')).toBe(true)
  expect(await go()).toMatchObject({ outcome: 'paid' })
  expect(chargesOf(ada.last4)).toBe(1)
  expect(await references()).toHaveLength(1)
})

describe('a decline', () => {
  beforeEach(() => bank.cards.behave(ada.last4, { does: 'declines', message: 'Insufficient Funds' }))

  test('has a readable reason and leaves the bill open', async () => {
    expect(await go()).toEqual({
      outcome: 'declined',
      reason: 'There was not enough money in the account.',
    })
    expect(await statusOf(bill)).toBe('open')
    expect(await go()).toMatchObject({ outcome: 'declined' })
    expect(chargesOf(ada.last4)).toBe(1)
  })

  test('moves to the next card', async () => {
    const other = await addCard(server, bank, ada)
    expect(await go()).toMatchObject({ outcome: 'paid' })
    expect([chargesOf(ada.last4), chargesOf(other)]).toEqual([1, 1])
    expect(await statusOf(bill)).toBe('paid')
  })

  test('before authorisation is a decline as well', async () => {
    bank.cards.behave(ada.last4, { does: 'refuses', message: 'Expired card' })
    expect(await go()).toEqual({ outcome: 'declined', reason: 'The card has expired.' })
    const [reference = ''] = await references()
    expect(await paymentRow(server, reference)).toMatchObject({ status: 'failed' })
  })

  test('is retried by the next attempt', async () => {
    await go(0)
    bank.cards.behave(ada.last4, { does: 'pays' })
    expect(await go(1)).toMatchObject({ outcome: 'paid' })
    expect(chargesOf(ada.last4)).toBe(2)
  })

  test('that turns into a success while another card is charged stops the charging', async () => {
    await addCard(server, bank, ada)
    const [first] = await cardsOf()
    await go(0)
    expect(await statusOf(bill)).toBe('paid')
    const second = bank.cards.charges.length
    bank.pay(chargeReference(bill.id, 0, present(first, 'there is a first card').id))
    expect(await go(1)).toMatchObject({ outcome: 'paid' })
    expect(bank.cards.charges).toHaveLength(second)
  })
})

test('an email address that does not match the card is rejected by the provider and is a decline', async () => {
  await server.sql.rows`update cards set email = 'else@example.com' where org_id = ${ada.orgId}`
  expect(await go()).toEqual({
    outcome: 'declined',
    reason: 'The card cannot be charged any more; add it again.',
  })
})

describe('a challenge', () => {
  beforeEach(() => bank.cards.behave(ada.last4, { does: 'asks' }))

  test('stops at this card, returns the same page again, and pays when the customer confirms', async () => {
    const other = await addCard(server, bank, ada)
    const challenged = await go()
    expect(challenged).toEqual({
      outcome: 'challenged',
      reference: expect.stringMatching(/^sb/),
      authorizationUrl: expect.stringContaining('https://checkout.paystack.com/resume/sb'),
    })
    expect(await go()).toEqual(challenged)
    expect(await go(1)).toEqual(challenged)
    expect([chargesOf(ada.last4), chargesOf(other)]).toEqual([1, 0])
    const [reference = ''] = await references()
    bank.pay(reference)
    await reportByWebhook(reference)
    expect(await statusOf(bill)).toBe('paid')
    expect(await go(1)).toEqual({ outcome: 'paid', reference })
    expect(await cardsOf()).toHaveLength(2)
  })

  test('that the customer declines is a decline, and the next card may pay', async () => {
    const other = await addCard(server, bank, ada)
    await go()
    const [reference = ''] = await references()
    bank.decline(reference)
    expect(await go()).toMatchObject({ outcome: 'paid' })
    expect(chargesOf(other)).toBe(1)
  })

  test('without an answer ends before the next day', async () => {
    const challenged = await go()
    server.clock.advance({ hours: 22 })
    expect(await go(1)).toEqual(challenged)
    server.clock.advance({ hours: 2 })
    bank.cards.behave(ada.last4, { does: 'pays' })
    expect(await go(1)).toMatchObject({ outcome: 'paid' })
  })
})

describe('an unusable answer', () => {
  test('is pending, starts no second charge, and the sweeper finds it paid', async () => {
    const other = await addCard(server, bank, ada)
    bank.cards.behave(ada.last4, { does: 'pays_without_reply' })
    const pending = await go()
    expect(pending).toEqual({ outcome: 'pending', reference: expect.stringMatching(/^sb/) })
    expect(await statusOf(bill)).toBe('open')
    await sweepAll()
    expect(await statusOf(bill)).toBe('paid')
    expect([chargesOf(ada.last4), chargesOf(other)]).toEqual([1, 0])
  })

  test('for a payment at the bank stays pending until it is decided', async () => {
    bank.cards.behave(ada.last4, { does: 'waits' })
    const pending = await go()
    expect(pending).toMatchObject({ outcome: 'pending' })
    server.clock.advance({ minutes: 5 })
    expect(await go()).toEqual(pending)
    expect(await go(1)).toEqual(pending)
    const [reference = ''] = await references()
    bank.decline(reference)
    bank.cards.behave(ada.last4, { does: 'pays' })
    expect(await go(1)).toMatchObject({ outcome: 'paid' })
    expect(await statusOf(bill)).toBe('paid')
  })

  test('from an unreachable provider is pending, and the same attempt resumes later', async () => {
    bank.fault('down')
    expect(await go()).toMatchObject({ outcome: 'pending' })
    expect(chargesOf(ada.last4)).toBe(0)
    bank.heal()
    expect(await go()).toMatchObject({ outcome: 'pending' })
    server.clock.advance({ seconds: 61 })
    expect(await go()).toMatchObject({ outcome: 'paid' })
    expect(chargesOf(ada.last4)).toBe(1)
  })

  test('because of a wrong key of ours is not a decline', async () => {
    bank.scriptedReplies.push({ status: 401, body: { status: false, message: 'Invalid key' } })
    expect(await go()).toMatchObject({ outcome: 'pending' })
    expect(await statusOf(bill)).toBe('open')
  })
})

describe('a crash', () => {
  const chargeNow = async () => {
    const card = present((await cardsOf())[0], 'there is a card')
    const { id: billId, orgId, amountMinor, currency } = bill
    const reference = chargeReference(billId, 0, card.id)
    return { reference, billId, orgId, userId: ada.userId, card, amountMinor, currency }
  }

  test('between charge and settlement is resolved by reconciling', async () => {
    const expected = await chargeNow()
    bank.fault('silent')
    await chargeStoredCard(server.app, expected)
    bank.heal()
    expect(chargesOf(ada.last4)).toBe(1)
    expect(await go()).toEqual({ outcome: 'paid', reference: expected.reference })
    expect(chargesOf(ada.last4)).toBe(1)
  })

  test('before the charge loses nothing, and two concurrent retries charge once', async () => {
    const expected = await chargeNow()
    bank.fault('down')
    await chargeStoredCard(server.app, expected)
    bank.heal()
    server.clock.advance({ minutes: 2 })
    const both = await Promise.all([
      chargeStoredCard(server.app, expected),
      chargeStoredCard(server.app, expected),
    ])
    expect(both).toEqual([{ outcome: 'paid' }, { outcome: 'paid' }])
    expect(chargesOf(ada.last4)).toBe(1)
  })
})

test('an open page of the bill is reconciled first and returned instead of a charge', async () => {
  const { id: billId, orgId, amountMinor, currency } = bill
  const { userId, email } = ada
  const page = {
    reference: `sb${bill.id.slice(-26)}`,
    purpose: 'bill',
    billId,
    orgId,
    userId,
    email,
  } as const
  const price = { orgName: 'Ada', amountMinor, currency, description: 'Cowrie' }
  const { authorizationUrl, reference } = await startCardPayment(server.app, { ...page, ...price })
  expect(await go()).toEqual({ outcome: 'challenged', reference, authorizationUrl })
  expect(chargesOf(ada.last4)).toBe(0)
  bank.pay(reference)
  expect(await go()).toEqual({ outcome: 'paid', reference })
  expect(chargesOf(ada.last4)).toBe(0)
})

test('an abandoned bill charges no card', async () => {
  await server.app.db.tx(ada.orgId, async (tx) => {
    await lockOrg(tx, ada.orgId)
    await abandonBill(tx, present(await lockBill(tx, bill.id), 'there is a bill'), 'No longer needed.')
  })
  expect(await go()).toMatchObject({ outcome: 'declined' })
  expect(chargesOf(ada.last4)).toBe(0)
})

test('a card that is expired, test money or undecryptable is not charged', async () => {
  const change = (exp: number, mode: string, rail: string) =>
    server.sql
      .rows`update cards set exp_year = ${exp}, mode = ${mode}, rail = ${rail} where org_id = ${ada.orgId}`
  await change(2025, 'live', 'paystack')
  expect(await go()).toEqual({ outcome: 'no_card' })
  await change(2030, 'mock', 'mock')
  expect(await go()).toEqual({ outcome: 'no_card' })
  await change(2030, 'live', 'paystack')
  await server.sql.rows`
    update cards set authorization_sealed = 'x' || authorization_sealed where org_id = ${ada.orgId}`
  expect(await go()).toEqual({ outcome: 'no_card' })
  expect(server.logged.some((line) => line.includes('billing.card.decrypt_failed'))).toBe(true)
  expect(await references()).toEqual([])
})

test('a declined renewal is due at once when a card is added or made the default', async () => {
  const later = new Date(server.clock.now().getTime() + 86_400_000)
  const wait = () => server.sql.rows`update bills set next_attempt_at = ${later} where id = ${bill.id}`
  const due = async () =>
    (await server.sql.one<{ at: Date }>`select next_attempt_at as at from bills where id = ${bill.id}`).at
  await wait()
  await addCard(server, bank, ada)
  expect(await due()).toEqual(later)
  await server.sql.rows`update subscriptions set status = 'past_due' where id = ${ada.subscriptionId}`
  await addCard(server, bank, ada)
  expect(await due()).toEqual(server.clock.now())
  await wait()
  const [card] = await cardsOf()
  await server.call('POST', `/payment-methods/${card?.id}/default`, { as: ada, body: {} })
  expect(await due()).toEqual(server.clock.now())
})
