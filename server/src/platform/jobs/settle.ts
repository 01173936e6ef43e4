// How an attempt ends in the table. Every ending asks for the fence, so a worker that lost its job changes nothing.
import { after } from '../../kernel/clock.ts'
import type { Tx } from '../db/tx.ts'
import type { AttemptOutcome } from './attempt.ts'
import { unparkNext } from './claim.ts'
import { DEFAULTS, type JobKind, retryDelayMs } from './job-kind.ts'
import * as sql from './sql.ts'

export type JobResult = 'done' | 'retried' | 'dead' | 'returned' | 'lost'

/** Writes the outcome down and says what became of the job; `lost` when it is somebody else's by now. */
export async function recordOutcome(
  tx: Tx,
  kind: JobKind,
  job: sql.TakenJob,
  outcome: AttemptOutcome,
  random: () => number,
): Promise<JobResult> {
  const { ending, lane } = await write(tx, kind, job, outcome, random)
  if (!lane) return 'lost'
  if (kind.perOrg !== undefined && lane.org !== null) await unparkNext(tx, lane, kind.perOrg)
  return ending
}

type Written = { ending: JobResult; lane: sql.OrgQueue | undefined }

async function write(
  tx: Tx,
  kind: JobKind,
  job: sql.TakenJob,
  outcome: AttemptOutcome,
  random: () => number,
): Promise<Written> {
  switch (outcome.result) {
    case 'done':
      return { ending: 'done', lane: await sql.deleteDone(tx, job) }
    case 'lost':
      return { ending: 'lost', lane: undefined }
    case 'stopped': {
      // Our stopping is no failure of the job: the attempt does not count, and another replica is told at once.
      const lane = await sql.returnToWaiting(tx, job, {
        dueAt: tx.now,
        error: null,
        attempt: job.attempt - 1,
      })
      if (lane) tx.notify('jobs', job.name)
      return { ending: 'returned', lane }
    }
    case 'failed': {
      if (job.attempt >= (kind.attempts ?? DEFAULTS.attempts))
        return { ending: 'dead', lane: await sql.markDead(tx, job, outcome.error) }
      const dueAt = after(tx.now, { ms: retryDelayMs(kind.backoff ?? DEFAULTS.backoff, job.attempt, random) })
      return {
        ending: 'retried',
        lane: await sql.returnToWaiting(tx, job, { dueAt, error: outcome.error, attempt: job.attempt }),
      }
    }
  }
}
