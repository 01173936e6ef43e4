// The lifecycle of a run: heartbeat, requests to stop, end event, cleanup of earlier attempts, and the check before a further turn.

import { emit } from '../../hooks/hooks.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { RENEW_MS } from '../../kernel/lease.ts'
import { isModelAllowed } from '../../kernel/model-patterns.ts'
import type { ModelRoute } from '../../metering/metering.ts'
import { chargeability, findOrg, type Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { kycRequired } from '../../platform/settings/platform-settings.ts'
import { releaseByRef } from '../../wallet/wallet.ts'
import * as sql from '../sql.ts'

/** Ends the runs of earlier attempts under this key and releases their holds. Call it before a new hold. */
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
 * Releases the holds of turns in flight; settled turns stay charged. Uses its own transaction, because a settlement
 * locks the wallet before the run.
 */
export async function releaseRunHolds(
  app: App,
  orgId: OrgId,
  { id, iterations }: sql.RunAttempt,
): Promise<void> {
  await app.db.tx(orgId, async (tx) => {
    // A run may have its repair turn in flight beside its first turn.
    for (const turn of [iterations + 1, iterations + 2])
      await releaseByRef(app, tx, { orgId, ref: `${id}.${turn}` })
  })
}

export async function emitRunFinished(tx: Tx, ended: readonly sql.FinishedRun[]): Promise<void> {
  for (const { id, orgId, ...data } of ended)
    await emit(tx, { orgId, type: 'run.finished', data: { runId: id, ...data } })
}

/** The topic of requests to stop. The heartbeat finds those whose notification was lost. */
export const STOP_TOPIC = 'agent.stop'

/**
 * Renews the run's heartbeat and its idempotency key, and calls `onStop` when a member asks to stop the run, on any
 * replica. Returns the function that ends both.
 */
export function superviseRun(
  app: App,
  { orgId, id, once }: { readonly orgId: OrgId; readonly id: sql.AgentRunId; readonly once: Once },
  onStop: () => void,
): () => void {
  const beat = async () => {
    try {
      const [isStopRequested] = await Promise.all([
        app.db.tx(orgId, (tx) => sql.recordHeartbeat(tx, orgId, id)),
        once.renew(),
      ])
      if (isStopRequested) onStop()
    } catch (error) {
      app.log.warn({ err: error, runId: id }, 'agent.heartbeat.record_failed')
    }
  }
  const timer = setInterval(() => void beat(), RENEW_MS).unref()
  const stopListening = app.db.listen(STOP_TOPIC, (stopped) => {
    if (stopped === id) onStop()
  })
  return () => {
    clearInterval(timer)
    stopListening()
  }
}

/**
 * Why no further model turn may begin; null if it may. The organisation may have been suspended or restricted since the
 * start. Maintenance lets work under way finish.
 */
export async function checkOrgStatus(
  app: App,
  id: OrgId,
  route: ModelRoute,
): Promise<'suspended' | 'policy' | null> {
  const org = await findOrg(app.db.direct, id)
  const isKycRequired = app.settings.get(kycRequired)
  const charge = chargeability(org, { isMaintenance: false, isKycRequired })
  if (!charge.chargeable) return charge.refusal === 'kyc_required' ? 'policy' : 'suspended'
  return isRouteAllowed(route, charge.org) ? null : 'policy'
}

/** Another model would have another price than the quote, so a disallowed route ends the run. */
function isRouteAllowed(
  { lane, isModelPinned }: ModelRoute,
  { allowedLanes, allowedModels, residencyRegion }: Org,
): boolean {
  if (!isModelAllowed(allowedModels, lane)) return false
  if (residencyRegion !== null) return isModelPinned
  return lane === 'open' || allowedLanes.includes(lane)
}
