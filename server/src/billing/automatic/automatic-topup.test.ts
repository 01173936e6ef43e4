// Automatic top-up, from the posting that lowers the balance to the receipt.

import {
  type Customer,
  cardCustomer,
  newestCardOf,
  putRule,
  readRule,
} from '@cowrie/testkit/billing/automatic-topup.ts'
import { addCard } from '@cowrie/testkit/billing/renewal.ts'
import { useReplicas } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invoiceChecks } from '../../invoices/invoices.ts'
import { paymentChecks } from '../../payments/payments.ts'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
import { runChecks, walletChecks } from '../../wallet/wallet.ts'
import { billingChecks } from '../billing.ts'
import { countDecline } from '../cards/decline-limit.ts'
import { findAutomaticTopups } from './jobs.ts'
import { attemptReference, runAutomaticTopup } from './run-topup.ts'

let bank: FakePaystack
let server: TestServer
let second: TestServer

const world = useReplicas({ variables: { SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' } })
beforeAll(() => {
  ;({ bank, server, second } = world)
})
afterEach(() => bank.heal())

const customer = (type?: 'team') => cardCustomer(server, bank, type)
const put = (as: Customer, changes?: object, by?: { bearer: string }) => putRule(server, as, changes, by)
const read = (as: Person) => readRule(server, as)
const turnOff = (as: Person) => server.call('DELETE', '/wallet/automatic-topup', { as })

async function active(changes: object = {}): Promise<Customer> {
  const ada = await customer()
  expect(await put(ada, changes)).toMatchObject({
    status: 200,
    body: { automaticTopup: { status: 'active' } },
  })
  return ada
}
/** Does the work of the schedule. */
async function tick(on = server): Promise<void> {
  await findAutomaticTopups(on.app)
  await on.app.jobs.drain()
}
async function spendAndTick(ada: Customer, minor = 60_000n): Promise<void> {
  await spend(server, ada, minor)
  await tick()
}
const chargesOf = ({ last4 }: Customer) => bank.cards.charges.filter((charge) => charge.last4 === last4)
const walletOf = async (as: Person) =>
  (await server.call<{ balanceMinor: bigint; availableMinor: bigint }>('GET', '/wallet', { as })).body
const auditOf = async ({ orgId }: Person) =>
  (
    await server.sql.rows<{ action: string }>`
    select action from audit_entries where org_id = ${orgId} and action like 'automaticTopup.%' order by seq`
  ).map(({ action }) => action)

describe('a low balance', () => {
  test('charges the card once, with a receipt, a ledger entry and an event that name it automatic', async () => {
    const ada = await active()
    await tick()
    expect(chargesOf(ada)).toEqual([])
    await spendAndTick(ada)
    const reference = attemptReference(ada.orgId, 1)
    expect(chargesOf(ada)).toEqual([{ reference, last4: ada.last4 }])
    expect(await postedAmounts(server, reference)).toEqual([200_000n])
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 245_000n })
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: null, monthChargedMinor: 200_000n })
    const receipt = (await mailsTo(server, ada.email)).find(({ subject }) =>
      subject.includes('automatically'),
    )
    expect(receipt?.subject).toBe('Receipt: ₦2,000.00 added to your wallet automatically')
    expect(receipt?.text).toContain(`ending in ${ada.last4}`)
    const { body: list } = await server.call<{ topups: object[] }>('GET', '/wallet/topups', { as: ada })
    expect(list.topups[0]).toMatchObject({ reference, status: 'settled', automatic: true })
    expect(list.topups[1]).toMatchObject({ automatic: false })
    const invoice = await server.sql.one<{ lines: unknown; method: string }>`
      select lines, method from invoices where reference = ${reference}`
    expect(JSON.stringify(invoice.lines)).toContain('Automatic wallet top-up')
    expect(invoice.method).toContain(`ending in ${ada.last4}`)
    await tick()
    expect(chargesOf(ada)).toHaveLength(1)
  })

  test('under fifty concurrent debits on two replicas charges once', async () => {
    const ada = await active()
    const work = Array.from({ length: 50 }, (_, place) => spend(place % 2 ? server : second, ada, 1_500n))
    const ticks = Array.from({ length: 6 }, (_, place) => tick(place % 2 ? server : second))
    await Promise.all([...work, ...ticks])
    await Promise.all([tick(), tick(second), tick(), tick(second)])
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 105_000n - 75_000n + 200_000n })
  })

  test('is not caused by money that running work holds', async () => {
    const ada = await active()
    await holdSome(server, ada, 60_000n)
    await tick()
    expect(chargesOf(ada)).toEqual([])
  })

  test('that exists already when it is turned on is topped up', async () => {
    const ada = await customer()
    await spend(server, ada, 100_000n)
    await put(ada)
    await tick()
    expect(chargesOf(ada)).toHaveLength(1)
  })
})

