// SQL of renewals: due subscriptions, attempts, and unpaid bills.
import type { OrgId } from '../../kernel/ids.ts'
import { cardChargesOf, countUnansweredCharges } from '../../payments/payments.ts'
import type { Json, Tx } from '../../platform/db/tx.ts'
import type { BillId } from '../bills/bills.ts'
import type { SubscriptionId } from '../subscriptions/subscriptions.ts'

export type DueSubscription = { id: SubscriptionId; orgId: OrgId; dueAt: Date; isLast: boolean }

/**
 * Subscriptions whose period is over and whose bill is neither locked nor waiting, longest overdue first. Suspended
 * organisations come last, so that they never delay others. Without card charges only those that may be free or are
 * paid from the wallet.
 */
export function findDueSubscriptions(
  tx: Tx,
  {
    hasCards,
    cardCurrencies,
    cursor,
    limit,
  }: { hasCards: boolean; cardCurrencies: readonly string[]; cursor: DueSubscription | null; limit: number },
): Promise<DueSubscription[]> {
  return tx.rows<DueSubscription>`
    select s.id, s.org_id as "orgId", s.period_end as "dueAt", o.suspended_at is not null as "isLast"
    from subscriptions s join org_profiles o on o.id = s.org_id
    where s.status in ('active', 'past_due') and s.period_end <= ${tx.now}
      and not exists (select from bills b where b.subscription_id = s.id and b.kind = 'renewal' and b.status = 'open'
                      and (b.next_attempt_at > ${tx.now} or b.busy_until > ${tx.now}))
      and (${hasCards}::boolean or s.cancel_at_period_end or s.is_comped or s.plan_code = 'free'
           or s.currency <> all(${[...cardCurrencies]}::text[])
           or s.scheduled_plan_code = 'free' or exists (select from comps c where c.org_id = s.org_id))
      and (${cursor === null}::boolean or (o.suspended_at is not null, s.period_end, s.id)
           > (${cursor?.isLast ?? false}::boolean, ${cursor?.dueAt ?? null}::timestamptz, ${cursor?.id ?? ''}::text))
    order by o.suspended_at is not null, s.period_end, s.id limit ${limit}`
}

/** The number of due subscriptions, up to a limit. */
export async function countDue(tx: Tx, limit: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>`
    select count(*)::int as count from (
      select from subscriptions s
      where s.status in ('active', 'past_due') and s.period_end <= ${tx.now}
        and not exists (select from bills b where b.subscription_id = s.id and b.kind = 'renewal' and b.status = 'open'
                        and (b.next_attempt_at > ${tx.now} or b.busy_until > ${tx.now}))
      limit ${limit}) due`
  return count
}

export type RetryState = { declines: number; busyUntil: Date | null; nextAttemptAt: Date | null }

/** Requires the lock of the bill. An unanswered charge counts as a decline, so that retries end. */
export async function readRetryState(tx: Tx, bill: BillId): Promise<RetryState> {
  const retry = await tx.one<RetryState>`
    select declines, busy_until as "busyUntil", next_attempt_at as "nextAttemptAt" from bills where id = ${bill}`
  return { ...retry, declines: Math.max(retry.declines, await countUnansweredCharges(tx, bill)) }
}

/** Starts an attempt and returns its number. */
export async function startAttempt(
  tx: Tx,
  bill: BillId,
  { busyUntil, nextAttemptAt }: { busyUntil: Date; nextAttemptAt: Date },
): Promise<number> {
  const { attempts } = await tx.one<{ attempts: number }>`
    update bills set attempts = attempts + 1, busy_until = ${busyUntil}, next_attempt_at = ${nextAttemptAt}
    where id = ${bill} and status = 'open' returning attempts`
  return attempts
}

/**
 * Ends an unpaid attempt. A card that was stored in the meantime may have scheduled the next attempt for now; that
 * date is kept.
 */
export async function endAttempt(
  tx: Tx,
  bill: BillId,
  state: { declines: number; nextAttemptAt: Date },
): Promise<void> {
  await tx.rows`
    update bills set busy_until = null, declines = ${state.declines},
      next_attempt_at = case when next_attempt_at <= ${tx.now} then next_attempt_at else ${state.nextAttemptAt} end
    where id = ${bill} and status = 'open'`
}

/** Replaces the contents of an open bill with the current price. The caller issues a new invoice. */
export async function rewriteBill(
  tx: Tx,
  bill: BillId,
  now: { amountMinor: bigint; lines: Json; effect: Json; baseVersion: number },
): Promise<void> {
  await tx.rows`
    update bills set amount_minor = ${now.amountMinor}, lines = ${now.lines}, effect = ${now.effect},
      base_version = ${now.baseVersion}
    where id = ${bill} and status = 'open'`
}

/** Whether an unexpired card was never charged for the bill. */
export async function hasUntriedCard(tx: Tx, bill: BillId): Promise<boolean> {
  const [year, month] = [tx.now.getUTCFullYear(), tx.now.getUTCMonth() + 1]
  const charged = (await cardChargesOf(tx, bill)).map(({ cardId }) => cardId)
  const found = await tx.maybe`
    select 1 as found from bills b join cards c on c.org_id = b.org_id and c.removed_at is null
    where b.id = ${bill} and (c.exp_year, c.exp_month) >= (${year}::int, ${month}::int)
      and c.id <> all(${charged}::text[])
    limit 1`
  return found !== undefined
}

export async function clearComped(tx: Tx, subscription: SubscriptionId): Promise<void> {
  await tx.rows`update subscriptions set is_comped = false where id = ${subscription}`
}

/** The open bill of an invoice. */
export async function findOpenBill(tx: Tx, org: OrgId, invoice: string): Promise<BillId | undefined> {
  const row = await tx.maybe<{ id: BillId }>`
    select id from bills where invoice_id = ${invoice} and org_id = ${org} and status = 'open'`
  return row?.id
}

/** Starts an attempt of the owner and returns its number. The schedule does not change. */
export async function startOwnerAttempt(tx: Tx, bill: BillId, busyUntil: Date): Promise<number> {
  const { attempts } = await tx.one<{ attempts: number }>`
    update bills set attempts = attempts + 1, busy_until = ${busyUntil} where id = ${bill} and status = 'open'
    returning attempts`
  return attempts
}

export async function endOwnerAttempt(tx: Tx, bill: BillId): Promise<void> {
  await tx.rows`update bills set busy_until = null where id = ${bill} and status = 'open'`
}

/**
 * Reopens the abandoned bill of a period at the current price. Keeps counting its attempts, so that an earlier
 * payment is not mistaken for a new one. Returns when it was abandoned.
 */
export function reopenRenewal(
  tx: Tx,
  subscription: SubscriptionId,
  periodStart: Date,
  now: { amountMinor: bigint; lines: Json; effect: Json; baseVersion: number },
) {
  return tx.maybe<{ id: BillId; endedAt: Date }>`
    update bills b set status = 'open', amount_minor = ${now.amountMinor}, lines = ${now.lines}, effect = ${now.effect},
      base_version = ${now.baseVersion}, declines = 0, busy_until = null, next_attempt_at = null, reason = null,
      invoice_id = null, created_at = ${tx.now}, ended_at = null
    from (select id, ended_at from bills
          where subscription_id = ${subscription} and kind = 'renewal' and period_start = ${periodStart}
            and status = 'abandoned' for update) given_up
    where b.id = given_up.id returning b.id, given_up.ended_at as "endedAt"`
}
