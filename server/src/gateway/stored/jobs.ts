// Deletes stored responses after their retention.
import { before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { sweepPlacements } from '../../platform/db/placement/each-placement.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { RETENTION_DAYS } from './stored-responses.ts'
import { deleteExpired } from './stored-responses-sql.ts'

const ROUNDS = { batchSize: 500, maxRounds: 40 }

export const forgetResponsesJob = job('gateway.forgetResponses', {
  async run(app, { signal }) {
    await forgetResponses(app, signal)
  },
})

export const forgetResponsesSchedule: Schedule = {
  name: 'gateway.forgetResponses',
  job: 'gateway.forgetResponses',
  everySeconds: 3_600,
}

export function forgetResponses(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  return sweepPlacements(app.db, ROUNDS, (tx) => deleteExpired(tx, createdBefore, ROUNDS.batchSize), signal)
}
