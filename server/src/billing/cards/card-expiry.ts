// Notifies owners once, before a default card expires.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { forgetCardJob } from './forget-card.ts'
import { cardExpiresMail } from './mails.ts'

const NOTICE = { days: 30 }
const BATCH = 100
const ROUNDS_MAX = 50
const RECIPIENTS_MAX = 20

const expiryJob = job('billing.cardExpiry', {
  attempts: 3,
  run: (app, { signal }) => sendExpiryNotices(app, signal),
})

export const cardJobs: readonly JobKind[] = [forgetCardJob as JobKind, expiryJob as JobKind]
export const cardSchedules: readonly Schedule[] = [
  { name: 'billing.cardExpiry', job: 'billing.cardExpiry', everySeconds: 86_400 },
]

/** Works in batches. The next daily run continues after the limit. */
export async function sendExpiryNotices(app: App, signal?: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round++)
    if ((await sendBatch(app)) < BATCH) return
}

/** Marks the cards as notified in the transaction that enqueues the mails. */
function sendBatch(app: App): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const cards = await claimExpiringCards(tx, after(tx.now, NOTICE), BATCH)
    const contacts = await listOrgContacts(
      tx,
      cards.map(({ orgId }) => orgId),
      RECIPIENTS_MAX,
    )
    for (const card of cards)
      for (const { email, orgName } of contacts.filter(({ orgId }) => orgId === card.orgId))
        await app.mail.send(tx, { to: email, ...cardExpiresMail(app, orgName, card) })
    return cards.length
  })
}

export type ExpiringCard = { orgId: OrgId; brand: string; last4: string; expMonth: number; expYear: number }

/**
 * Claims default cards whose last valid month ends before the month of `until`. They count as notified when the
 * transaction commits.
 */
export function claimExpiringCards(tx: Tx, until: Date, limit: number): Promise<ExpiringCard[]> {
  const [year, month] = [until.getUTCFullYear(), until.getUTCMonth() + 1]
  return tx.rows<ExpiringCard>`
    update cards set expiry_told_at = ${tx.now}
    where id in (
      select c.id from cards c join subscriptions s on s.org_id = c.org_id
      where c.removed_at is null and c.expiry_told_at is null and c.is_default
        and (c.exp_year, c.exp_month) < (${year}::int, ${month}::int)
        and s.status in ('active', 'past_due') and s.plan_code <> 'free' and not s.is_comped
      order by c.exp_year, c.exp_month, c.id limit ${limit} for update of c skip locked)
    returning org_id as "orgId", brand, last4, exp_month as "expMonth", exp_year as "expYear"`
}
