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
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reconcilePayment } from '../../payments/payments.ts'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
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

const NOTHING = { charged: 0, declined: 0, skipped: 0, challenged: 0, pending: 0, ended: 0, renewed: 0 }
const run = () => runRenewals(server.app)
const POOR = { does: 'declines', message: 'Insufficient Funds' } as const

/** A subscriber whose period ends now. */
async function due(behaviour?: Parameters<FakePaystack['cards']['behave']>[1]): Promise<Subscriber> {
  const someone = await subscriber(server, bank)
  if (behaviour) bank.cards.behave(someone.last4, behaviour)
  const { periodEnd } = await readSubscriptionRow(server, someone)
  server.clock.advance({ ms: periodEnd.getTime() - server.clock.now().getTime() })
  return someone
}

async function readState(someone: Subscriber) {
  const [{ status }, [bill], { includedMinor }] = [
    await readSubscriptionRow(server, someone),
    await readRenewalBills(server, someone),
    await walletOf(server, someone),
  ]
  return { status, declines: bill?.declines, invoice: bill?.invoiceStatus, includedMinor }
}

describe('a declined renewal', () => {
  test('is attempted on days 0, 1, 3 and 5, and the fourth decline ends the subscription', async () => {
    const someone = await due(POOR)
    const { periodEnd: dueAt } = await readSubscriptionRow(server, someone)
    expect(await run()).toEqual({ ...NOTHING, declined: 1 })
    expect(await readState(someone)).toEqual({
      status: 'past_due',
      declines: 1,
      invoice: 'open',
      includedMinor: 0n,
    })
    expect(await orgStatus(someone)).toBe('past_due')

    const tries: number[] = [0]
    for (let day = 1; day <= 4; day++) {
      server.clock.advance({ days: 1 })
      if ((await run()).declined === 1) tries.push(day)
    }
    expect(tries).toEqual([0, 1, 3])
    expect(await readState(someone)).toEqual({
      status: 'past_due',
      declines: 3,
      invoice: 'open',
      includedMinor: 0n,
    })

    server.clock.advance({ days: 1 })
    expect(await run()).toEqual({ ...NOTHING, ended: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'canceled', invoice: 'void' })
    expect(chargesOf(bank, someone)).toBe(4)
    expect(await orgStatus(someone)).toBe('canceled')

    const mails = await mailsTo(server, someone.email)
    const subjects = mails.map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'Your Pro plan could not be renewed')).toHaveLength(3)
    expect(subjects.filter((subject) => subject === 'Your Pro plan has ended')).toHaveLength(1)
    const first = mails
      .filter(({ subject }) => subject.includes('could not be renewed'))
      .map(({ text }) => text)
    const nextDay = new Date(dueAt.getTime() + 86_400_000).toISOString().slice(0, 10)
    expect(first.some((text) => text.includes(`We will try again on ${nextDay}`))).toBe(true)
    expect(first.every((text) => text.includes('/app/billing') && /enough|insufficient/i.test(text))).toBe(
      true,
    )
  })

  test('is paid on day 2 by a new card, and the allowance returns', async () => {
    const someone = await due(POOR)
    await run()
    server.clock.advance({ days: 1 })
    await run()
    server.clock.advance({ days: 1 })
    expect(await run()).toEqual(NOTHING)

    await addCard(server, bank, someone)
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readState(someone)).toMatchObject({
      status: 'active',
      invoice: 'paid',
      includedMinor: PRO_INCLUDED,
    })
    expect(await orgStatus(someone)).toBe('active')
    expect(await readRenewalBills(server, someone)).toHaveLength(1)
  })

  test('is attempted with every card before it counts as declined', async () => {
    const someone = await due(POOR)
    await addCard(server, bank, someone)
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'active', declines: 0 })
  })

  test('without any card becomes past due in the same way', async () => {
    const someone = await subscriber(server, bank, { hasCard: false })
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, declined: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'past_due', declines: 1, includedMinor: 0n })
  })

  test('follows a downgrade chosen in the meantime: the next attempt charges less, with another invoice', async () => {
    const someone = await subscriber(server, bank, { planCode: 'team', type: 'team' })
    bank.cards.behave(someone.last4, POOR)
    server.clock.advance({ days: 31 })
    await run()
    const [first] = await readRenewalBills(server, someone)
    await server.sql.rows`
      update subscriptions set scheduled_plan_code = 'pro', scheduled_interval = 'month', version = version + 1
      where id = ${someone.subscriptionId}`

    bank.cards.behave(someone.last4, { does: 'pays' })
    server.clock.advance({ days: 1 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readRenewalBills(server, someone)).toMatchObject([
      { id: first?.id, amountMinor: PRO_MINOR, status: 'paid', invoiceStatus: 'paid' },
    ])
    expect(await invoiceStatus(first?.invoiceId ?? '')).toBe('void')
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ planCode: 'pro', status: 'active' })
  })

  test('of a paid plan that changes to the free plan costs nothing more', async () => {
    const someone = await due(POOR)
    await run()
    await server.sql.rows`
      update subscriptions set scheduled_plan_code = 'free', scheduled_interval = 'month', version = version + 1
      where id = ${someone.subscriptionId}`
    server.clock.advance({ days: 1 })
    expect(await run()).toEqual({ ...NOTHING, renewed: 1 })
    expect(await readRenewalBills(server, someone)).toMatchObject([
      { status: 'abandoned', invoiceStatus: 'void' },
    ])
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ planCode: 'free', status: 'active' })
  })
})

