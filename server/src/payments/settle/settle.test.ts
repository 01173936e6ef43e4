import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPayment,
  mailsTo,
  type PaymentOptions,
  postedAmounts,
  readPayment,
} from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { debit } from '../../wallet/wallet.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { lockPayment } from '../sql/payments.ts'
import { creditReviewed, settlePayment } from './settle.ts'
import type { SettlementTrigger } from './settlement.ts'

let server: TestServer
let second: TestServer
let ada: Person
const staff: Partial<Record<'billing' | 'operator' | 'super_admin' | 'support', Person>> = {}

beforeAll(async () => {
  server = await startTestServer()
  second = await startTestServer({ url: server.url, clock: server.clock })
  for (const tier of ['billing', 'operator', 'super_admin', 'support'] as const)
    staff[tier] = await server.person({ staff: tier })
})
afterAll(async () => {
  await second.close()
  await server.close()
})
beforeEach(async () => {
  ada = await server.person()
})

const AMOUNT = 500_000n
const paid = (
  reference: string,
  more: Partial<Extract<ProviderStatus, { status: 'paid' }>> = {},
): ProviderStatus => ({
  status: 'paid',
  transactionId: `t-${reference}`,
  amountMinor: AMOUNT,
  currency: 'NGN',
  reference,
  live: true,
  ...more,
})
const failed: ProviderStatus = { status: 'failed', reason: 'The bank declined.' }
const reversed: ProviderStatus = { status: 'reversed', reason: 'The bank took it back.', transactionId: null }
const settle = (
  reference: string,
  providerStatus: ProviderStatus,
  how: SettlementTrigger = 'verify',
  app: App = server.app,
) => settlePayment(app, reference, providerStatus, how)

async function settled(options?: PaymentOptions): Promise<string> {
  const reference = await createPayment(server, ada, options)
  expect((await settle(reference, paid(reference))).status).toBe('settled')
  return reference
}

const spend = (amountMinor: bigint) =>
  server.app.db.tx(ada.orgId, (tx) =>
    debit(server.app, tx, {
      orgId: ada.orgId,
      amountMinor,
      source: 'adjustment',
      ref: 'spent',
      cause: newId('x'),
      account: 'adjustments',
    }),
  )

const trail = (reference: string) =>
  server.sql.rows<{ action: string; actor_kind: string; metadata: Record<string, unknown> }>`
    select action, actor_kind, metadata from audit_entries where target = ${reference} order by seq`

describe('a paid payment', () => {
  test('is credited in full and once, with a receipt', async () => {
    const reference = await createPayment(server, ada, { email: 'payer@example.com' })
    expect(await settle(reference, paid(reference), 'webhook')).toEqual({
      status: 'settled',
      creditedMinor: AMOUNT,
      balanceMinor: AMOUNT,
      changed: true,
    })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'settled',
      capturedMinor: AMOUNT,
      transactionId: `t-${reference}`,
      nextCheckAt: null,
      reason: null,
    })
    const [receipt, ...others] = await mailsTo(server, 'payer@example.com')
    expect(others).toEqual([])
    expect(receipt?.subject).toBe('Receipt: ₦5,000.00 added to your wallet')
    for (const words of ['by Card', 'new balance is ₦5,000.00', reference, '2026-11-15 09:00 UTC'])
      expect(receipt?.text).toContain(words)
  })

  test('is never credited again, by no trigger and at no later time', async () => {
    const reference = await settled()
    for (const how of ['webhook', 'verify', 'redirect', 'sweep', 'staff'] as const)
      expect(await settle(reference, paid(reference), how)).toMatchObject({
        creditedMinor: 0n,
        changed: false,
      })
    server.clock.advance({ days: 400 })
    expect(await settle(reference, paid(reference), 'webhook')).toMatchObject({ creditedMinor: 0n })
    // Nor with another transaction, amount or currency.
    const other = paid(reference, { transactionId: 'other', amountMinor: 1n, currency: 'KES' })
    expect(await settle(reference, other)).toMatchObject({ status: 'settled', changed: false })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await mailsTo(server, ada.email)).toHaveLength(1)
    const metadata = {
      amountMinor: AMOUNT,
      currency: 'NGN',
      channel: 'card',
      purpose: 'topup',
      how: 'verify',
    }
    expect(await trail(reference)).toEqual([{ action: 'payments.settle', actor_kind: 'system', metadata }])
  })

  test('is credited once with all triggers concurrent on two replicas', async () => {
    const reference = await createPayment(server, ada)
    const ways = ['webhook', 'verify', 'redirect', 'sweep', 'staff'] as const
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        settle(reference, paid(reference), ways[i % 5], (i % 2 ? server : second).app),
      ),
    )
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1)
    expect(outcomes.map(({ creditedMinor }) => creditedMinor).filter(Boolean)).toEqual([AMOUNT])
    for (const { status, balanceMinor } of outcomes)
      expect({ status, balanceMinor }).toEqual({ status: 'settled', balanceMinor: AMOUNT })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test.for(['failed', 'expired'] as const)('is credited once even after it had %s', async (status) => {
    const reference = await createPayment(server, ada, { status })
    expect(await settle(reference, paid(reference))).toMatchObject({ creditedMinor: AMOUNT })
    expect(await settle(reference, paid(reference))).toMatchObject({ creditedMinor: 0n })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('stays settled after a later failure status, which is logged', async () => {
    const reference = await settled()
    expect(await settle(reference, failed)).toMatchObject({ status: 'settled', changed: false })
    expect(
      server.logged.some((line) => line.includes(reference) && line.includes('failed_after_settlement')),
    ).toBe(true)
  })
})

