import { describe, expect, test } from 'vitest'
import type { ProviderStatus } from '../rails/rail.ts'
import type { Payment, PaymentStatus } from '../sql/payments.ts'
import { type JudgeContext, judge } from './judge.ts'

const payment: Payment = {
  reference: 'tp01',
  orgId: 'org_1',
  userId: 'usr_1',
  purpose: 'topup',
  billId: null,
  cardId: null,
  account: 'NG',
  returnedMinor: 0n,
  disputedMinor: 0n,
  repeatOf: null,
  channel: 'card',
  rail: 'paystack',
  mode: 'live',
  currency: 'NGN',
  amountMinor: 5_000n,
  email: 'ada@example.com',
  status: 'pending',
  reason: null,
  handOff: null,
  settledAt: null,
  providerRef: null,
  transactionId: null,
  saidMinor: null,
  capturedMinor: 0n,
  refundedMinor: 0n,
  reversedAt: null,
  decidedAt: null,
  createdAt: new Date('2026-11-15T09:00:00Z'),
  expiresAt: new Date('2026-11-16T09:00:00Z'),
}
const context: JudgeContext = {
  now: new Date('2026-11-15T10:00:00Z'),
  production: true,
  isLast: false,
  walletCurrency: 'NGN',
  isTransactionUsed: false,
}
const paid = {
  status: 'paid',
  transactionId: 't1',
  amountMinor: 5_000n,
  currency: 'NGN',
  reference: 'tp01',
  live: true,
} as const satisfies ProviderStatus
const failed: ProviderStatus = { status: 'failed', reason: 'Declined.' }
const pending: ProviderStatus = { status: 'pending', detail: '' }
const reversed: ProviderStatus = { status: 'reversed', reason: 'Given back.', transactionId: 't1' }
const unknown: ProviderStatus = { status: 'unknown', reason: '' }

describe('the decision', () => {
  const table: [ProviderStatus, Record<PaymentStatus, string>][] = [
    [paid, { pending: 'settle', failed: 'settle', expired: 'settle', settled: 'nothing', review: 'nothing' }],
    [failed, { pending: 'fail', failed: 'nothing', expired: 'nothing', settled: 'note', review: 'nothing' }],
    [reversed, { pending: 'fail', failed: 'fail', expired: 'fail', settled: 'reverse', review: 'fail' }],
    [
      pending,
      { pending: 'nothing', failed: 'nothing', expired: 'nothing', settled: 'nothing', review: 'nothing' },
    ],
    [
      unknown,
      { pending: 'nothing', failed: 'nothing', expired: 'nothing', settled: 'nothing', review: 'nothing' },
    ],
  ]
  const cases = table.flatMap(([providerStatus, row]) =>
    Object.entries(row).map(([status, expected]) => ({
      reported: providerStatus.status,
      providerStatus,
      status,
      expected,
    })),
  )
  test.for(cases)(
    '$reported for a payment that is $status: $expected',
    ({ providerStatus, status, expected }) => {
      expect(judge({ ...payment, status: status as PaymentStatus }, providerStatus, context).do).toBe(
        expected,
      )
    },
  )
})

describe('a paid payment goes to review', () => {
  test.for([
    ['too little', { ...paid, amountMinor: 4_999n }, {}, /reports ₦49\.99; ₦50\.00/],
    ['too much', { ...paid, amountMinor: 5_001n }, {}, /reports ₦50\.01;/],
    ['a hundredfold', { ...paid, amountMinor: 500_000n }, {}, /reports ₦5,000\.00;/],
    ['nothing', { ...paid, amountMinor: 0n }, {}, /reports ₦0\.00;/],
    ['another currency', { ...paid, currency: 'GHS' }, {}, /in GHS; NGN/],
    ['another reference', { ...paid, reference: 'tp02' }, {}, /another payment than/],
    ['test money in production', { ...paid, live: false }, {}, /test money/],
    ['a wallet of another currency', paid, { walletCurrency: 'KES' }, /wallet is now in KES/],
    ['a transaction used before', paid, { isTransactionUsed: true }, /settled another payment/],
  ] as const)('for %s', ([, providerStatus, more, reason]) => {
    expect(judge(payment, providerStatus, { ...context, ...more })).toEqual({
      do: 'review',
      reason: expect.stringMatching(reason),
      transactionId: 't1',
      saidMinor: providerStatus.currency === payment.currency ? providerStatus.amountMinor : null,
    })
  })

  test('for test money, in production only', () => {
    const mock: Payment = { ...payment, mode: 'mock', rail: 'mock' }
    const development = { ...context, production: false }
    expect(judge(mock, paid, context).do).toBe('review')
    expect(judge(mock, paid, development).do).toBe('settle')
    expect(judge(payment, { ...paid, live: false }, development).do).toBe('settle')
  })
})

test('a status without amount, currency and reference settles the requested amount', () => {
  const bare: ProviderStatus = {
    ...paid,
    amountMinor: null,
    currency: null,
    reference: null,
    transactionId: null,
  }
  expect(judge(payment, bare, context)).toEqual({
    ...{ do: 'settle', transactionId: null, card: null, feeMinor: null },
  })
})

test('a payment that staff rejected stays rejected', () => {
  const rejected: Payment = { ...payment, status: 'failed', decidedAt: context.now }
  for (const providerStatus of [paid, { ...paid, amountMinor: 1n }, reversed, failed, pending])
    expect(['note', 'nothing']).toContain(judge(rejected, providerStatus, context).do)
})

test('a reversed payment is neither reversed again nor marked as failed', () => {
  const returned: Payment = { ...payment, status: 'settled', reversedAt: context.now }
  for (const providerStatus of [reversed, failed, paid])
    expect(judge(returned, providerStatus, context).do).toBe('nothing')
})

test('only staff can credit a returned payment again, even after a late status reply', () => {
  for (const status of ['pending', 'failed', 'expired', 'review'] as const)
    expect(judge({ ...payment, status }, reversed, context)).toMatchObject({ do: 'fail', isReturned: true })
  const returned: Payment = { ...payment, status: 'failed', reversedAt: context.now }
  expect(judge(returned, reversed, context).do).toBe('nothing')
  expect(judge(returned, paid, context)).toEqual({
    do: 'review',
    reason: expect.stringMatching(/returned this payment to its payer/),
    transactionId: 't1',
    saidMinor: paid.amountMinor,
  })
})

describe('at its deadline', () => {
  const late = { ...context, now: payment.expiresAt }
  test('a pending payment expires, one with an unknown status does not', () => {
    expect(judge(payment, pending, late).do).toBe('expire')
    expect(judge(payment, unknown, late).do).toBe('nothing')
  })

  test('a payment with an unknown status expires after the last check', () => {
    expect(judge(payment, unknown, { ...late, isLast: true }).do).toBe('expire')
    expect(judge({ ...payment, status: 'failed' }, unknown, { ...late, isLast: true }).do).toBe('nothing')
  })
})
