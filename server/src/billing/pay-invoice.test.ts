import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness.ts'
import { checkPayment } from '../payments/payments.ts'
import { type PaystackStandIn, startPaystackStandIn } from '../payments/rails/paystack-stand-in.ts'
import { balanceOf } from '../payments/topup.fixture.ts'
import {
  chargesOf,
  PRO_INCLUDED,
  renewalsOf,
  retireAll,
  rowOf,
  type Subscriber,
  subscriber,
  walletOf,
} from './renewal.fixture.ts'
import { runRenewals } from './renewals.ts'
import { expectSound } from './subscription.fixture.ts'

let server: TestServer
let bank: PaystackStandIn

beforeAll(async () => {
  bank = await startPaystackStandIn()
  server = await startTestServer({ variables: bank.variables })
})
afterAll(async () => {
  await server.close()
  await bank.close()
})
afterEach(async () => {
  bank.heal()
  await retireAll(server)
})

const POOR = { does: 'declines', saying: 'Insufficient Funds' } as const

/** Somebody whose renewal was declined a moment ago. */
async function behind(hasCard = true): Promise<Subscriber & { invoiceId: string }> {
  const someone = await subscriber(server, bank, { hasCard })
  if (hasCard) bank.cards.behave(someone.last4, POOR)
  server.clock.advance({ days: 31 })
  await runRenewals(server.app)
  const [bill] = await renewalsOf(server, someone)
  return { ...someone, invoiceId: bill?.invoiceId ?? '' }
}

const pay = (as: { bearer: string }, invoiceId: string, body: object = {}, key?: string) =>
  server.call('POST', `/invoices/${invoiceId}/pay`, {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

describe('an open invoice', () => {
  test('is paid with the stored card, once, also when the answer was lost', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'pays' })
    const reply = await pay(someone, someone.invoiceId, {}, 'key-1')
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ paid: true, invoiceId: someone.invoiceId })
    expect(await rowOf(server, someone)).toMatchObject({ status: 'active' })
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

  test('that is declined costs none of the tries, and says why', async () => {
    const someone = await behind()
    const [before] = await renewalsOf(server, someone)
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    expect(reply.body.reason).toBeTruthy()
    const [after] = await renewalsOf(server, someone)
    expect(after).toMatchObject({ status: 'open', declines: 1, nextAttemptAt: before?.nextAttemptAt })
    expect((await pay(someone, someone.invoiceId)).body.code).toBe('card_declined')
  })

  test('asks for a card where there is none', async () => {
    const someone = await behind(false)
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'no_payment_method' } })
  })

  test("tells the bank's page where the bank asks", async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'asks' })
    const reply = await pay(someone, someone.invoiceId)
    expect(reply).toMatchObject({ status: 402, body: { code: 'card_challenged' } })
    expect(String(reply.body.authorizationUrl)).toContain('/resume/')
    const hosted = await pay(someone, someone.invoiceId, { hosted: true })
    expect(hosted.body).toEqual({
      authorizationUrl: reply.body.authorizationUrl,
      reference: reply.body.reference,
    })
  })

  test('that the provider does not answer about is not charged again beside it', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'waits' })
    const first = await pay(someone, someone.invoiceId)
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    const second = await pay(someone, someone.invoiceId, { hosted: true })
    expect(second).toMatchObject({ status: 503, body: { reference: first.body.reference } })
    expect(chargesOf(bank, someone)).toBe(2)
  })

  test("is paid on the provider's page with another card, which is stored", async () => {
    const someone = await behind(false)
    const reply = await pay(someone, someone.invoiceId, { hosted: true })
    expect(reply.status).toBe(200)
    const balance = await balanceOf(server, someone)
    const reference = String(reply.body.reference)
    bank.cards.payWith(reference, { last4: '7777' })
    await checkPayment(server.app, reference, 'verify')
    expect(await renewalsOf(server, someone)).toMatchObject([{ status: 'paid', invoiceStatus: 'paid' }])
    expect(await balanceOf(server, someone)).toBe(balance)

    server.clock.advance({ days: 31 })
    expect(await runRenewals(server.app)).toMatchObject({ charged: 1 })
    expect(bank.cards.charges.filter(({ last4 }) => last4 === '7777')).toHaveLength(1)
  })

  test('is charged once when two pay it and the renewals run at the same time', async () => {
    const someone = await behind()
    bank.cards.behave(someone.last4, { does: 'pays' })
    server.clock.advance({ days: 1 })
    const replies = await Promise.all([
      pay(someone, someone.invoiceId),
      pay(someone, someone.invoiceId),
      runRenewals(server.app),
    ])
    expect(await renewalsOf(server, someone)).toMatchObject([{ status: 'paid' }])
    // The first was declined when it was due.
    expect(chargesOf(bank, someone)).toBe(2)
    for (const reply of replies.slice(0, 2))
      expect([200, 409]).toContain((reply as { status: number }).status)
  })
})

describe('nobody else', () => {
  test('pays it: another organisation finds nothing, and an admin may not', async () => {
    const someone = await behind()
    const stranger = await server.person()
    expect((await pay(stranger, someone.invoiceId)).status).toBe(404)
    const admin = await server.member(someone.orgId, 'admin')
    expect((await pay(admin, someone.invoiceId)).status).toBe(403)
  })

  test('pays what is paid already', async () => {
    const someone = await subscriber(server, bank)
    const { id } = await server.sql.one<{ id: string }>`
      select id from invoices where org_id = ${someone.orgId} limit 1`
    expect(await pay(someone, id)).toMatchObject({ status: 409, body: { code: 'invoice_not_open' } })
  })
})

test('after all of the above every kobo is explained', () => expectSound({ server, bank }))
