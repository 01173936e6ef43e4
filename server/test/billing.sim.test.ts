// Years of plans, cards, bills and renewals on two replicas, compared with a model. `npm run sim:billing` runs more
// organisations and can repeat a history.

import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { describe, expect, test } from 'vitest'
import { type Bug, bugs } from './billing-sim/bugs.ts'
import { type History, simulate } from './billing-sim/simulate.ts'

/** Both durations include the end of February in a leap year. */
const YEARS = rounds(2, 3)
const ORGS = rounds(3, 6)

async function live(history: History, bug?: Bug) {
  const url = await createDatabase()
  try {
    await bug?.install(url)
    return await simulate(url, history)
  } finally {
    await dropDatabase(url)
  }
}

describe('billing', () => {
  test(`matches the model for ${ORGS} organisations over ${YEARS} years`, {
    timeout: scaledTimeout(480_000),
  }, async () => {
    const { tally } = await live({
      seed: 20_270_101,
      orgs: ORGS,
      years: YEARS,
      stepDays: rounds(28, 14),
      actChance: 0.5,
      checkEvery: 40,
    })
    for (const [what, least] of [
      ['bills checkout paid', rounds(2, 6)],
      ['bills renewal paid', rounds(10, 40)],
      ['bills change paid', rounds(1, 3)],
      ['became past due', rounds(1, 2)],
      ['runs both', rounds(2, 8)],
      ['settled topup', rounds(1, 5)],
    ] as const)
      expect(tally.of(what), what).toBeGreaterThanOrEqual(least)
  })
})

describe('the simulation detects a bug:', () => {
  // The other bugs need longer histories: only the soak installs them.
  const sample = isSoak ? bugs : bugs.slice(0, 1)
  test.for(sample.map((bug) => [bug.name, bug] as const))(
    '%s',
    { timeout: scaledTimeout(480_000) },
    async ([, bug]) => {
      const history = { seed: 7, orgs: 12, years: 2, stepDays: 6, actChance: 0.4, checkEvery: 10 }
      await expect(live(history, bug)).rejects.toThrow(/^seed 7, step/)
    },
  )
})
