import { describe, expect, test } from 'vitest'
import { orderAccounts, type RankedAccount } from './order.ts'

type Case = Partial<RankedAccount>

const named = (cases: Readonly<Record<string, Case>>) =>
  Object.entries(cases).map(([name, changes]) => ({
    ...{ name, priority: 101, isDown: false, settled: 0, decided: 0, feeBasisPoints: null },
    ...changes,
  }))
const orderOf = (cases: Readonly<Record<string, Case>>) =>
  orderAccounts(named(cases))
    .map(({ name }) => name)
    .join(' ')

const rate = (settled: number, decided = 100): Case => ({ settled, decided })

describe('the order of accounts', () => {
  test.for<[what: string, cases: Record<string, Case>, order: string]>([
    ['is the order of the channel while nothing is known', { a: {}, b: {}, c: {} }, 'a b c'],
    ['follows the priorities of staff', { a: { priority: 2 }, b: { priority: 1 } }, 'b a'],
    ['puts accounts without a priority after those with one', { a: {}, b: { priority: 100 } }, 'b a'],
    ['puts accounts that are down last', { a: { isDown: true, priority: 1 }, b: {}, c: {} }, 'b c a'],
    [
      'keeps the priorities among accounts that are down',
      { a: { isDown: true, priority: 2 }, b: { isDown: true, priority: 1 } },
      'b a',
    ],
    ['prefers a clearly higher success rate', { a: rate(70), b: rate(90) }, 'b a'],
    ['ignores a small difference of success rates', { a: rate(80), b: rate(90) }, 'a b'],
    ['ignores the success rate of fewer than 20 payments', { a: rate(0, 19), b: rate(90) }, 'a b'],
    ['counts the success rate of 20 payments', { a: rate(0, 20), b: rate(90) }, 'b a'],
    [
      'compares success rates with the best one and has no cycle',
      { a: rate(74), b: rate(82), c: rate(90) },
      'b c a',
    ],
    [
      'does not compare success rates across priorities',
      { a: { ...rate(10), priority: 1 }, b: { ...rate(90), priority: 2 } },
      'a b',
    ],
    [
      'does not compare with the success rate of an account that is down',
      { a: rate(70), b: { ...rate(95), isDown: true } },
      'a b',
    ],
    ['prefers clearly lower fees', { a: { feeBasisPoints: 171 }, b: { feeBasisPoints: 150 } }, 'b a'],
    ['ignores a small difference of fees', { a: { feeBasisPoints: 170 }, b: { feeBasisPoints: 150 } }, 'a b'],
    ['ignores unknown fees', { a: { feeBasisPoints: 300 }, b: {} }, 'a b'],
    [
      'prefers a higher success rate to lower fees',
      { a: { ...rate(70), feeBasisPoints: 100 }, b: { ...rate(90), feeBasisPoints: 300 } },
      'b a',
    ],
  ])('%s', ([, cases, order]) => {
    expect(orderOf(cases)).toBe(order)
  })
})
