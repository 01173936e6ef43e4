// Statements on the payment_returns table. All need platform scope and a locked payment.
import type { Tx } from '../../platform/db/tx.ts'
import type { Payment } from './payments.ts'

export type PaymentReturn = {
  key: string
  state: 'frozen' | 'kept' | 'taken' | 'reversed'
  amountMinor: bigint
  holdId: string | null
}

export function returnsOf(tx: Tx, reference: string): Promise<PaymentReturn[]> {
  return tx.rows<PaymentReturn>`
    select return_key as key, state, amount_minor as "amountMinor", hold_id as "holdId"
    from payment_returns where reference = ${reference} order by opened_at, return_key`
}

/** The sum of the credit notes of partial returns. */
export async function creditedMinorOf(tx: Tx, reference: string): Promise<bigint> {
  const { noted } = await tx.one<{ noted: bigint }>`
    select coalesce(sum(noted_minor), 0)::bigint as noted from payment_returns where reference = ${reference}`
  return noted
}

export async function insertFrozen(
  tx: Tx,
  { reference, orgId }: Payment,
  { key, amountMinor, holdId }: Pick<PaymentReturn, 'key' | 'amountMinor' | 'holdId'>,
): Promise<void> {
  await tx.rows`
    insert into payment_returns (reference, return_key, org_id, amount_minor, state, hold_id, opened_at)
    values (${reference}, ${key}, ${orgId}, ${amountMinor}, 'frozen', ${holdId}, ${tx.now})`
  await tx.rows`update payments set disputed_minor = disputed_minor + ${amountMinor} where reference = ${reference}`
}

/** Ends a freeze without a debit. */
export async function endFrozen(
  tx: Tx,
  reference: string,
  { key, amountMinor }: Pick<PaymentReturn, 'key' | 'amountMinor'>,
  state: 'kept' | 'reversed',
): Promise<void> {
  await tx.rows`
    update payment_returns set state = ${state}, decided_at = ${tx.now}
    where reference = ${reference} and return_key = ${key} and state = 'frozen'`
  await tx.rows`update payments set disputed_minor = disputed_minor - ${amountMinor} where reference = ${reference}`
}

export type ReturnedAmount = {
  key: string
  amountMinor: bigint
  takenMinor: bigint
  notedMinor: bigint
  entryId: string | null
  /** Frozen for it before. */
  frozenMinor: bigint
}

export async function upsertReturnedAmount(
  tx: Tx,
  { reference, orgId }: Payment,
  taken: ReturnedAmount,
): Promise<void> {
  const { key, amountMinor, takenMinor, notedMinor, entryId, frozenMinor } = taken
  await tx.rows`
    insert into payment_returns (reference, return_key, org_id, amount_minor, state, taken_minor, noted_minor, entry_id,
                                 opened_at, decided_at)
    values (${reference}, ${key}, ${orgId}, ${amountMinor}, 'taken', ${takenMinor}, ${notedMinor}, ${entryId}, ${tx.now},
            ${tx.now})
    on conflict (reference, return_key) do update set state = 'taken', amount_minor = excluded.amount_minor,
      taken_minor = excluded.taken_minor, noted_minor = excluded.noted_minor, entry_id = excluded.entry_id,
      decided_at = excluded.decided_at`
  await tx.rows`
    update payments set returned_minor = returned_minor + ${amountMinor}, disputed_minor = disputed_minor - ${frozenMinor}
    where reference = ${reference}`
}