test('a renewal without an answer for two weeks ends the subscription', async () => {
  const someone = await due()
  bank.fault('down')
  await run()
  server.clock.advance({ days: 3 })
  expect(await run()).toEqual({ ...NOTHING, pending: 1 })
  server.clock.advance({ days: 10, hours: 23 })
  expect(await run()).toEqual({ ...NOTHING, pending: 1 })
  server.clock.advance({ hours: 1 })
  expect(await run()).toEqual({ ...NOTHING, ended: 1 })
  expect(await readState(someone)).toMatchObject({ status: 'canceled', invoice: 'void' })
})

describe('a challenge by the bank', () => {
  test('is mailed, and the confirmation settles the renewal without another charge', async () => {
    const someone = await due({ does: 'asks' })
    expect(await run()).toEqual({ ...NOTHING, challenged: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'past_due', declines: 1, includedMinor: 0n })
    const mails = await mailsTo(server, someone.email)
    const challengeMail = mails.find(({ subject }) => subject.startsWith('Your bank asks'))
    expect(challengeMail?.text).toContain('https://checkout.paystack.com/resume/')

    bank.pay(await referenceOf(someone))
    server.clock.advance({ minutes: 2 })
    await sweepPayments(server.app)
    expect(await readState(someone)).toMatchObject({
      status: 'active',
      invoice: 'paid',
      includedMinor: PRO_INCLUDED,
    })
    expect(chargesOf(bank, someone)).toBe(1)
  })

  test('without an answer is repeated on the attempt days, and ends a day after the last', async () => {
    const someone = await due({ does: 'asks' })
    await run()
    const counts: string[] = []
    for (let day = 1; day <= 6; day++) {
      server.clock.advance({ days: 1 })
      await sweepPayments(server.app)
      const { challenged, ended } = await run()
      if (challenged + ended > 0) counts.push(`${day} ${challenged ? 'asked' : 'ended'}`)
    }
    expect(counts).toEqual(['1 asked', '3 asked', '5 asked', '6 ended'])
    expect(await readState(someone)).toMatchObject({ status: 'canceled', invoice: 'void' })
  })
})

