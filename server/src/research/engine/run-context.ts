// The context of a worker that performs a run. Every write checks the fence of the job, so a worker that lost its
// lease cannot write.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { holdsLease, type JobAttempt } from '../../platform/jobs/jobs.ts'
import { appendEvents } from '../run-events.ts'
import * as sql from '../runs-sql.ts'
import type { ResearchRunId } from '../types.ts'

export type RunPayload = { readonly runId: ResearchRunId }

export type RunContext = {
  readonly app: App
  readonly work: JobAttempt<RunPayload>
  readonly orgId: OrgId
  /** As last read from the database. */
  readonly run: sql.RunRecord
  /** Finished steps without a usable model answer. */
  readonly unusable: number
  /** Aborts when the run is cancelled. A dispatched model turn ignores it. */
  readonly cancelled: AbortSignal
}

/** Another worker has the job, or the run is gone. This attempt stops. */
export class SupersededError extends Error {
  constructor() {
    super('another process works on this run')
    this.name = 'SupersededError'
  }
}

/** The run was cancelled. No further work starts. */
export class RunCancelledError extends Error {
  constructor() {
    super('the run was cancelled')
    this.name = 'RunCancelledError'
  }
}

type AttemptContext = Pick<RunContext, 'app' | 'work' | 'orgId'>

/**
 * Runs a transaction with the fence checked and the run locked. Throws `SupersededError` if the lease is lost or the
 * run is finished.
 */
export function withFence<T>(
  { app, work, orgId }: AttemptContext,
  write: (tx: Tx, locked: LockedRun) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    if (!(await holdsLease(tx, work))) throw new SupersededError()
    const locked = await sql.lockRun(tx, orgId, work.payload.runId)
    if (!locked || locked.finishedAt !== null) throw new SupersededError()
    return write(tx, locked)
  })
}

type LockedRun = Pick<sql.RunRecord, 'status'>

/** As `withFence`, but throws if the run is cancelled. A write is committed before the cancellation or not at all. */
export function withFenceUnlessCancelled<T>(context: RunContext, write: (tx: Tx) => Promise<T>): Promise<T> {
  return withFence(context, (tx, { status }) => {
    if (status === 'cancelled') throw new RunCancelledError()
    return write(tx)
  })
}

/** Saves a new phase and appends its event, once. */
export async function enterPhase(
  context: RunContext,
  phase: sql.ResearchPhase,
  pass?: number,
): Promise<void> {
  if (context.run.phase === phase) return
  await withFenceUnlessCancelled(context, async (tx) => {
    await sql.setPhase(tx, context.run, phase)
    await appendEvents(tx, context.run.id, [{ kind: 'phase', phase, ...(pass !== undefined && { pass }) }])
  })
}

// This share of the time is reserved for the report, so a late run still delivers one.
const REPORT_TIME_SHARE = 0.2
const REPORT_MS_MAX = 120_000

/** Reading ends early enough to leave time for the report. */
export function readingDeadline({ deadlineAt, limits }: sql.RunRecord, now: Date): Date {
  const deadline = deadlineAt ?? after(now, { ms: limits.wallClockMs })
  return after(deadline, { ms: -Math.min(REPORT_MS_MAX, limits.wallClockMs * REPORT_TIME_SHARE) })
}

export const writingDeadline = ({ deadlineAt, limits }: sql.RunRecord, now: Date): Date =>
  deadlineAt ?? after(now, { ms: limits.wallClockMs })

/** Aborts at an instant of the application clock. */
export const abortAt = ({ app }: RunContext, instant: Date): AbortSignal =>
  AbortSignal.timeout(Math.max(1, instant.getTime() - app.clock.now().getTime()))

/** The UTC date of an instant, such as 2026-11-16. */
export const toIsoDate = (instant: Date): string => instant.toISOString().slice(0, 10)
