// A run while one process works on it. Everything that is written about it asks for the fence of its job first, so that a
// process which was given up on writes nothing more.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { holdsLease, type Work } from '../../platform/jobs/jobs.ts'
import { appendEvents } from '../run-events.ts'
import * as sql from '../runs-sql.ts'
import type { ResearchRunId } from '../types.ts'

export type RunPayload = { readonly runId: ResearchRunId }

export type RunContext = {
  readonly app: App
  readonly work: Work<RunPayload>
  readonly orgId: OrgId
  /** As it was last read. */
  readonly run: sql.RunRecord
  /** How many of its steps had answers of models that nobody could use. */
  readonly unusable: number
  /** Aborts when somebody cancels the run. A turn that was dispatched does not listen to it. */
  readonly cancelled: AbortSignal
}

/** The attempt is somebody else's by now, or the run is gone: there is nothing more to do here. */
export class SupersededError extends Error {
  constructor() {
    super('another process works on this run')
    this.name = 'Superseded'
  }
}

/** Somebody wants no more of it: nothing further is begun. */
export class RunCancelledError extends Error {
  constructor() {
    super('the run was cancelled')
    this.name = 'Cancelled'
  }
}

type AttemptContext = Pick<RunContext, 'app' | 'work' | 'orgId'>

/** One transaction of this attempt, with the run held; `Superseded` when either of them is over. */
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

/** As `fenced`, only while nobody has cancelled the run: what this writes comes before a cancellation or not at all. */
export function withFenceUnlessCancelled<T>(context: RunContext, write: (tx: Tx) => Promise<T>): Promise<T> {
  return withFence(context, (tx, { status }) => {
    if (status === 'cancelled') throw new RunCancelledError()
    return write(tx)
  })
}

/** Notes a new phase, once. */
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

// So much of the time is kept for the report: a run that is late still delivers one.
const REPORT_TIME_SHARE = 0.2
const REPORT_MS_MAX = 120_000

/** When reading has to end, so that there is time to write. */
export function readingDeadline({ deadlineAt, limits }: sql.RunRecord, now: Date): Date {
  const deadline = deadlineAt ?? after(now, { ms: limits.wallClockMs })
  return after(deadline, { ms: -Math.min(REPORT_MS_MAX, limits.wallClockMs * REPORT_TIME_SHARE) })
}

export const writingDeadline = ({ deadlineAt, limits }: sql.RunRecord, now: Date): Date =>
  deadlineAt ?? after(now, { ms: limits.wallClockMs })

/** Aborts at an instant of the service's clock. */
export const abortAt = ({ app }: RunContext, instant: Date): AbortSignal =>
  AbortSignal.timeout(Math.max(1, instant.getTime() - app.clock.now().getTime()))

/** The day of an instant, in UTC: 2026-11-16. */
export const toIsoDate = (instant: Date): string => instant.toISOString().slice(0, 10)