describe('an unreachable provider', () => {
  test('is not a decline: the plan stays active and is paid later', async () => {
    const someone = await due()
    bank.fault('down')
    expect(await run()).toEqual({ ...NOTHING, pending: 1 })
    expect(await run()).toEqual(NOTHING)
    server.clock.advance({ hours: 1 })
    expect(await run()).toEqual({ ...NOTHING, pending: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'active', declines: 0, invoice: 'open' })

    bank.heal()
    server.clock.advance({ hours: 1 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'active', declines: 0, invoice: 'paid' })
    expect(chargesOf(bank, someone)).toBe(1)
  })

  test('for three days pauses the allowance, counts as no attempt, and recovers', async () => {
    const someone = await due()
    bank.fault('down')
    await run()
    server.clock.advance({ days: 2 })
    await run()
    expect(await readState(someone)).toMatchObject({ status: 'active' })
    server.clock.advance({ days: 1 })
    await run()
    expect(await readState(someone)).toMatchObject({ status: 'past_due', declines: 0, includedMinor: 0n })

    bank.heal()
    server.clock.advance({ hours: 1 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readState(someone)).toMatchObject({ status: 'active', includedMinor: PRO_INCLUDED })
    expect(chargesOf(bank, someone)).toBe(1)
  })
})

test('each undecided charge is awaited for a day, and after four of them the plan ends', async () => {
  const someone = await due({ does: 'waits' })
  for (let hour = 0; hour < 24 * 9 && (await readState(someone)).status !== 'canceled'; hour += 6) {
    await run()
    await sweepPayments(server.app)
    server.clock.advance({ hours: 6 })
  }
  expect(await readState(someone)).toMatchObject({ status: 'canceled', invoice: 'void' })
  expect(chargesOf(bank, someone)).toBe(4)
})

test('a card that is added while the last challenge is open is charged and saves the plan', async () => {
  const someone = await due({ does: 'asks' })
  await run()
  for (const days of [1, 2, 2]) {
    server.clock.advance({ days })
    await run()
  }
  expect(await readState(someone)).toMatchObject({ status: 'past_due', declines: 4 })
  server.clock.advance({ hours: 2 })
  await addCard(server, bank, someone)
  expect(await run()).toEqual({ ...NOTHING, charged: 1 })
  expect(await readState(someone)).toMatchObject({ status: 'active', invoice: 'paid' })
})

test('a page that the customer opened counts as no attempt and stays open', async () => {
  const someone = await due(POOR)
  await run()
  const [bill] = await readRenewalBills(server, someone)
  const page = await server.call('POST', `/invoices/${bill?.invoiceId}/pay`, {
    as: someone,
    body: { hosted: true },
  })
  expect(page.status).toBe(200)
  server.clock.advance({ days: 1, minutes: -5 })
  await addCard(server, bank, someone)
  expect(await run()).toEqual({ ...NOTHING, pending: 1 })
  expect(await readState(someone)).toMatchObject({ status: 'past_due', declines: 1 })
  bank.cards.payWith(String(page.body.reference), { last4: '8888' })
  server.clock.advance({ hours: 1 })
  expect(await run()).toEqual({ ...NOTHING, charged: 1 })
  expect(chargesOf(bank, someone)).toBe(1)
})

test('an organisation that was suspended on all attempt days gets one more attempt', async () => {
  const [rich, poor] = [await subscriber(server, bank), await due(POOR)]
  bank.cards.behave(rich.last4, POOR)
  expect(await run()).toEqual({ ...NOTHING, declined: 2 })
  const both = [rich.orgId, poor.orgId]
  await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = any(${both}::text[])`
  server.clock.advance({ days: 15 })
  expect(await run()).toEqual({ ...NOTHING, skipped: 2 })
  await server.sql.rows`update orgs set suspended_at = null where id = any(${both}::text[])`
  bank.cards.behave(rich.last4, { does: 'pays' })
  expect(await run()).toEqual({ ...NOTHING, charged: 1, declined: 1 })
  expect(await readSubscriptionRow(server, rich)).toMatchObject({ status: 'active' })
  server.clock.advance({ days: 2 })
  expect(await run()).toEqual({ ...NOTHING, ended: 1 })
  expect(await readSubscriptionRow(server, poor)).toMatchObject({ status: 'canceled' })
  expect([chargesOf(bank, rich), chargesOf(bank, poor)]).toEqual([2, 2])
})

test('an abandoned bill is reopened when its period is due again', async () => {
  const someone = await due(POOR)
  expect(await run()).toEqual({ ...NOTHING, declined: 1 })
  // The clock was fast. Before the end of the period the owner cancels and then undoes it.
  server.clock.advance({ days: -1 })
  await server.sql.rows`update subscriptions set status = 'active' where id = ${someone.subscriptionId}`
  const post = (path: string, body: object) => server.call('POST', path, { as: someone, body })
  expect(await post('/subscription/cancel', {})).toMatchObject({ body: { cancelAtPeriodEnd: true } })
  expect(await post('/subscription/change', { planCode: 'pro' })).toMatchObject({ body: { cleared: true } })
  expect(await readRenewalBills(server, someone)).toMatchObject([
    { status: 'abandoned', invoiceStatus: 'void' },
  ])

  bank.cards.behave(someone.last4, { does: 'pays' })
  server.clock.advance({ days: 1 })
  expect(await run()).toEqual({ ...NOTHING, charged: 1 })
  expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid', invoiceStatus: 'paid' }])
  expect(chargesOf(bank, someone)).toBe(2)
  expect(await run()).toEqual(NOTHING)
})

describe('a late success', () => {
  test('of an earlier attempt pays the bill, and the next attempt finds nothing to do', async () => {
    const someone = await due({ does: 'waits' })
    expect(await run()).toEqual({ ...NOTHING, pending: 1 })
    const reference = await referenceOf(someone)
    bank.decline(reference)
    server.clock.advance({ minutes: 2 })
    await sweepPayments(server.app)
    bank.pay(reference)
    await reconcilePayment(server.app, reference, 'webhook')
    expect(await readState(someone)).toMatchObject({
      status: 'active',
      invoice: 'paid',
      includedMinor: PRO_INCLUDED,
    })
    server.clock.advance({ hours: 1 })
    expect(await run()).toEqual(NOTHING)
    expect(chargesOf(bank, someone)).toBe(1)
  })

  test('after the end of the subscription stays in the wallet', async () => {
    const someone = await due(POOR)
    await run()
    const reference = await referenceOf(someone)
    for (const days of [1, 2, 2]) {
      server.clock.advance({ days })
      await run()
    }
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'canceled' })
    const before = await walletOf(server, someone)
    bank.pay(reference)
    await reconcilePayment(server.app, reference, 'webhook')
    const { balanceMinor } = await walletOf(server, someone)
    expect(balanceMinor - before.balanceMinor).toBe(PRO_MINOR)
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'canceled' })
  })
})

test('all invariants hold after these tests', () => expectInvariants({ server, bank }))

/** The reference of the first charge. */
async function referenceOf({ last4 }: Subscriber): Promise<string> {
  return bank.cards.charges.find((charge) => charge.last4 === last4)?.reference ?? ''
}

const orgStatus = async ({ orgId }: Subscriber) =>
  (
    await server.sql.one<{ status: string | null }>`
      select subscription_status as status from orgs where id = ${orgId}`
  ).status

const invoiceStatus = async (id: string) =>
  (await server.sql.one<{ status: string }>`select status from invoices where id = ${id}`).status
