// Answers whose process died: their threads become free again. Their money does so by the deadline of its hold.
import type { App } from '../platform/app.ts'
import { everyPlaceInRounds } from '../platform/db/placement/each-placement.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { aliveSince } from './limits.ts'
import { failLost } from './threads/messages-sql.ts'

const ROUNDS = { atOnce: 500, roundsMax: 40 }

export const failLostAnswers = job('chat.failLostAnswers', {
  attempts: 1,
  async run(app, { signal }) {
    await failAllLost(app, signal)
  },
})

export const lostAnswersSchedule: Schedule = {
  name: 'chat.failLostAnswers',
  job: 'chat.failLostAnswers',
  everySeconds: 30,
}

async function failAllLost(app: App, signal: AbortSignal): Promise<void> {
  const answers = await everyPlaceInRounds(
    app.db,
    ROUNDS,
    async (tx) => (await failLost(tx, aliveSince(tx.now), null, ROUNDS.atOnce)).length,
    signal,
  )
  if (answers > 0) app.log.warn({ answers }, 'chat.answer.orphaned')
}
