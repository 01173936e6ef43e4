import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPayment,
  type PaymentOptions,
  postedAmounts,
  readPayment,
} from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { shareOrg } from '../../orgs/orgs.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { lockPayment } from '../sql/payments.ts'
import { creditReviewed, sendToReview, settlePayment } from './settle.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.person()
})

const paid = (
  reference: string,
  more: Partial<Extract<ProviderStatus, { status: 'paid' }>> = {},
): ProviderStatus => ({
  status: 'paid',
  transactionId: `t-${reference}`,
  amountMinor: 500_000n,
  currency: 'NGN',
  reference,
  live: true,
  ...more,
})
const failed: ProviderStatus = { status: 'failed', reason: 'The bank declined.' }
const reversed: ProviderStatus = { status: 'reversed', reason: 'The bank took it back.', transactionId: null }

/** Another payment with the same provider transaction. */
async function paidBy(transactionId: string, options: PaymentOptions = {}, amountMinor = 500_000n) {
  const reference = await createPayment(server, ada, options)
  const providerStatus = paid(reference, { transactionId, amountMinor })
  return { reference, ...(await settlePayment(server.app, reference, providerStatus, 'webhook')) }
}

test('a payment and its reversal have separate causes and accounts in the ledger', async () => {
  const reference = await createPayment(server, ada, { rail: 'opay' })
  await settlePayment(server.app, reference, paid(reference), 'webhook')
  await settlePayment(server.app, reference, reversed, 'webhook')
  expect(
    await server.sql.rows`
      select cause, account, account_minor, source, ref from movements where org_id = ${ada.orgId} order by seq`,
  ).toEqual([
    {
      cause: `topup ${reference}`,
      account: 'clearing:opay',
      account_minor: -500_000n,
      source: 'topup',
      ref: reference,
    },
    {
      cause: `reversal ${reference}`,
      account: 'reversals',
      account_minor: 500_000n,
      source: 'topup',
      ref: reference,
    },
  ])
})

describe('the next check', () => {
  test('is rescheduled by the sweeper only', async () => {
    const reference = await createPayment(server, ada)
    const { nextCheckAt } = await readPayment(server, reference)
    await settlePayment(server.app, reference, { status: 'pending', detail: '' }, 'verify')
    await settlePayment(server.app, reference, failed, 'webhook')
    expect(await readPayment(server, reference)).toMatchObject({ status: 'failed', nextCheckAt })
  })

  test('depends on the last result', async () => {
    const reference = await createPayment(server, ada)
    await settlePayment(server.app, reference, failed, 'sweep')
    const { nextCheckAt } = await readPayment(server, reference)
    expect(nextCheckAt?.getTime()).toBeGreaterThan(after(server.clock.now(), { minutes: 45 }).getTime())
  })

  test('does not exist for a settled payment', async () => {
    const reference = await createPayment(server, ada)
    await settlePayment(server.app, reference, paid(reference), 'sweep')
    expect((await readPayment(server, reference)).nextCheckAt).toBeNull()
  })
})

describe('long provider messages', () => {
  const reason = 'a long reason '.repeat(200)

  test('are truncated in a failure', async () => {
    const reference = await createPayment(server, ada)
    await settlePayment(server.app, reference, { status: 'failed', reason }, 'webhook')
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'failed',
      reason: reason.slice(0, 500),
    })
  })

  test('are truncated in a reversal, which keeps the debited amount', async () => {
    const reference = await createPayment(server, ada)
    await settlePayment(server.app, reference, paid(reference), 'webhook')
    await settlePayment(server.app, reference, { ...reversed, reason }, 'webhook')
    expect((await readPayment(server, reference)).reason).toMatch(/^a long reason .* was taken back\.$/)
  })

  test('are truncated in a review', async () => {
    const reference = await createPayment(server, ada)
    await sendToReview(server.app, reference, reason)
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'review',
      reason: reason.slice(0, 500),
    })
  })
})

describe('a provider transaction', () => {
  test('can have the id of a transaction of another provider or of the mock', async () => {
    const name = `same ${ada.orgId}`
    const outcomes = [
      await paidBy(name, { rail: 'paystack' }),
      await paidBy(name, { rail: 'opay' }),
      await paidBy(name, { rail: 'paystack', mode: 'mock' }),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual(['settled', 'settled', 'settled'])
    const accounts = await server.sql.rows`
      select account from movements where org_id = ${ada.orgId} order by seq`
    expect(accounts).toEqual([
      { account: 'clearing:paystack' },
      { account: 'clearing:opay' },
      { account: 'clearing:mock' },
    ])
  })

  test('counts as unused while its payment is under review', async () => {
    const name = `once ${ada.orgId}`
    expect((await paidBy(name, {}, 1n)).status).toBe('review')
    expect((await paidBy(name)).status).toBe('settled')
    const third = await paidBy(name)
    expect(third.status).toBe('review')
    expect(await postedAmounts(server, third.reference)).toEqual([])
  })
})

test('an ended payment does not go to review', async () => {
  const reference = await createPayment(server, ada)
  await settlePayment(server.app, reference, paid(reference), 'webhook')
  expect(await sendToReview(server.app, reference, 'mixed up')).toMatchObject({
    status: 'settled',
    changed: false,
    balanceMinor: 500_000n,
  })
  expect(await readPayment(server, reference)).toMatchObject({ status: 'settled', reason: null })
})

test('a payment that staff credit is marked as decided', async () => {
  const { reference } = await paidBy('whatever', {}, 1n)
  await server.app.db.tx('platform', async (tx) => {
    const payment = await lockPayment(tx, reference)
    if (payment) await creditReviewed(server.app, tx, payment)
  })
  expect(
    await server.sql.rows`select status, decided_at from payments where reference = ${reference}`,
  ).toEqual([{ status: 'settled', decided_at: server.clock.now() }])
})

test('the currency of a wallet cannot change while a payment is being credited', async () => {
  const { orgId } = ada
  const free = () => server.sql.rows`select id from orgs where id = ${orgId} for update skip locked`
  await server.app.db.tx('platform', async (tx) => {
    expect((await shareOrg(tx, orgId)).currency).toBe('NGN')
    expect(await free()).toEqual([])
  })
  expect(await free()).toHaveLength(1)
})
