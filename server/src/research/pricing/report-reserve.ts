// The report reserve is a hold from the start of a run until it pays for the report or the run finishes.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { keyOfHold, releaseIn, reserveIn } from '../../wallet/wallet.ts'
import { findRun, type RunRecord, saveReserveHold } from '../runs-sql.ts'

/** Covers the queue time before the run starts and recovery after its deadline. */
const GRACE_HOURS = 1

/** When the hold expires if the run is abandoned. */
export const reserveDeadline = (now: Date, wallClockMs: number): Date =>
  after(now, { ms: wallClockMs, hours: GRACE_HOURS })

/**
 * Renews the reserve after a failed try, in the transaction that releases its hold. Holds as much as is available, up
 * to the original amount.
 */
export async function renewReserve(app: App, tx: Tx, run: RunRecord, name: string): Promise<void> {
  // An earlier try may have renewed it already. There is only one reserve hold.
  const { asideHoldId } = present(await findRun(tx, run.orgId, run.id), 'a retried run exists')
  const previous = { orgId: run.orgId, holdId: asideHoldId }
  await releaseIn(app, tx, previous)
  const reserved = await reserveIn(app, tx, {
    orgId: run.orgId,
    userId: run.userId,
    keyId: await keyOfHold(tx, previous),
    ref: `${run.id}.aside.${name}`,
    source: 'research',
    amountMinor: run.asideMinor,
    leastMinor: 0n,
    terms: {},
    deadline: reserveDeadline(tx.now, run.limits.wallClockMs),
  })
  if (reserved.ok) await saveReserveHold(tx, run, reserved.hold.holdId)
}
