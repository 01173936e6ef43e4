import {
  addCard,
  chargesOf,
  endAllSubscriptions,
  PRO_INCLUDED,
  PRO_MINOR,
  readRenewalBills,
  readSubscriptionRow,
  type Subscriber,
  subscriber,
  walletOf,
} from '@cowrie/testkit/billing/renewal.ts'
import { expectInvariants } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { CardBehaviour } from '@cowrie/testkit/fakes/payments/paystack-cards.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { balanceOf } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reconcilePayment } from '../../payments/payments.ts'
import { runRenewals } from './renewals.ts'

const world = useWorld()
let server: TestServer
let bank: FakePaystack

beforeAll(() => {
  server = world.server
  bank = world.bank
})
afterEach(async () => {
  bank.heal()
  await endAllSubscriptions(server)
})

const ASKS = { does: 'asks' } as const
const POOR = { does: 'declines', message: 'Insufficient Funds' } as const

type Behind = Subscriber & { invoiceId: string; cards: string[] }

/** A subscriber whose renewal has just failed because of the behaviour of the default card. */
async function behind(hasCard = true, behaviour: CardBehaviour = POOR, others = 0): Promise<Behind> {
  const someone = await subscriber(server, bank, { hasCard })
  const cards = [someone.last4]
  for (let i = 0; i < others; i++) {
    server.clock.advance({ seconds: 1 })
    cards.push(await addCard(server, bank, someone))
  }
  if (hasCard) bank.cards.behave(someone.last4, behaviour)
  server.clock.advance({ days: 31 })
  await runRenewals(server.app)
  const [bill] = await readRenewalBills(server, someone)
  return { ...someone, invoiceId: bill?.invoiceId ?? '', cards }
}

const undecided = async ({ orgId }: Subscriber): Promise<number> => {
  const { count } = await server.sql.one<{ count: number }>`
    select count(*)::int as count from payments where org_id = ${orgId} and status = 'pending'`
  return count
}

const pay = (as: { bearer: string }, invoiceId: string, body: object = {}, key?: string) =>
  server.call('POST', `/invoices/${invoiceId}/pay`, {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

describe('an open invoice', () => {
  test('is paid with the stored card once, also if the answer was lost', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'pays' })
    const reply = await pay(someone, someone.invoiceId, {}, 'key-1')
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ paid: true, invoiceId: someone.invoiceId })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'active' })
    expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
    const { actor } = await server.sql.one<{ actor: string }>`
      select actor_user_id as actor from audit_entries where action = 'invoices.pay' and target = ${someone.invoiceId}`
    expect(actor).toBe(someone.userId)

    const again = await pay(someone, someone.invoiceId, {}, 'key-1')
    expect(again.text).toBe(reply.text)
    expect(chargesOf(bank, someone)).toBe(2)
    const another = await pay(someone, someone.invoiceId)
    expect(another).toMatchObject({ status: 409, body: { code: 'invoice_not_open' } })
  })

  test('that is declined returns the reason and counts as no attempt', async () => {
    const someone = await behind()
    const [before] = await readRenewalBills(server, someone)
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    expect(reply.body.reason).toBeTruthy()
    const [after] = await readRenewalBills(server, someone)
    expect(after).toMatchObject({ status: 'open', declines: 1, nextAttemptAt: before?.nextAttemptAt })
    expect((await pay(someone, someone.invoiceId)).body.code).toBe('card_declined')
  })

  test('requires a card', async () => {
    const someone = await behind(false)
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'no_payment_method' } })
  })

  test('returns the page of the bank on a challenge', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'asks' })
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'card_challenged' } })
    expect(String(reply.body.authorizationUrl)).toContain('/resume/')
  })

  test('without an answer from the provider is not charged a second time', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'waits' })
    const first = await pay(someone, someone.invoiceId)
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    const second = await pay(someone, someone.invoiceId, { hosted: true })
    expect(second).toMatchObject({ status: 503, body: { reference: first.body.reference } })
    expect(chargesOf(bank, someone)).toBe(2)
  })

  test('is paid on the page of the provider with another card, which is stored', async () => {
    const someone = await behind(false)
    const reply = await pay(someone, someone.invoiceId, { hosted: true })
    expect(reply.status).toBe(200)
    const balance = await balanceOf(server, someone)
    const reference = String(reply.body.reference)
    bank.cards.payWith(reference, { last4: '7777' })
    await reconcilePayment(server.app, reference, 'verify')
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid', invoiceStatus: 'paid' }])
    expect(await balanceOf(server, someone)).toBe(balance)

    server.clock.advance({ days: 31 })
    expect(await runRenewals(server.app)).toMatchObject({ charged: 1 })
    expect(bank.cards.charges.filter(({ last4 }) => last4 === '7777')).toHaveLength(1)
  })

  test('is charged once if two callers and the renewal run pay it concurrently', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'pays' })
    server.clock.advance({ days: 1 })
    const replies = await Promise.all([
      pay(someone, someone.invoiceId),
      pay(someone, someone.invoiceId),
      runRenewals(server.app),
    ])
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid' }])
    // The first attempt was declined when the renewal was due.
    expect(chargesOf(bank, someone)).toBe(2)
    for (const reply of replies.slice(0, 2))
      expect([200, 409]).toContain((reply as { status: number }).status)
  })
})

