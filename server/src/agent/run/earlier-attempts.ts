// What a dead process left behind under a key: a run that looks alive, and money held for the turn it had in flight.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { releaseNamed } from '../../wallet/wallet.ts'
import * as sql from '../sql.ts'
import { emitRunFinished } from './finished.ts'

/** Ends the runs of earlier attempts and frees their money. Call it before money is held again under the same key. */
export async function endEarlierAttempts(app: App, orgId: OrgId, once: Once): Promise<void> {
  if (once.attempt === 1) return
  const { attempts } = await app.db.tx(orgId, async (tx) => {
    const ended = await sql.endEarlierAttempts(tx, orgId, once.id)
    await emitRunFinished(tx, ended.interrupted)
    return ended
  })
  for (const attempt of attempts) await releaseRunHolds(app, orgId, attempt)
}

/**
 * Frees the money of turns in flight; turns that were settled stay charged. In its own transaction: a settlement locks the
 * wallet before the run, and so must this.
 */
export async function releaseRunHolds(
  app: App,
  orgId: OrgId,
  { id, iterations }: sql.RunAttempt,
): Promise<void> {
  await app.db.tx(orgId, async (tx) => {
    // A run may have its repair in flight beside its first turn.
    for (const turn of [iterations + 1, iterations + 2])
      await releaseNamed(app, tx, { orgId, ref: `${id}.${turn}` })
  })
}
