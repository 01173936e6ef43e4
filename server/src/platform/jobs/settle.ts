// Records the outcome of an attempt. Every statement checks the fence, so a worker that lost its lease changes nothing.
import { after } from '../../kernel/clock.ts'
import type { Tx } from '../db/tx.ts'
import type { AttemptOutcome } from './attempt.ts'
import { unparkNext } from './claim.ts'
import { DEFAULTS, type JobKind, retryDelayMs } from './job-kind.ts'
import * as sql from './sql.ts'

export type JobResult = 'done' | 'retried' | 'dead' | 'returned' | 'lost'

/** Records the outcome and returns the result for the job; `lost` when another worker holds the lease. */
export async function recordOutcome(
  tx: Tx,
  kind: JobKind,
  job: sql.ClaimedJob,
  outcome: AttemptOutcome,
  random: () => number,
): Promise<JobResult> {
  const { result, queue } = await write(tx, kind, job, outcome, random)
  if (!queue) return 'lost'
  if (kind.perOrg !== undefined && queue.org !== null) await unparkNext(tx, queue, kind.perOrg)
  return result
}

type RecordedResult = { result: JobResult; queue: sql.OrgQueue | undefined }

async function write(
  tx: Tx,
  kind: JobKind,
  job: sql.ClaimedJob,
  outcome: AttemptOutcome,
  random: () => number,
): Promise<RecordedResult> {
  switch (outcome.result) {
    case 'done':
      return { result: 'done', queue: await sql.deleteDone(tx, job) }
    case 'lost':
      return { result: 'lost', queue: undefined }
    case 'stopped': {
      // A stop of this replica is no failure of the job: the attempt does not count, and other replicas are notified.
      const queue = await sql.returnToWaiting(tx, job, {
        dueAt: tx.now,
        error: null,
        attempt: job.attempt - 1,
      })
      if (queue) tx.notify('jobs', job.name)
      return { result: 'returned', queue }
    }
    case 'failed': {
      if (job.attempt >= (kind.attempts ?? DEFAULTS.attempts))
        return { result: 'dead', queue: await sql.markDead(tx, job, outcome.error) }
      const dueAt = after(tx.now, { ms: retryDelayMs(kind.backoff ?? DEFAULTS.backoff, job.attempt, random) })
      return {
        result: 'retried',
        queue: await sql.returnToWaiting(tx, job, { dueAt, error: outcome.error, attempt: job.attempt }),
      }
    }
  }
}