describe('if the bank challenges one card', () => {
  const charges = (last4: string) => bank.cards.charges.filter((charge) => charge.last4 === last4)

  test('the next run charges a card that was added later, and a late confirmation stays in the wallet', async () => {
    const someone = await behind(true, ASKS)
    server.clock.advance({ minutes: 5 })
    const good = await addCard(server, bank, someone)
    expect(await runRenewals(server.app)).toMatchObject({ charged: 1 })
    expect([charges(someone.last4).length, charges(good).length]).toEqual([1, 1])
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'active' })
    const balance = await balanceOf(server, someone)
    const [asked] = charges(someone.last4)
    bank.pay(String(asked?.reference))
    await reconcilePayment(server.app, String(asked?.reference), 'webhook')
    expect(await balanceOf(server, someone)).toBe(balance + PRO_MINOR)
  })

  test('the next run charges a new default card', async () => {
    const someone = await behind(true, ASKS, 1)
    const { id } = await server.sql.one<{ id: string }>`
      select id from cards where org_id = ${someone.orgId} and not is_default`
    expect(await runRenewals(server.app)).toMatchObject({ charged: 0, challenged: 0, pending: 0 })
    await server.call('POST', `/payment-methods/${id}/default`, { as: someone, body: {} })
    expect(await runRenewals(server.app)).toMatchObject({ charged: 1 })
    expect(someone.cards.map((last4) => charges(last4).length)).toEqual([1, 1])
  })

  test('the owner pays with another card, which is charged first', async () => {
    const someone = await behind(true, ASKS)
    const good = await addCard(server, bank, someone)
    expect(await pay(someone, someone.invoiceId)).toMatchObject({ status: 200, body: { paid: true } })
    expect([charges(someone.last4).length, charges(good).length]).toEqual([1, 1])
  })

  test('a confirmed payment is not charged again', async () => {
    const someone = await behind(true, ASKS)
    await addCard(server, bank, someone)
    bank.pay(String(charges(someone.last4)[0]?.reference))
    expect(await pay(someone, someone.invoiceId)).toMatchObject({ status: 200, body: { paid: true } })
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid' }])
    expect(await balanceOf(server, someone)).toBe(10_000n)
  })

  test('the owner gets a new page, and the same page on every call', async () => {
    const someone = await behind(true, ASKS)
    const page = await pay(someone, someone.invoiceId, { hosted: true })
    expect(page.status).toBe(200)
    expect(String(page.body.authorizationUrl)).not.toContain('/resume/')
    expect((await pay(someone, someone.invoiceId, { hosted: true })).body).toEqual(page.body)
    bank.cards.payWith(String(page.body.reference), { last4: '7878' })
    await reconcilePayment(server.app, String(page.body.reference), 'verify')
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid' }])
  })

  test('the next day starts with the unchallenged cards and skips one more challenge', async () => {
    const someone = await behind(true, ASKS, 2)
    const [, second = '', third = ''] = someone.cards
    bank.cards.behave(second, ASKS)
    server.clock.advance({ days: 1 })
    expect(await runRenewals(server.app)).toMatchObject({ charged: 1 })
    const counts = [someone.last4, second, third].map((last4) => charges(last4).length)
    expect(counts).toEqual([1, 1, 1])
    expect(await undecided(someone)).toBe(0)
  })

  test('one challenge is open at a time, and after the last attempt an untried card is charged', async () => {
    const someone = await behind(true, ASKS)
    for (const days of [1, 2, 2]) {
      server.clock.advance({ days })
      await runRenewals(server.app)
      expect(await undecided(someone)).toBe(1)
    }
    const good = await addCard(server, bank, someone)
    expect(await pay(someone, someone.invoiceId)).toMatchObject({ status: 200 })
    expect(charges(good)).toHaveLength(1)
  })
})

