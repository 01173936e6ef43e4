// A run while one process works on it. Everything that is written about it asks for the fence of its job first, so that a
// process which was given up on writes nothing more.
import { after } from '../kernel/clock.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { holdsLease, type Work } from '../platform/jobs/jobs.ts'
import { tell } from './events.ts'
import * as sql from './sql.ts'
import type { RunId } from './terms.ts'

export type RunPayload = { readonly runId: RunId }

export type Working = {
  readonly app: App
  readonly work: Work<RunPayload>
  readonly orgId: OrgId
  /** As it was last read. */
  readonly run: sql.Run
  /** How many of its steps had answers of models that nobody could use. */
  readonly unusable: number
  /** Aborts when somebody cancels the run. A turn that was dispatched does not listen to it. */
  readonly cancelled: AbortSignal
}

/** The attempt is somebody else's by now, or the run is gone: there is nothing more to do here. */
export class Superseded extends Error {
  constructor() {
    super('another process works on this run')
    this.name = 'Superseded'
  }
}

/** Somebody wants no more of it: nothing further is begun. */
export class Cancelled extends Error {
  constructor() {
    super('the run was cancelled')
    this.name = 'Cancelled'
  }
}

type Attempt = Pick<Working, 'app' | 'work' | 'orgId'>

/** One transaction of this attempt, with the run held; `Superseded` when either of them is over. */
export function fenced<T>(
  { app, work, orgId }: Attempt,
  write: (tx: Tx, standing: Standing) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    if (!(await holdsLease(tx, work))) throw new Superseded()
    const standing = await sql.lockRun(tx, orgId, work.payload.runId)
    if (!standing || standing.finishedAt !== null) throw new Superseded()
    return write(tx, standing)
  })
}

type Standing = Pick<sql.Run, 'status'>

/** As `fenced`, only while nobody has cancelled the run: what this writes comes before a cancellation or not at all. */
export function whileWanted<T>(working: Working, write: (tx: Tx) => Promise<T>): Promise<T> {
  return fenced(working, (tx, { status }) => {
    if (status === 'cancelled') throw new Cancelled()
    return write(tx)
  })
}

/** Notes a new phase, once. */
export async function enter(working: Working, phase: sql.Phase, pass?: number): Promise<void> {
  if (working.run.phase === phase) return
  await whileWanted(working, async (tx) => {
    await sql.setPhase(tx, working.run, phase)
    await tell(tx, working.run.id, [{ kind: 'phase', phase, ...(pass !== undefined && { pass }) }])
  })
}

// So much of the time is kept for the report: a run that is late still delivers one.
const REPORT_SHARE = 0.2
const REPORT_MS_MAX = 120_000

/** When reading has to end, so that there is time to write. */
export function readingUntil({ deadlineAt, limits }: sql.Run, now: Date): Date {
  const deadline = deadlineAt ?? after(now, { ms: limits.wallClockMs })
  return after(deadline, { ms: -Math.min(REPORT_MS_MAX, limits.wallClockMs * REPORT_SHARE) })
}

export const writingUntil = ({ deadlineAt, limits }: sql.Run, now: Date): Date =>
  deadlineAt ?? after(now, { ms: limits.wallClockMs })

/** Aborts at an instant of the service's clock. */
export const untilInstant = ({ app }: Working, instant: Date): AbortSignal =>
  AbortSignal.timeout(Math.max(1, instant.getTime() - app.clock.now().getTime()))