describe('an unexpected payment', () => {
  test.for([
    ['less', { amountMinor: AMOUNT - 1n }],
    ['more', { amountMinor: AMOUNT + 1n }],
    ['another currency', { currency: 'USD' }],
    ['another reference', { reference: 'tp99999999' }],
  ] as const)('goes to review without a credit: %s', async ([, more]) => {
    const reference = await createPayment(server, ada)
    const outcome = await settle(reference, paid(reference, more), 'webhook')
    expect(outcome).toEqual({ status: 'review', creditedMinor: 0n, balanceMinor: 0n, changed: true })
    expect(await postedAmounts(server, reference)).toEqual([])
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'review',
      capturedMinor: 0n,
      nextCheckAt: null,
    })
  })

  test('notifies billing staff once and is audited', async () => {
    const before = (await mailsTo(server, staff.billing?.email ?? '')).length
    const reference = await createPayment(server, ada)
    for (let i = 0; i < 3; i++) await settle(reference, paid(reference, { amountMinor: 1n }))
    const mails = await mailsTo(server, staff.billing?.email ?? '')
    expect(mails.length - before).toBe(1)
    const mail = mails.find(({ text }) => text.includes(reference))
    expect(mail?.subject).toBe('A payment needs a review')
    expect(mail?.text).toContain('reports ₦0.01; ₦5,000.00 was expected')
    for (const tier of ['operator', 'super_admin'] as const)
      expect(
        (await mailsTo(server, staff[tier]?.email ?? '')).some(({ text }) => text.includes(reference)),
      ).toBe(true)
    expect(await mailsTo(server, staff.support?.email ?? '')).toEqual([])
    expect(await trail(reference)).toMatchObject([{ action: 'payments.review', actor_kind: 'system' }])
  })

  test('stays under review after later status replies', async () => {
    const reference = await createPayment(server, ada)
    await settle(reference, paid(reference, { amountMinor: 1n }))
    for (const providerStatus of [paid(reference), failed])
      expect(await settle(reference, providerStatus)).toMatchObject({ status: 'review', changed: false })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('in production includes test money of a test key or the mock', async () => {
    const config = { ...server.app.config, environment: 'production' as const }
    const production = { ...server.app, config }
    const tested = await createPayment(server, ada)
    const mock = await createPayment(server, ada, { mode: 'mock', rail: 'mock' })
    const real = await createPayment(server, ada)
    expect((await settle(tested, paid(tested, { live: false }), 'webhook', production)).status).toBe('review')
    expect((await settle(mock, paid(mock, { live: false }), 'mock', production)).status).toBe('review')
    expect((await settle(real, paid(real), 'webhook', production)).status).toBe('settled')
  })

  test('outside production does not include test money', async () => {
    const tested = await createPayment(server, ada)
    const mock = await createPayment(server, ada, { mode: 'mock', rail: 'mock' })
    expect((await settle(tested, paid(tested, { live: false }))).status).toBe('settled')
    expect((await settle(mock, paid(mock, { live: false }), 'mock')).status).toBe('settled')
    const accounts = await server.sql.rows`
      select account from movements where org_id = ${ada.orgId} order by seq`
    expect(accounts).toEqual([{ account: 'clearing:paystack' }, { account: 'clearing:mock' }])
  })

  test('includes a transaction that settled another payment, also concurrently', async () => {
    const references = await Promise.all([
      createPayment(server, ada),
      createPayment(server, ada),
      createPayment(server, ada),
    ])
    const outcomes = await Promise.all(
      references.map((reference, i) =>
        settle(
          reference,
          paid(reference, { transactionId: 'same' }),
          'webhook',
          (i % 2 ? server : second).app,
        ),
      ),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['review', 'review', 'settled'])
    expect(outcomes.reduce((sum, { creditedMinor }) => sum + creditedMinor, 0n)).toBe(AMOUNT)
  })

  test('includes a wallet whose currency has changed', async () => {
    const reference = await createPayment(server, ada)
    await server.sql.rows`update orgs set currency = 'KES' where id = ${ada.orgId}`
    expect((await settle(reference, paid(reference))).status).toBe('review')
    expect((await readPayment(server, reference)).reason).toContain('The wallet is now in KES')
  })
})

