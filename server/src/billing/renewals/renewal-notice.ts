// Announces the price of a yearly renewal a week before it is charged.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { findActiveComp } from '../plans/comps.ts'
import { quoteRenewal } from '../quotes/quote.ts'
import { findCurrentSubscription, lockOrg, type SubscriptionId } from '../subscriptions/subscriptions.ts'
import { mailOwners, upcomingMail } from './mails.ts'

const NOTICE = { days: 7 }
const BATCH = 50
const ROUNDS_MAX = 20

/** Works in batches; the next run continues after the limit. Returns the number of notices. */
export async function sendRenewalNotices(app: App, signal?: AbortSignal): Promise<number> {
  let sent = 0
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round++) {
    const ending = await app.db.tx('platform', (tx) => findEndingYears(tx, after(tx.now, NOTICE), BATCH))
    for (const each of ending) if (await trySendNotice(app, each)) sent++
    if (ending.length < BATCH) break
  }
  return sent
}

/** A failure does not stop the others; the next run retries it. */
async function trySendNotice(app: App, ending: EndingYear): Promise<boolean> {
  const { id: subscriptionId, orgId } = ending
  try {
    return await app.db.tx(orgId, (tx) => sendNotice(app, tx, ending))
  } catch (error) {
    app.log.error({ err: error, orgId, subscriptionId }, 'billing.renewal_notice.send_failed')
    return false
  }
}

/** A free renewal is not announced. */
async function sendNotice(app: App, tx: Tx, { id, orgId }: EndingYear): Promise<boolean> {
  const org = await lockOrg(tx, orgId)
  const subscription = await findCurrentSubscription(tx, orgId)
  if (!org || subscription?.id !== id || (await isAnnounced(tx, id))) return false
  await markAnnounced(tx, id)
  const comp = await findActiveComp(tx, orgId, subscription.periodEnd)
  const isComped = comp?.planCode === (subscription.scheduledPlanCode ?? subscription.planCode)
  const renewal = quoteRenewal(subscription, { now: subscription.periodEnd, occupied: org.occupied })
  if (subscription.cancelAtPeriodEnd || isComped || renewal.chargeNowMinor === 0n) return false
  await mailOwners(app, tx, orgId, upcomingMail(app, subscription, renewal))
  return true
}

export type EndingYear = { id: SubscriptionId; orgId: OrgId }

/** Yearly subscriptions that end by `until` and are not announced, earliest first. */
export function findEndingYears(tx: Tx, until: Date, limit: number): Promise<EndingYear[]> {
  return tx.rows<EndingYear>`
    select id, org_id as "orgId" from subscriptions
    where status = 'active' and interval = 'year' and period_end > ${tx.now} and period_end <= ${until}
      and renewal_told_for is distinct from period_end
    order by period_end, id limit ${limit}`
}

/** Takes effect when the transaction commits. */
export async function markAnnounced(tx: Tx, subscription: SubscriptionId): Promise<void> {
  await tx.rows`update subscriptions set renewal_told_for = period_end where id = ${subscription}`
}

/** Whether the end of the current year was already announced. */
export async function isAnnounced(tx: Tx, subscription: SubscriptionId): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from subscriptions where id = ${subscription} and renewal_told_for = period_end`
  return found !== undefined
}
