// The rules that compare an item with our payments.
import { describe, expect, test } from 'vitest'
import type { ListedItem } from '../rails/rail.ts'
import type { PaymentReturn } from '../sql/payment-returns.ts'
import { type ComparedPayment, judgePayment, judgeReturn } from './judge.ts'

const NOON = new Date('2026-11-15T12:00:00.000Z')
const NEXT_DAY = new Date('2026-11-16T00:00:00.000Z')

const item: ListedItem = {
  ...{ kind: 'payment', id: '7', transactionId: '7', reference: 'tp1', amountMinor: 1000n, feeMinor: 15n },
  ...{ currency: 'NGN', status: 'paid', returnKey: null, live: true, at: NOON },
}
const credit: ComparedPayment = {
  ...{ reference: 'tp1', orgId: 'org_1', rail: 'paystack', mode: 'live', account: 'NG', currency: 'NGN' },
  ...{ status: 'settled', capturedMinor: 1000n, returnedMinor: 0n, transactionId: '7', repeatOf: null },
  ...{ reversedAt: null, decidedAt: null, createdAt: NOON, settledAt: NOON },
}
const waiting: Partial<ComparedPayment> = {
  ...{ status: 'pending', transactionId: null, capturedMinor: 0n, settledAt: null },
}
const verdict = (finding: ReturnType<typeof judgePayment>): string =>
  [finding.result, 'why' in finding ? finding.why : null, 'difference' in finding ? finding.difference : null]
    .filter(Boolean)
    .join(' ')

describe('a payment', () => {
  type Case = [string, string, Partial<ListedItem>, (Partial<ComparedPayment> | null)?]
  test.for<Case>([
    ['match', 'with equal facts', {}],
    ['unpaid', 'that was not paid', { status: 'unpaid', amountMinor: 5n }],
    ['difference not_credited', 'without ours', {}, null],
    ['explained test_money', 'in test money without ours', { live: false }, null],
    ['difference not_credited', 'that is pending here', {}, waiting],
    ['difference not_credited', 'that failed here', {}, { ...waiting, status: 'failed' }],
    ['explained in_review', 'in review', {}, { ...waiting, status: 'review' }],
    [
      'explained decided_by_staff',
      'that staff rejected',
      {},
      { ...waiting, status: 'failed', decidedAt: NOON },
    ],
    ['explained never_credited', 'that went back before a credit', { status: 'reversed' }, waiting],
    ['explained never_credited', 'that went back, without ours', { status: 'reversed' }, null],
    [
      'difference not_credited',
      'whose transaction a payment in review has, under another reference',
      { reference: null },
      { status: 'review' },
    ],
    ['difference amount', 'with another amount', { amountMinor: 999n }],
    ['difference amount', 'with a negative amount', { amountMinor: -1000n }],
    ['difference amount', 'without a readable amount', { amountMinor: null }],
    ['difference currency', 'in another currency', { currency: 'KES' }],
    ['difference currency', 'without a readable currency', { currency: null }],
    ['difference reference', 'with another transaction', { id: '8', transactionId: '8' }],
    ['difference reference', 'with another reference', { reference: 'tp2' }],
    ['match', 'without a reference', { reference: null }],
    ['match', 'whose reference is that of the first payment', {}, { reference: 'tr9', repeatOf: 'tp1' }],
    [
      'difference reference',
      'of a repeat under a third reference',
      { reference: 'tp3' },
      { reference: 'tr9', repeatOf: 'tp1' },
    ],
    [
      'explained never_credited',
      'that went back, beside the credited one',
      { id: '8', transactionId: '8', status: 'reversed' },
    ],
    ['difference returned', 'that went back and is credited', { status: 'reversed' }],
    [
      'explained return_recorded',
      'that went back on both sides',
      { status: 'reversed' },
      { reversedAt: NOON },
    ],
    ['explained return_recorded', 'that went back here alone', {}, { reversedAt: NOON }],
    ['explained decided_by_staff', 'credited in part by staff', { amountMinor: 1500n }, { decidedAt: NOON }],
    ['difference amount', 'of which staff credited more', { amountMinor: 500n }, { decidedAt: NOON }],
    [
      'difference amount',
      'that staff decided, without an amount',
      { amountMinor: null },
      { decidedAt: NOON },
    ],
    ['explained settled_late', 'credited on the next day', {}, { settledAt: NEXT_DAY }],
    ['match', 'credited in the last moment of its day', {}, { settledAt: new Date(NEXT_DAY.getTime() - 1) }],
  ])('is %s %s', ([expected, , there, here = {}]) => {
    const ours = here && { ...credit, ...here }
    expect(verdict(judgePayment({ ...item, ...there }, ours ? [ours] : [], { production: true }))).toBe(
      expected,
    )
  })

  test('that two of ours were credited for is a difference, whatever their references', () => {
    const both = [credit, { ...credit, reference: 'tp2' }]
    expect(verdict(judgePayment(item, both, { production: true }))).toBe('difference credited_twice')
  })

  test('in test money that was credited is a difference in production', () => {
    const judged = (production: boolean) =>
      verdict(judgePayment({ ...item, live: false }, [credit], { production }))
    expect([judged(true), judged(false)]).toEqual(['difference test_money', 'match'])
  })
})

describe('a return', () => {
  type State = PaymentReturn['state'] | null
  const judged = (there: Partial<ListedItem>, state: State, here: Partial<ComparedPayment> | null = {}) => {
    const listed: ListedItem = {
      ...item,
      kind: 'refund',
      status: 'returned',
      returnKey: 'refund:7',
      ...there,
    }
    const known = state && [{ key: 'refund:7', state, amountMinor: 400n, holdId: null }]
    const ours = here === null ? undefined : { ...credit, ...here }
    return verdict(judgeReturn({ ...listed, amountMinor: listed.amountMinor }, ours, known ?? []))
  }
  const SAME = { amountMinor: 400n }
  test.for<[ListedItem['status'], State, boolean]>([
    ['open', null, false],
    ['open', 'frozen', true],
    ['open', 'kept', true],
    ['kept', null, true],
    ['kept', 'frozen', false],
    ['kept', 'taken', true],
    ['returned', null, false],
    ['returned', 'frozen', false],
    ['returned', 'kept', false],
    ['returned', 'taken', true],
    ['returned', 'reversed', true],
  ])('that is %s there and %s here is recorded: %s', ([status, state, isRecorded]) => {
    expect(judged({ ...SAME, status }, state)).toBe(
      isRecorded ? 'explained return_recorded' : 'difference returned',
    )
  })

  test('of another key is not recorded by this one', () => {
    expect(judged({ ...SAME, returnKey: 'refund:8' }, 'taken')).toBe('difference returned')
  })

  test('that is larger there than what was taken is a difference', () => {
    expect(judged({ amountMinor: 401n }, 'taken')).toBe('difference returned')
    expect(judged({ amountMinor: 399n }, 'taken')).toBe('explained return_recorded')
    expect(judged({ amountMinor: null }, 'taken')).toBe('explained return_recorded')
  })

  test('of a payment that went back entirely is recorded', () => {
    expect(judged({}, null, { returnedMinor: 1000n })).toBe('explained return_recorded')
    expect(judged({}, null, { reversedAt: NOON })).toBe('explained return_recorded')
    expect(judged({}, null, { returnedMinor: 999n })).toBe('difference returned')
  })

  test('of a payment that was not credited, or that is undecided, is no difference', () => {
    expect(judged({}, null, null)).toBe('explained never_credited')
    expect(judged({ status: 'unpaid' }, null)).toBe('unpaid')
  })
})
