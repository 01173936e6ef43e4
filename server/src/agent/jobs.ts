// Background jobs: end runs of dead processes, and delete old runs.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { filterOrgsPlacedHere, sweepPlacements } from '../platform/db/placement/each-placement.ts'
import type { TenantScope, Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { emitRunFinished } from './run/lifecycle.ts'
import * as sql from './sql.ts'

const HEARTBEAT_TIMEOUT_MINUTES = 2
const RETENTION_DAYS = 90
const ROUNDS = { batchSize: 500, maxRounds: 40 }

export const agentJobs = [
  job('agent.endSilentRuns', {
    attempts: 1,
    async run(app, { signal }) {
      await endSilentRuns(app, signal)
    },
  }),
  job('agent.forgetRuns', {
    async run(app, { signal }) {
      await forgetRuns(app, signal)
    },
  }),
]

export const agentSchedules: Schedule[] = [
  { name: 'agent.endSilentRuns', job: 'agent.endSilentRuns', everySeconds: 30 },
  { name: 'agent.forgetRuns', job: 'agent.forgetRuns', everySeconds: 3_600 },
]

/** Marks runs without a heartbeat as failed. Charged iterations stay charged and listed; the hold expires by itself. */
export async function endSilentRuns(app: App, signal?: AbortSignal): Promise<number> {
  const silentSince = before(app.clock.now(), { minutes: HEARTBEAT_TIMEOUT_MINUTES })
  const endSome = async (tx: Tx, reach: TenantScope) => {
    const ended = await sql.endSilentRuns(tx, silentSince, ROUNDS.batchSize)
    // Leftovers of organisations that moved to another database are not their runs any more.
    const here = await filterOrgsPlacedHere(
      tx,
      reach,
      ended.map(({ orgId }) => orgId),
    )
    const interrupted = ended.filter(({ orgId }) => here.has(orgId))
    await emitRunFinished(tx, interrupted)
    tx.afterCommit(() => {
      for (const { id: runId } of interrupted) app.log.warn({ runId }, 'agent.run.interrupted')
    })
    return ended.length
  }
  return sweepPlacements(app.db, ROUNDS, endSome, signal)
}

/** Results are kept for 90 days. The charges stay in the ledger. */
export async function forgetRuns(app: App, signal?: AbortSignal): Promise<number> {
  const finishedBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  const forgetSome = (tx: Tx) => sql.deleteRuns(tx, finishedBefore, ROUNDS.batchSize)
  return sweepPlacements(app.db, ROUNDS, forgetSome, signal)
}
