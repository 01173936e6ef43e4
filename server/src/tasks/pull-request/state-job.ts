// Notes that the pull request of a task was merged, closed, reopened or made ready, and tells the readers of the task.
import { present } from '../../kernel/assert.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { PULL_STATE_JOB, type PullStatePayload } from '../../review/review.ts'
import { appendEvents } from '../events.ts'
import { savePullState } from './pull-requests-sql.ts'

export const pullStateJob = job<PullStatePayload>(PULL_STATE_JOB, {
  pool: 'review',
  attempts: 6,
  timeoutMs: 60_000,
  async run(app, { org, payload }) {
    const orgId = present(org, 'the state of a pull request has an organisation')
    await app.db.tx(orgId, async (tx) => {
      // Most pull requests belong to no task.
      const taskId = await savePullState(tx, orgId, payload)
      if (taskId)
        await appendEvents(tx, taskId, null, [
          { kind: 'status', status: 'finished', note: 'pull_request', detail: payload.state },
        ])
    })
  },
})