describe('a failure', () => {
  test('is stored with its reason and posts nothing', async () => {
    const reference = await createPayment(server, ada)
    expect(await settle(reference, failed)).toMatchObject({
      status: 'failed',
      changed: true,
      creditedMinor: 0n,
    })
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'failed',
      reason: 'The bank declined.',
    })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('is not assumed without an answer', async () => {
    const reference = await createPayment(server, ada, { ageMinutes: 24 * 60 })
    expect(await settle(reference, { status: 'unknown', reason: 'down' }, 'sweep')).toMatchObject({
      status: 'pending',
      changed: false,
    })
  })
})

describe('a reversal', () => {
  test('debits the available amount once, notifies staff and is audited', async () => {
    const reference = await settled()
    expect(await settle(reference, reversed, 'webhook')).toEqual({
      status: 'settled',
      creditedMinor: 0n,
      balanceMinor: 0n,
      changed: true,
    })
    expect(await settle(reference, reversed, 'sweep')).toMatchObject({ changed: false })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'settled',
      reversedAt: server.clock.now(),
    })
    expect(await trail(reference)).toMatchObject([
      { action: 'payments.settle', actor_kind: 'system' },
      { action: 'payments.reverse', actor_kind: 'system' },
    ])
    const mails = await mailsTo(server, staff.operator?.email ?? '')
    expect(mails.filter(({ text }) => text.includes(reference))).toMatchObject([
      { subject: 'A payment was reversed' },
    ])
  })

  test('of a partly spent payment debits the rest and records the shortfall', async () => {
    const reference = await settled()
    await spend(400_000n)
    expect(await settle(reference, reversed)).toMatchObject({ balanceMinor: 0n, changed: true })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -100_000n])
    expect((await readPayment(server, reference)).reason).toBe(
      'The bank took it back. ₦1,000.00 of ₦5,000.00 was taken back.',
    )
    expect((await trail(reference)).at(-1)?.metadata).toMatchObject({
      takenMinor: 100_000n,
      shortMinor: 400_000n,
    })
  })

  test('of a fully spent payment leaves the wallet at 0', async () => {
    const reference = await settled()
    await spend(AMOUNT)
    expect(await settle(reference, reversed)).toMatchObject({ balanceMinor: 0n, changed: true })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('debits the whole amount despite staff refunds, which went to the wallet', async () => {
    const reference = await settled()
    await server.sql.rows`update payments set refunded_minor = 200000 where reference = ${reference}`
    await settle(reference, reversed)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
  })

  test('before the settlement is a failure', async () => {
    const reference = await createPayment(server, ada)
    expect(await settle(reference, reversed)).toMatchObject({ status: 'failed', creditedMinor: 0n })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('is not undone by a late status reply, and can happen again after staff credit it', async () => {
    const reference = await createPayment(server, ada)
    await settle(reference, reversed, 'webhook')
    expect(await settle(reference, paid(reference), 'sweep', second.app)).toMatchObject({ status: 'review' })
    expect(await postedAmounts(server, reference)).toEqual([])

    await server.app.db.tx('platform', async (tx) => {
      const payment = await lockPayment(tx, reference)
      if (payment) await creditReviewed(server.app, tx, payment)
    })
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled', reversedAt: null })
    await settle(reference, reversed, 'webhook')
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
  })

  test('on two replicas debits once', async () => {
    const reference = await settled()
    const outcomes = await Promise.all(
      [server, second, server, second].map(({ app }) => settle(reference, reversed, 'webhook', app)),
    )
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -AMOUNT])
  })
})

test('a payment that does not exist is not found', async () => {
  await expect(settle('tp00000000', paid('tp00000000'))).rejects.toMatchObject({ code: 'not_found' })
})
