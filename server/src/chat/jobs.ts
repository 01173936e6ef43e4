// Fails answers whose process died, so that their threads accept questions again. Their holds expire by deadline.
import type { App } from '../platform/app.ts'
import { sweepPlacements } from '../platform/db/placement/each-placement.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { leaseCutoff } from './limits.ts'
import { failOrphaned } from './threads/messages-sql.ts'

const SWEEP = { batchSize: 500, maxRounds: 40 }

export const failOrphanedAnswers = job('chat.failLostAnswers', {
  attempts: 1,
  async run(app, { signal }) {
    await failAllOrphaned(app, signal)
  },
})

export const orphanedAnswersSchedule: Schedule = {
  name: 'chat.failLostAnswers',
  job: 'chat.failLostAnswers',
  everySeconds: 30,
}

async function failAllOrphaned(app: App, signal: AbortSignal): Promise<void> {
  const answers = await sweepPlacements(
    app.db,
    SWEEP,
    async (tx) => (await failOrphaned(tx, leaseCutoff(tx.now), null, SWEEP.batchSize)).length,
    signal,
  )
  if (answers > 0) app.log.warn({ answers }, 'chat.answer.orphaned')
}
