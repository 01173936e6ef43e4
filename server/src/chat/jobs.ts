// Answers whose process died: their threads become free again. Their money does so by the deadline of its hold.
import type { App } from '../platform/app.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { aliveSince } from './limits.ts'
import { failLost } from './messages-sql.ts'

const AT_ONCE = 500
const ROUNDS_MAX = 40

export const failLostAnswers = job('chat.failLostAnswers', {
  attempts: 1,
  async run(app) {
    await failAllLost(app)
  },
})

export const lostAnswersSchedule: Schedule = {
  name: 'chat.failLostAnswers',
  job: 'chat.failLostAnswers',
  everySeconds: 30,
}

/** In rounds; what is left at the bound waits for the next run. */
async function failAllLost(app: App): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const failed = await app.db.tx('platform', (tx) => failLost(tx, aliveSince(tx.now), null, AT_ONCE))
    if (failed.length > 0) app.log.warn({ answers: failed.length }, 'answers were lost with their process')
    if (failed.length < AT_ONCE) return
  }
}
