// Cancels a subscription. A paid period runs to its end; an unpaid subscription ends at once.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { abandonOpenBills } from '../bills/bills.ts'
import { endSubscription, schedule } from '../subscriptions/lifecycle.ts'
import { findLiveSubscription, type Subscription } from '../subscriptions/subscriptions.ts'
import { viewSubscription } from '../subscriptions/view.ts'
import { lockBilledOrg } from './change-context.ts'

const REASON = 'The subscription was cancelled.'

export function cancelSubscription(app: App, actor: Actor, reason: string | undefined, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    await lockBilledOrg(tx, orgId)
    // A subscription that waits for its first payment has not started: its unpaid checkout expires.
    const before = await findLiveSubscription(tx, orgId)
    if (!before) throw new ApiError('no_subscription')
    if (before.cancelAtPeriodEnd && !isUnpaid(before, tx.now)) return answer(tx, before)
    const after = isUnpaid(before, tx.now)
      ? await endSubscription(app, tx, before, REASON)
      : await endLater(tx, before)
    const { id, planCode } = before
    const metadata = { planCode, status: before.status, effectiveAt: endOf(after), ...(reason && { reason }) }
    await record(tx, { orgId, actor, ip, action: 'subscription.cancel', target: id, metadata })
    return answer(tx, after)
  })
}

/** Never paid, or the current period is unpaid. */
const isUnpaid = ({ status, periodEnd }: Subscription, now: Date): boolean =>
  status !== 'active' || periodEnd <= now

/** Also abandons a change that waits for its payment. */
async function endLater(tx: Tx, before: Subscription): Promise<Subscription> {
  await abandonOpenBills(tx, before.id, REASON)
  return schedule(tx, before, { cancelAtPeriodEnd: true, scheduledPlanCode: null, scheduledInterval: null })
}

const endOf = ({ endedAt, periodEnd }: Subscription): Date => endedAt ?? periodEnd

async function answer(tx: Tx, subscription: Subscription) {
  const { cancelAtPeriodEnd } = subscription
  return {
    ok: true as const,
    cancelAtPeriodEnd,
    effectiveAt: endOf(subscription),
    subscription: await viewSubscription(tx, subscription),
  }
}