describe('a payment under review', () => {
  test('prevents card charges with a clear error, but allows the page', async () => {
    const someone = await behind(true, { does: 'waits' })
    const [waiting] = bank.cards.charges.filter(({ last4 }) => last4 === someone.last4)
    bank.pay(String(waiting?.reference), { amountMinor: 900_000n })
    await reconcilePayment(server.app, String(waiting?.reference), 'webhook')
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 409, body: { code: 'change_in_progress' } })
    expect(String(reply.body.error)).toContain('under review')
    const page = await pay(someone, someone.invoiceId, { hosted: true })
    expect(page.status).toBe(200)
    bank.cards.payWith(String(page.body.reference), { last4: '7979' })
    await reconcilePayment(server.app, String(page.body.reference), 'verify')
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid' }])
  })
})

describe('a declining card', () => {
  test('is charged at most ten times an hour for all purposes, and the page still works', async () => {
    const someone = await behind()
    const others = [await addCard(server, bank, someone), await addCard(server, bank, someone)]
    for (const last4 of others) bank.cards.behave(last4, POOR)
    const before = bank.cards.charges.length
    for (let i = 0; i < 4; i++)
      expect((await pay(someone, someone.invoiceId)).body.code).toBe('card_declined')
    expect(await pay(someone, someone.invoiceId)).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
    expect(bank.cards.charges).toHaveLength(before + 10)
    expect((await pay(someone, someone.invoiceId, { hosted: true })).status).toBe(200)
    server.clock.advance({ hours: 1 })
  })

  test('is not charged again because it stays the default', async () => {
    const someone = await behind()
    const { body } = await server.call<{ paymentMethods: { id: string }[] }>('GET', '/payment-methods', {
      as: someone,
    })
    for (let i = 0; i < 3; i++) {
      server.clock.advance({ minutes: 5 })
      await server.call('POST', `/payment-methods/${body.paymentMethods[0]?.id}/default`, {
        as: someone,
        body: {},
      })
      await runRenewals(server.app)
    }
    expect(chargesOf(bank, someone)).toBe(1)
  })
})

describe('the request', () => {
  test('is not found for another organisation, and forbidden for an admin', async () => {
    const someone = await behind()
    const stranger = await server.person()
    expect((await pay(stranger, someone.invoiceId)).status).toBe(404)
    const admin = await server.member(someone.orgId, 'admin')
    expect((await pay(admin, someone.invoiceId)).status).toBe(403)
  })

  test('fails for a paid invoice', async () => {
    const someone = await subscriber(server, bank)
    const { id } = await server.sql.one<{ id: string }>`
      select id from invoices where org_id = ${someone.orgId} limit 1`
    expect(await pay(someone, id)).toMatchObject({ status: 409, body: { code: 'invoice_not_open' } })
  })
})

test('all invariants hold after these tests', () => expectInvariants({ server, bank }))
