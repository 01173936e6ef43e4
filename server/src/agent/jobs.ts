// Runs look after themselves while their process lives. These look after the rest: the dead, and the old.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import * as sql from './sql.ts'

const SILENT_MINUTES = 2
const KEPT_DAYS = 90
const AT_ONCE = 500
const ROUNDS_MAX = 40

export const agentJobs = [
  job('agent.endSilentRuns', {
    attempts: 1,
    async run(app) {
      await endSilentRuns(app)
    },
  }),
  job('agent.forgetRuns', {
    async run(app) {
      await forgetRuns(app)
    },
  }),
]

export const agentSchedules: Schedule[] = [
  { name: 'agent.endSilentRuns', job: 'agent.endSilentRuns', everySeconds: 30 },
  { name: 'agent.forgetRuns', job: 'agent.forgetRuns', everySeconds: 3_600 },
]

/** A run whose process is gone has failed. What it has charged stays charged, and stays listed; its hold ends by itself. */
export async function endSilentRuns(app: App): Promise<number> {
  const silentSince = before(app.clock.now(), { minutes: SILENT_MINUTES })
  return inRounds(async () => {
    const ended = await app.db.tx('platform', (tx) => sql.endSilentRuns(tx, silentSince, AT_ONCE))
    for (const runId of ended) app.log.warn({ runId }, 'a run was interrupted')
    return ended.length
  })
}

/** Results are kept for ninety days. What they cost stays in the ledger for ever. */
export async function forgetRuns(app: App): Promise<number> {
  const finishedBefore = before(app.clock.now(), { days: KEPT_DAYS })
  return inRounds(() => app.db.tx('platform', (tx) => sql.deleteRuns(tx, finishedBefore, AT_ONCE)))
}

/** What is left at the bound waits for the next time. */
async function inRounds(round: () => Promise<number>): Promise<number> {
  let done = 0
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const now = await round()
    done += now
    if (now < AT_ONCE) break
  }
  return done
}
