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
const given: JudgeContext = {
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

describe('an answer about a payment', () => {
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
  const cases = table.flatMap(([standing, row]) =>
    Object.entries(row).map(([status, wanted]) => ({ said: standing.status, standing, status, wanted })),
  )
  test.for(cases)('$said about one that is $status: $wanted', ({ standing, status, wanted }) => {
    expect(judge({ ...payment, status: status as PaymentStatus }, standing, given).do).toBe(wanted)
  })
})

describe('what is paid goes to review', () => {
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
  ] as const)('for %s', ([, standing, more, reason]) => {
    expect(judge(payment, standing, { ...given, ...more })).toEqual({
      do: 'review',
      reason: expect.stringMatching(reason),
      transactionId: 't1',
      saidMinor: standing.currency === payment.currency ? standing.amountMinor : null,
    })
  })

  test('and play money does so in production only', () => {
    const mock: Payment = { ...payment, mode: 'mock', rail: 'mock' }
    const development = { ...given, production: false }
    expect(judge(mock, paid, given).do).toBe('review')
    expect(judge(mock, paid, development).do).toBe('settle')
    expect(judge(payment, { ...paid, live: false }, development).do).toBe('settle')
  })
})

test('a rail that names neither amount, currency nor reference settles what was asked for', () => {
  const bare: ProviderStatus = {
    ...paid,
    amountMinor: null,
    currency: null,
    reference: null,
    transactionId: null,
  }
  expect(judge(payment, bare, given)).toEqual({ do: 'settle', transactionId: null, card: null })
})

test('what staff rejected stays rejected, whatever the provider says', () => {
  const rejected: Payment = { ...payment, status: 'failed', decidedAt: given.now }
  for (const standing of [paid, { ...paid, amountMinor: 1n }, reversed, failed, pending])
    expect(['note', 'nothing']).toContain(judge(rejected, standing, given).do)
})

test('what was reversed is not reversed again, nor noted as failed', () => {
  const returned: Payment = { ...payment, status: 'settled', reversedAt: given.now }
  for (const standing of [reversed, failed, paid]) expect(judge(returned, standing, given).do).toBe('nothing')
})

test('what its payer has back is credited by nobody but staff, however late an older answer comes', () => {
  for (const status of ['pending', 'failed', 'expired', 'review'] as const)
    expect(judge({ ...payment, status }, reversed, given)).toMatchObject({ do: 'fail', isReturned: true })
  const returned: Payment = { ...payment, status: 'failed', reversedAt: given.now }
  expect(judge(returned, reversed, given).do).toBe('nothing')
  expect(judge(returned, paid, given)).toEqual({
    do: 'review',
    reason: expect.stringMatching(/returned this payment to its payer/),
    transactionId: 't1',
    saidMinor: paid.amountMinor,
  })
})

describe('at its deadline', () => {
  const late = { ...given, now: payment.expiresAt }
  test('an undecided payment expires, one that nobody answers about does not', () => {
    expect(judge(payment, pending, late).do).toBe('expire')
    expect(judge(payment, unknown, late).do).toBe('nothing')
  })

  test('one that nobody answers about expires when nobody asks any more', () => {
    expect(judge(payment, unknown, { ...late, isLast: true }).do).toBe('expire')
    expect(judge({ ...payment, status: 'failed' }, unknown, { ...late, isLast: true }).do).toBe('nothing')
  })
})
