// Money under random histories over two replicas, held against a small model. `node server/test/money.sim.ts` runs
// longer ones, and the same one again.
import { describe, expect, test } from 'vitest'
import { createDatabase, dropDatabase } from './harness.ts'
import { bugs } from './money/bugs.ts'
import { type History, simulate } from './money/simulate.ts'

const OPERATIONS = 200_000
/** A bug that needs longer than this is as good as not caught. */
const OPERATIONS_WITH_A_BUG = 20_000

async function live(history: History) {
  const url = await createDatabase()
  try {
    return await simulate(url, history)
  } finally {
    await dropDatabase(url)
  }
}

test('no money is lost, made, doubled or taken beyond what was told in 200 000 operations', {
  timeout: 480_000,
}, async () => {
  const { operations, races, byKind } = await live({ seed: 20_261_115, operations: OPERATIONS })
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS)
  expect(races).toBeGreaterThan(5_000)
  for (const kind of ['webhook', 'forgery', 'verify', 'refund', 'resolve', 'hear', 'cap', 'expire'])
    expect(byKind.get(kind), kind).toBeGreaterThan(30)
})

describe('it is noticed when', () => {
  test.for(bugs.map((bug) => [bug.name, bug] as const))('%s', { timeout: 60_000 }, async ([, bug]) => {
    const history = { seed: 7, lanes: 12, fullCheckEvery: 4, operations: OPERATIONS_WITH_A_BUG }
    await expect(live({ ...history, planted: bug.plant() })).rejects.toThrow(/^seed 7, near operation/)
  })
})
