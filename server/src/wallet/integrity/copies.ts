// Compares the copies that a database with Citus keeps with their originals, and repairs them.
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { type CopyDifference, checkCopies, findDifferences, repairs } from './copies-sql.ts'
import { readOnly } from './find-violations.ts'
import type { InvariantCheck } from './invariants.ts'

const BATCH = 500
const TIMEOUT_MS = 60_000

export const copyCheck: InvariantCheck = {
  name: 'copies_equal_their_originals',
  holds: 'The caps, key limits, trial ends and causes that are stored twice are equal.',
  find: checkCopies,
}

export const repairCopiesJob = job('wallet.repairCopies', {
  attempts: 1,
  timeoutMs: 4 * TIMEOUT_MS,
  pool: 'ledger',
  poolSize: 1,
  async run(app) {
    await repairCopies(app)
  },
})

export const repairCopiesSchedule: Schedule = {
  name: 'wallet.repairCopies',
  job: 'wallet.repairCopies',
  everySeconds: 3_600,
}

/** Returns the number of repaired copies. The next run continues with others. */
export async function repairCopies(app: App): Promise<number> {
  if (!app.db.shards) return 0
  let repaired = 0
  for (const difference of await readOnly(app, (tx) => findDifferences(tx, BATCH), TIMEOUT_MS))
    if (await tryToRepair(app, difference)) repaired++
  return repaired
}

async function tryToRepair(app: App, difference: CopyDifference): Promise<boolean> {
  const { kind, org: orgId, id } = difference
  try {
    const isRepaired = await app.db.tx('platform', async (tx) => {
      await tx.commitWithWallets()
      return repairs[kind](tx, difference)
    })
    if (isRepaired) app.log.error({ kind, orgId, id }, 'wallet.copy.repaired')
    return isRepaired
  } catch (error) {
    app.log.error({ err: error, kind, orgId, id }, 'wallet.copy.repair_failed')
    return false
  }
}