describe('an interrupted attempt', () => {
  test('that was charged before the crash is settled, not charged again', async () => {
    const ada = await active()
    bank.cards.behave(ada.last4, { does: 'pays_without_reply' })
    await spendAndTick(ada)
    expect(chargesOf(ada)).toHaveLength(1)
    bank.cards.behave(ada.last4, { does: 'pays' })
    for (let round = 0; round < 2; round++) {
      server.clock.advance({ minutes: 2 })
      await Promise.all([tick(), tick(second)])
    }
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: null })
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 245_000n })
  })

  test('that never reached the provider is charged later under the same reference', async () => {
    const ada = await active()
    bank.fault('down')
    await spendAndTick(ada)
    const reference = attemptReference(ada.orgId, 1)
    await spendAndTick(ada, 1_000n)
    bank.heal()
    for (const on of [server, second]) {
      server.clock.advance({ minutes: 2 })
      await tick(on)
    }
    expect(chargesOf(ada).map((charge) => charge.reference)).toEqual([reference])
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 244_000n })
  })

  test('that crashed before its payment was stored is charged once', async () => {
    const ada = await active()
    bank.fault('down')
    await spendAndTick(ada)
    await server.sql.rows`delete from payments where reference = ${attemptReference(ada.orgId, 1)}`
    bank.heal()
    await Promise.all([runAutomaticTopup(server.app, ada.orgId), runAutomaticTopup(second.app, ada.orgId)])
    expect(chargesOf(ada)).toHaveLength(1)
    server.clock.advance({ minutes: 2 })
    await tick()
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 245_000n })
  })

  test('with an unknown outcome stays open, blocks another charge, and ends by the webhook', async () => {
    const ada = await active()
    bank.cards.behave(ada.last4, { does: 'waits' })
    await spendAndTick(ada)
    await spendAndTick(ada, 20_000n)
    const reference = attemptReference(ada.orgId, 1)
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: { reference } })
    bank.cards.behave(ada.last4, { does: 'pays' })
    bank.pay(reference)
    const { headers, body } = bank.message(reference)
    await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
    await server.app.jobs.drain()
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 225_000n })
    await spendAndTick(ada, 200_000n)
    expect(chargesOf(ada)).toHaveLength(2)
  })

  test('without an answer for days pauses it', async () => {
    const ada = await active()
    bank.fault('down')
    await spendAndTick(ada)
    for (let day = 0; day < 4; day++) {
      server.clock.advance({ days: 1 })
      await sweepPayments(server.app)
      await tick()
    }
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'no_answer', attempt: null })
    // The circuit breaker of the provider closes again.
    server.clock.advance({ hours: 1 })
  })
})

