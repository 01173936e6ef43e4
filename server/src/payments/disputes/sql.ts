// Statements on the payment_disputes table. All need platform scope.
import { type Id, newId, type OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { PaymentReturn } from '../sql/payment-returns.ts'
import type { Payment } from '../sql/payments.ts'

export type DisputeId = Id<'dsp'>

export type Dispute = {
  id: DisputeId
  reference: string
  /** Of the return that freezes the money. */
  returnKey: string
  orgId: OrgId
  orgName: string
  rail: string
  channel: string
  currency: Currency
  amountMinor: bigint
  /** Of the return: `frozen` until the provider decides. */
  state: PaymentReturn['state']
  openedAt: Date
  decidedAt: Date | null
  /** The provider's deadline for an answer; null where it names none. */
  dueAt: Date | null
  answer: 'contested' | 'accepted' | null
  message: string | null
  /** Null until the provider has confirmed the answer. */
  answeredAt: Date | null
}

export async function insertDispute(
  tx: Tx,
  { reference, orgId }: Payment,
  key: string,
  dueAt: Date | null,
): Promise<void> {
  await tx.rows`
    insert into payment_disputes (id, reference, return_key, org_id, opened_at, due_at)
    values (${newId('dsp', tx.now.getTime())}, ${reference}, ${key}, ${orgId}, ${tx.now}, ${dueAt})`
}

/** A later deadline has its own reminders. */
export async function setDeadline(tx: Tx, reference: string, key: string, dueAt: Date): Promise<void> {
  await tx.rows`
    update payment_disputes set due_at = ${dueAt}, reminders = case when due_at >= ${dueAt} then reminders else 0 end
    where reference = ${reference} and return_key = ${key} and due_at is distinct from ${dueAt}`
}

/** Undecided ones by deadline, those without one last; decided ones by their beginning. */
export function listDisputes(
  tx: Tx,
  isOpen: boolean,
  after: TimeCursor,
  limit: number,
): Promise<(Dispute & { sortAt: Date })[]> {
  return tx.rows<Dispute & { sortAt: Date }>`
    select d.id, d.reference, d.return_key as "returnKey", d.org_id as "orgId", o.name as "orgName", p.rail, p.channel,
           p.currency, r.amount_minor as "amountMinor", r.state, d.opened_at as "openedAt", r.decided_at as "decidedAt",
           d.due_at as "dueAt", d.answer, d.message, d.answered_at as "answeredAt",
           coalesce(d.due_at, d.opened_at + interval '100 years') as "sortAt"
    from payment_disputes d
      join payment_returns r on r.reference = d.reference and r.return_key = d.return_key
      join payments p on p.reference = d.reference
      join org_profiles o on o.id = d.org_id
    where (r.state = 'frozen') = ${isOpen}
      and (coalesce(d.due_at, d.opened_at + interval '100 years'), d.id) > (${after.at}, ${after.id})
    order by "sortAt", d.id limit ${limit}`
}

export function findDispute(tx: Tx, id: DisputeId): Promise<Dispute | undefined> {
  return tx.maybe<Dispute>`
    select d.id, d.reference, d.return_key as "returnKey", d.org_id as "orgId", o.name as "orgName", p.rail, p.channel,
           p.currency, r.amount_minor as "amountMinor", r.state, d.opened_at as "openedAt", r.decided_at as "decidedAt",
           d.due_at as "dueAt", d.answer, d.message, d.answered_at as "answeredAt"
    from payment_disputes d
      join payment_returns r on r.reference = d.reference and r.return_key = d.return_key
      join payments p on p.reference = d.reference
      join org_profiles o on o.id = d.org_id
    where d.id = ${id}`
}

/** Claims the answer before it is sent. False: another one is sent or confirmed. */
export async function claimAnswer(
  tx: Tx,
  id: DisputeId,
  claim: { answer: 'contested' | 'accepted'; by: string; message: string },
): Promise<boolean> {
  const claimed = await tx.maybe`
    update payment_disputes set answer = ${claim.answer}, answered_by = ${claim.by}, message = ${claim.message}
    where id = ${id} and answered_at is null and (answer is null or answer = ${claim.answer})
    returning id`
  return claimed !== undefined
}

/** Of this kind only: the other answer may have been claimed since. */
export async function withdrawAnswer(tx: Tx, id: DisputeId, answer: 'contested' | 'accepted'): Promise<void> {
  await tx.rows`
    update payment_disputes set answer = null, answered_by = null, message = null
    where id = ${id} and answered_at is null and answer = ${answer}`
}

export async function confirmAnswer(tx: Tx, id: DisputeId): Promise<void> {
  await tx.rows`update payment_disputes set answered_at = ${tx.now} where id = ${id} and answered_at is null`
}

export type DueDispute = {
  id: DisputeId
  reference: string
  returnKey: string
  dueAt: Date
  reminder: number
}

/**
 * Counts the reminders that are due: 1 after `first`, 2 after `second`, 3 at the deadline. `first` and `second` are deadlines
 * that are this near.
 */
export function claimReminders(tx: Tx, first: Date, second: Date, most: number): Promise<DueDispute[]> {
  return tx.rows<DueDispute>`
    update payment_disputes set reminders =
      case when due_at <= ${tx.now} then 3 when due_at <= ${second} then 2 else 1 end
    where id in (
      select d.id from payment_disputes d join payment_returns r on r.reference = d.reference and r.return_key = d.return_key
      where d.answered_at is null and r.state = 'frozen' and d.due_at <= ${first}
        and d.reminders < case when d.due_at <= ${tx.now} then 3 when d.due_at <= ${second} then 2 else 1 end
      order by d.due_at limit ${most} for update of d skip locked)
    returning id, reference, return_key as "returnKey", due_at as "dueAt", reminders::int as reminder`
}
