// A year is a long time: a week before the next one is charged, its people are told what it will cost.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { compFor } from '../plans/comps.ts'
import { quoteRenewal } from '../quotes/quote.ts'
import { currentSubscription, lockOrg, type SubscriptionId } from '../subscriptions/subscriptions.ts'
import { tellOwners, upcomingMail } from './mails.ts'

const NOTICE = { days: 7 }
const AT_ONCE = 50
const ROUNDS_MAX = 20

/** In rounds; what is left at the bound is told by the next run. Says how many were told. */
export async function tellOfRenewals(app: App, signal?: AbortSignal): Promise<number> {
  let told = 0
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round++) {
    const ending = await app.db.tx('platform', (tx) => endingYears(tx, after(tx.now, NOTICE), AT_ONCE))
    for (const each of ending) if (await tryToTell(app, each)) told++
    if (ending.length < AT_ONCE) break
  }
  return told
}

/** One that fails stops no other: the next run comes back to it. */
async function tryToTell(app: App, ending: Ending): Promise<boolean> {
  const { id: subscriptionId, orgId } = ending
  try {
    return await app.db.tx(orgId, (tx) => tell(app, tx, ending))
  } catch (error) {
    app.log.error({ err: error, orgId, subscriptionId }, 'billing.renewal_notice.send_failed')
    return false
  }
}

/** Who pays nothing for the next year is not told of it. */
async function tell(app: App, tx: Tx, { id, orgId }: Ending): Promise<boolean> {
  const org = await lockOrg(tx, orgId)
  const subscription = await currentSubscription(tx, orgId)
  if (!org || subscription?.id !== id || (await isTold(tx, id))) return false
  await markTold(tx, id)
  const comp = await compFor(tx, orgId, subscription.periodEnd)
  const isGiven = comp?.planCode === (subscription.scheduledPlanCode ?? subscription.planCode)
  const renewal = quoteRenewal(subscription, { now: subscription.periodEnd, occupied: org.occupied })
  if (subscription.cancelAtPeriodEnd || isGiven || renewal.chargeNowMinor === 0n) return false
  await tellOwners(app, tx, orgId, upcomingMail(app, subscription, renewal))
  return true
}

export type Ending = { id: SubscriptionId; orgId: OrgId }

/** Paid years that end by then and were not announced, the earliest first. */
export function endingYears(tx: Tx, until: Date, most: number): Promise<Ending[]> {
  return tx.rows<Ending>`
    select id, org_id as "orgId" from subscriptions
    where status = 'active' and interval = 'year' and period_end > ${tx.now} and period_end <= ${until}
      and renewal_told_for is distinct from period_end
    order by period_end, id limit ${most}`
}

/** Counts as announced when the transaction commits. */
export async function markTold(tx: Tx, subscription: SubscriptionId): Promise<void> {
  await tx.rows`update subscriptions set renewal_told_for = period_end where id = ${subscription}`
}

/** Whether the year that is running was announced before. */
export async function isTold(tx: Tx, subscription: SubscriptionId): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from subscriptions where id = ${subscription} and renewal_told_for = period_end`
  return found !== undefined
}