describe('a declined card', () => {
  test('pauses it after one charge, with one mail to the owners and admins', async () => {
    const ada = await customer('team')
    const admin = await server.member(ada.orgId, 'admin')
    await put(ada)
    bank.cards.behave(ada.last4, { does: 'declines', message: 'Insufficient Funds' })
    await spendAndTick(ada)
    await spend(server, ada, 1_000n)
    server.clock.advance({ hours: 30 })
    await Promise.all([tick(), tick(second)])
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'card_declined', attempt: null })
    for (const { email } of [ada, admin]) {
      const mails = (await mailsTo(server, email)).filter(({ subject }) => subject.includes('paused'))
      expect(mails).toHaveLength(1)
    }
    expect(await auditOf(ada)).toEqual(['automaticTopup.set', 'automaticTopup.pause'])

    bank.cards.behave(ada.last4, { does: 'pays' })
    expect(await put(ada)).toMatchObject({ status: 200, body: { automaticTopup: { status: 'active' } } })
    await tick()
    expect(chargesOf(ada)).toHaveLength(2)
    expect(await walletOf(ada)).toMatchObject({ balanceMinor: 244_000n })
  })

  test('cannot be resumed after ten declines in an hour', async () => {
    const ada = await active()
    for (let decline = 0; decline < 9; decline++) await countDecline(server.app, ada.orgId)
    bank.cards.behave(ada.last4, { does: 'declines', message: 'Do Not Honour' })
    await spendAndTick(ada)
    expect(await put(ada)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(chargesOf(ada)).toHaveLength(1)
  })

  test('that the bank wants confirmed pauses it until the owner confirms', async () => {
    const ada = await active()
    bank.cards.behave(ada.last4, { does: 'asks' })
    await spendAndTick(ada)
    const reference = attemptReference(ada.orgId, 1)
    const authorizationUrl = `https://checkout.paystack.com/resume/${reference}`
    expect(await read(ada)).toMatchObject({
      ...{ status: 'paused', pausedReason: 'bank_confirmation', attempt: { reference, authorizationUrl } },
    })
    const [mail] = (await mailsTo(server, ada.email)).filter(({ subject }) => subject.includes('confirm'))
    expect(mail?.text).toContain(authorizationUrl)
    bank.pay(reference)
    await verify(server, ada, reference)
    server.clock.advance({ minutes: 20 })
    await tick()
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: null, pausedReason: null })
    expect(chargesOf(ada)).toHaveLength(1)
  })

  test('that the bank wants confirmed is replaced when the owner chooses another card', async () => {
    const ada = await active()
    bank.cards.behave(ada.last4, { does: 'asks' })
    await spendAndTick(ada, 70_000n)
    server.clock.advance({ seconds: 1 })
    const last4 = await addCard(server, bank, ada)
    await put({ ...ada, cardId: await newestCardOf(server, ada) })
    await tick()
    expect(bank.cards.charges.filter((charge) => charge.last4 === last4)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: null })
  })
})

test('the monthly maximum is never exceeded, and the next month continues', async () => {
  const ada = await active({ monthlyMaxMinor: 500_000n })
  for (let round = 0; round < 3; round++) {
    const { availableMinor } = await walletOf(ada)
    if (availableMinor > 20_000n) await spend(server, ada, availableMinor - 20_000n)
    await tick()
    await tick()
  }
  expect(chargesOf(ada)).toHaveLength(2)
  expect(await read(ada)).toMatchObject({ status: 'active', monthChargedMinor: 400_000n })
  const until = (await read(ada))?.limitedUntil
  expect(until).toMatch(/-01T00:00:00/)
  const limitMails = async () =>
    (await mailsTo(server, ada.email)).filter(({ subject }) => subject.includes('monthly maximum'))
  expect(await limitMails()).toHaveLength(1)
  const days = (new Date(until ?? '').getTime() - server.clock.now().getTime()) / 86_400_000
  server.clock.advance({ days: Math.ceil(days) })
  await tick()
  expect(chargesOf(ada)).toHaveLength(3)
  expect(await read(ada)).toMatchObject({ limitedUntil: null, monthChargedMinor: 200_000n })
  expect(await limitMails()).toHaveLength(1)
  await spendAndTick(ada, 190_000n)
  expect(chargesOf(ada)).toHaveLength(4)
})

