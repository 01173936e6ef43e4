// Background jobs of tasks. Turns have their own worker pool, because they mostly wait for models.

import { present } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { sweepPlacements } from '../platform/db/placement/each-placement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deleteStream } from '../platform/streams/streams.ts'
import { pushJob } from '../push/push.ts'
import { updatePublished } from './api/publish-task.ts'
import { startTurnFromComment } from './api/start-turn.ts'
import { endTurn } from './engine/finish-turn.ts'
import { readTaskTitle, TASK_PUSH_JOB } from './engine/notify.ts'
import { performTurn } from './engine/perform-turn.ts'
import { commentJob } from './pull-request/comment-job.ts'
import { pullStateJob } from './pull-request/state-job.ts'
import type { TurnPayload } from './steps/turn-context.ts'
import { PUBLISH_JOB, type PublishPayload, TURN_JOB } from './steps/turn-job.ts'
import { deleteUnusedSince } from './tasks-sql.ts'
import { listOpenSince } from './turns-sql.ts'

const CONCURRENT_TURNS = 16
const TURNS_PER_ORG = 8
const RETENTION_DAYS = 365
/** A caller that does not answer its tools for this long has given up. */
const ABANDONED_HOURS = 24
const BATCHES = { batchSize: 200, maxRounds: 50 }

export const taskJobs = [
  job<TurnPayload>(TURN_JOB, {
    pool: 'tasks',
    poolSize: CONCURRENT_TURNS,
    perOrg: TURNS_PER_ORG,
    slow: true,
    // The turn counts its failed steps itself, so worker crashes do not use up its attempts.
    attempts: 1_000,
    backoff: { firstMs: 500, maxMs: 60_000 },
    timeoutMs: 7_200_000,
    run: performTurn,
  }),
  job<PublishPayload>(PUBLISH_JOB, {
    pool: 'tasks',
    attempts: 5,
    timeoutMs: 120_000,
    async run(app, { org, payload, signal }) {
      const orgId = present(org, 'the job of a pull request has an organisation')
      try {
        await updatePublished(app, orgId, payload.taskId, signal)
      } catch (error) {
        // A branch that moved or a missing permission needs a person; the API says which when they publish.
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        app.log.warn({ taskId: payload.taskId, code: error.code }, 'tasks.pull_request.update_refused')
      }
    },
  }),
  commentJob(startTurnFromComment),
  pullStateJob,
  pushJob(TASK_PUSH_JOB, readTaskTitle),
  job('tasks.sweep', {
    timeoutMs: 600_000,
    async run(app, { signal }) {
      await endAbandonedTurns(app, signal)
      await deleteOldTasks(app, signal)
    },
  }),
]

export const taskSchedules: Schedule[] = [{ name: 'tasks.sweep', job: 'tasks.sweep', everySeconds: 3_600 }]

/** Ends turns whose caller does not answer. */
export async function endAbandonedTurns(app: App, signal?: AbortSignal): Promise<number> {
  const since = before(app.clock.now(), { hours: ABANDONED_HOURS })
  const open = (
    await app.db.forEachPlacement((tx) => listOpenSince(tx, since, BATCHES.batchSize), signal)
  ).flat()
  for (const turn of open) {
    const ended = app.db.tx(turn.orgId as OrgId, (tx) => endTurn(app, tx, turn, { reason: 'abandoned' }))
    // A turn that cannot be ended must not block the others.
    await ended.catch((error: unknown) =>
      app.log.error({ err: error, turnId: turn.id }, 'tasks.turn.finish_failed'),
    )
  }
  return open.length
}

/** Deletes tasks that were not used for a year. */
export function deleteOldTasks(app: App, signal?: AbortSignal): Promise<number> {
  const usedBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  const forget = async (tx: Tx) => {
    const gone = await deleteUnusedSince(tx, usedBefore, BATCHES.batchSize)
    for (const { id } of gone) await deleteStream(tx, id)
    return gone.length
  }
  return sweepPlacements(app.db, BATCHES, forget, signal)
}
