// The money that is kept for the report: from the start of a run until the report is paid with it, or the run ends without one.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { releaseIn, reserveIn } from '../../wallet/wallet.ts'
import { findRun, type RunRecord, saveReserveHold } from '../runs-sql.ts'

/** A run may wait for a worker before its clock starts, and for us to come back after it. */
const GRACE_HOURS = 1

/** When it is free again by itself, should nobody come back to the run. */
export const reserveDeadline = (now: Date, wallClockMs: number): Date =>
  after(now, { ms: wallClockMs, hours: GRACE_HOURS })

/** After a try that failed, in the transaction that lets go of what it held. As much as there is, up to what it was. */
export async function renewReserve(app: App, tx: Tx, run: RunRecord, name: string): Promise<void> {
  // Whoever tried before has kept it aside again already: it is held once.
  const { asideHoldId } = present(await findRun(tx, run.orgId, run.id), 'a run that is tried again is there')
  await releaseIn(app, tx, { orgId: run.orgId, holdId: asideHoldId })
  const reserved = await reserveIn(app, tx, {
    orgId: run.orgId,
    userId: run.userId,
    ref: `${run.id}.aside.${name}`,
    source: 'research',
    amountMinor: run.asideMinor,
    leastMinor: 0n,
    terms: {},
    deadline: reserveDeadline(tx.now, run.limits.wallClockMs),
  })
  if (reserved.ok) await saveReserveHold(tx, run, reserved.hold.holdId)
}