describe('it charges nothing', () => {
  test('after the card is removed', async () => {
    const ada = await active()
    await server.call('DELETE', `/payment-methods/${ada.cardId}`, { as: ada })
    expect(await read(ada)).toBeNull()
    await spendAndTick(ada)
    expect(chargesOf(ada)).toEqual([])
    expect(await auditOf(ada)).toEqual(['automaticTopup.set', 'automaticTopup.off'])
  })

  test('after it is turned off, also twice', async () => {
    const ada = await active()
    for (const reply of [await turnOff(ada), await turnOff(ada)]) expect(reply.status).toBe(200)
    await spendAndTick(ada)
    expect(chargesOf(ada)).toEqual([])
    expect(await auditOf(ada)).toEqual(['automaticTopup.set', 'automaticTopup.off'])
  })

  test('while the organisation is suspended, and continues afterwards', async () => {
    const ada = await active()
    await spend(server, ada, 60_000n)
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${ada.orgId}`
    await tick()
    expect(chargesOf(ada)).toEqual([])
    await server.sql.rows`update orgs set suspended_at = null where id = ${ada.orgId}`
    server.clock.advance({ hours: 2 })
    await tick()
    expect(chargesOf(ada)).toHaveLength(1)
  })

  test('with an expired card, and pauses', async () => {
    const ada = await active()
    await server.sql.rows`update cards set exp_year = 2020 where id = ${ada.cardId}`
    await spendAndTick(ada)
    expect(chargesOf(ada)).toEqual([])
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'card_unusable' })
  })

  test('while a card payment is disputed, and pauses when the dispute is lost', async () => {
    const ada = await active()
    await spendAndTick(ada)
    const { reference = '' } = chargesOf(ada)[0] ?? {}
    for (const { headers, body } of [
      bank.returns.dispute(reference, 200_000),
      bank.returns.decide(reference, 'lost'),
    ]) {
      await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
      await server.app.jobs.drain()
      expect(await walletOf(ada)).toMatchObject({ availableMinor: 45_000n })
      await tick()
      expect(chargesOf(ada)).toHaveLength(1)
    }
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'payment_disputed' })
  })
})

describe('the rule', () => {
  test('is stored once for the same values', async () => {
    const ada = await active()
    for (const amountMinor of [200_000n, 300_000n]) await put(ada, { amountMinor })
    expect(await auditOf(ada)).toHaveLength(2)
  })

  test.for<[string, object]>([
    ['amountMinor', { amountMinor: 4_999n, thresholdMinor: 1n }],
    ['amountMinor', { amountMinor: 1_000_000_001n, monthlyMaxMinor: 9_000_000_000n }],
    ['thresholdMinor', { thresholdMinor: 200_001n }],
    ['thresholdMinor', { thresholdMinor: 0n }],
    ['monthlyMaxMinor', { monthlyMaxMinor: 199_999n }],
  ])('with a wrong %s is refused', async ([path, changes]) => {
    const ada = await customer()
    const { status, body } = await put(ada, changes)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_fields', fields: [expect.objectContaining({ path })] })
    expect(await read(ada)).toBeNull()
  })

  test('with an expired card, or the card of another organisation, is refused', async () => {
    const [ada, eve] = [await customer(), await customer()]
    for (const cardId of [ada.cardId, 'pm_unknown'])
      expect(await put(eve, { cardId })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await server.sql.rows`update cards set exp_year = 2020 where id = ${ada.cardId}`
    expect(await put(ada)).toMatchObject({ status: 400, body: { fields: [{ path: 'cardId' }] } })
  })

  test('is shown to members and changed by owners only', async () => {
    const ada = await customer('team')
    await put(ada)
    for (const role of ['admin', 'member'] as const) {
      const member = await server.member(ada.orgId, role)
      expect((await put(ada, {}, member)).status).toBe(403)
      expect((await turnOff(member)).status).toBe(403)
      expect(await read(member)).toMatchObject({ status: 'active' })
    }
  })
})

test('all invariants hold after these tests', async () => {
  const results = await runChecks(server.app, [
    ...walletChecks,
    ...paymentChecks,
    ...billingChecks,
    ...invoiceChecks,
  ])
  expect(results.filter(({ ok }) => !ok)).toEqual([])
})
