// Random histories of money on two replicas, compared with a small model. `npm run sim` runs longer histories and can repeat
// one.

import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { describe, expect, test } from 'vitest'
import { bugs } from './money-sim/bugs.ts'
import { type History, simulate } from './money-sim/simulate.ts'
import { NO_BUG } from './money-sim/world.ts'

const OPERATIONS = rounds(640, 20_000)
/** A history with mostly payments, which are rare in a history of holds. */
const OPERATIONS_OF_PAYMENTS = rounds(480, 6_000)
/** A bug must be detected within this many operations. */
const OPERATIONS_WITH_A_BUG = 20_000

/** The bugs that `npm test` installs. */
const SAMPLE = [
  'a hold can be ended twice',
  'the paid amount is not compared',
  'a charge that accrues is rounded up by itself',
  'the cost of a charge does not accrue',
  'a batch forgets the accruals of all wallets but the last',
]

async function live(history: History) {
  const url = await createDatabase()
  try {
    return await simulate(url, history)
  } finally {
    await dropDatabase(url)
  }
}

describe('no money is lost, created, doubled or overcharged', () => {
  test(`in ${OPERATIONS} operations`, { timeout: scaledTimeout(480_000) }, async () => {
    const history = { seed: 20_261_115, orgs: rounds(24, 64), operations: OPERATIONS, fullCheckEvery: 10 }
    const { operations, races, byKind } = await live(history)
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS)
    expect(races).toBeGreaterThan(rounds(20, 1_200))
    for (const kind of [
      'reserve',
      'settle',
      'release',
      'expire',
      'extend',
      'credit',
      'debit',
      'grant',
      'cap',
    ])
      expect(byKind.get(kind), kind).toBeGreaterThan(rounds(2, 150))
    for (const kind of ['trial', 'returnCharge', 'freeze', 'unfreeze'])
      expect(byKind.get(kind), kind).toBeGreaterThan(rounds(1, 60))
  })

  test(`in ${OPERATIONS_OF_PAYMENTS} operations, most of them payments`, {
    timeout: scaledTimeout(480_000),
  }, async () => {
    const planted = { ...NO_BUG, focus: 'payments' } as const
    const history = {
      seed: 20_261_115,
      orgs: rounds(12, 24),
      isBehindProxy: true,
      operations: OPERATIONS_OF_PAYMENTS,
      fullCheckEvery: 4,
      planted,
    }
    const { operations, races, byKind } = await live(history)
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS_OF_PAYMENTS)
    expect(races).toBeGreaterThan(rounds(8, 300))
    for (const kind of [
      'begin',
      'webhook',
      'forgery',
      'verify',
      'refund',
      'resolve',
      'providerStatus',
      'cap',
      'expire',
    ])
      expect(byKind.get(kind), kind).toBeGreaterThan(rounds(0, 30))
  })
})

describe('the simulation detects a bug:', () => {
  // One in the wallet and one in payments. The soak installs all of them.
  const sample = isSoak ? bugs : bugs.filter(({ name }) => SAMPLE.includes(name))
  test.for(sample.map((bug) => [bug.name, bug] as const))(
    '%s',
    { timeout: scaledTimeout(480_000) },
    async ([, bug]) => {
      const history = { seed: 7, orgs: 12, fullCheckEvery: 4, operations: OPERATIONS_WITH_A_BUG }
      await expect(live({ ...history, planted: bug.plant() })).rejects.toThrow(/^seed 7, near operation/)
    },
  )
})
