// Grants the allowance of each further month of a period. The period itself grants the first one.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { grantIncluded } from '../../wallet/wallet.ts'
import { monthAt } from '../calendar.ts'
import { soldPlan } from './subscription-plan.ts'
import { findCurrentSubscription, lockOrg, type Subscription, type SubscriptionId } from './subscriptions.ts'

const BATCH_SIZE = 50
const ROUNDS_MAX = 40

/** Works in batches; the next run continues after the limit. Returns the number of grants. */
export async function refillAllowances(app: App, signal?: AbortSignal): Promise<number> {
  let granted = 0
  let cursor: DueRefill | null = null
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round++) {
    const last: DueRefill | null = cursor
    const due: DueRefill[] = await app.db.tx('platform', (tx) => findDueRefills(tx, last, BATCH_SIZE))
    for (const each of due) if (await tryToRefill(app, each)) granted++
    cursor = due.at(-1) ?? cursor
    if (due.length < BATCH_SIZE) break
  }
  return granted
}

/** A failure does not stop the others; the next run retries it. */
async function tryToRefill(app: App, due: DueRefill): Promise<boolean> {
  try {
    return await app.db.tx(due.orgId, (tx) => refill(app, tx, due))
  } catch (error) {
    app.log.error({ err: error, orgId: due.orgId, subscriptionId: due.id }, 'billing.allowance.grant_failed')
    return false
  }
}

async function refill(app: App, tx: Tx, { id, orgId }: DueRefill): Promise<boolean> {
  await lockOrg(tx, orgId)
  const subscription = await findCurrentSubscription(tx, orgId)
  if (subscription?.id !== id || !isDue(subscription, tx.now)) return false
  const month = monthAt(subscription.anchor, tx.now)
  const { periodEnd } = subscription
  await setAllowanceDue(tx, id, month.end < periodEnd ? month.end : null)
  // Missed months are not granted later, and neither is an expired period.
  if (month.start >= periodEnd) return false
  await grantIncluded(app, tx, {
    orgId,
    amountMinor: soldPlan(subscription).includedUsageMinor,
    ref: id,
    cause: `allowance ${id} ${month.start.toISOString()}`,
  })
  return true
}

const isDue = ({ status, allowanceDueAt }: Subscription, now: Date): boolean =>
  status === 'active' && allowanceDueAt !== null && allowanceDueAt <= now

export type DueRefill = { id: SubscriptionId; orgId: OrgId; dueAt: Date }

/** Active subscriptions with a due monthly allowance, longest overdue first. */
export function findDueRefills(tx: Tx, cursor: DueRefill | null, limit: number): Promise<DueRefill[]> {
  return tx.rows<DueRefill>`
    select id, org_id as "orgId", allowance_due_at as "dueAt" from subscriptions
    where status = 'active' and allowance_due_at <= ${tx.now}
      and (${cursor === null}::boolean
           or (allowance_due_at, id) > (${cursor?.dueAt ?? null}::timestamptz, ${cursor?.id ?? ''}::text))
    order by allowance_due_at, id limit ${limit}`
}

export async function setAllowanceDue(tx: Tx, subscription: SubscriptionId, at: Date | null): Promise<void> {
  await tx.rows`update subscriptions set allowance_due_at = ${at} where id = ${subscription}`
}
