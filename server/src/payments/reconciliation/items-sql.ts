// Statements on the items of a reconciliation and on the payments that they are compared with. All need platform scope.
import type { Tx } from '../../platform/db/tx.ts'
import type { ListedItem } from '../rails/rail.ts'
import type { ComparedPayment } from './judge.ts'
import type { Reconciliation, ReconciliationId } from './runs-sql.ts'

export const itemKey = ({ kind, id }: Pick<ListedItem, 'kind' | 'id'>): string => `${kind} ${id}`

/** Pages can repeat items: the newest state replaces the one before it. */
export async function upsertItems(tx: Tx, run: ReconciliationId, all: readonly ListedItem[]): Promise<void> {
  const items = [...new Map(all.map((item) => [itemKey(item), item])).values()]
  if (items.length === 0) return
  const column = <T>(read: (item: ListedItem) => T): T[] => items.map(read)
  await tx.rows`
    insert into reconciliation_items (reconciliation_id, item_key, kind, transaction_id, reference, amount_minor, fee_minor,
                                      currency, status, return_key, live, at)
    select ${run}, item.* from unnest(
      ${column(itemKey)}::text[], ${column(({ kind }) => kind)}::text[], ${column((item) => item.transactionId)}::text[],
      ${column((item) => item.reference)}::text[], ${column((item) => item.amountMinor)}::bigint[],
      ${column((item) => item.feeMinor)}::bigint[], ${column((item) => item.currency)}::text[],
      ${column((item) => item.status)}::text[], ${column((item) => item.returnKey)}::text[],
      ${column((item) => item.live)}::boolean[], ${column((item) => item.at)}::timestamptz[]) as item
    on conflict (reconciliation_id, item_key) do update set transaction_id = excluded.transaction_id,
      reference = excluded.reference, amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor,
      currency = excluded.currency, status = excluded.status, return_key = excluded.return_key,
      live = excluded.live, at = excluded.at`
}

/** In the order of their keys. */
export function itemsAfter(tx: Tx, run: ReconciliationId, key: string | null, limit: number) {
  return tx.rows<ListedItem>`
    select kind, substr(item_key, length(kind) + 2) as id, transaction_id as "transactionId", reference,
           amount_minor as "amountMinor", fee_minor as "feeMinor", currency, status, return_key as "returnKey", live, at
    from reconciliation_items
    where reconciliation_id = ${run} and (${key}::text is null or item_key > ${key})
    order by item_key limit ${limit}`
}

export function findItem(tx: Tx, run: ReconciliationId, key: string): Promise<ListedItem | undefined> {
  return tx.maybe<ListedItem>`
    select kind, substr(item_key, length(kind) + 2) as id, transaction_id as "transactionId", reference,
           amount_minor as "amountMinor", fee_minor as "feeMinor", currency, status, return_key as "returnKey", live, at
    from reconciliation_items where reconciliation_id = ${run} and item_key = ${key}`
}

/** Whether the list has the transaction that a payment was credited for. */
export async function isListed(
  tx: Tx,
  run: ReconciliationId,
  { transactionId }: Pick<ComparedPayment, 'transactionId'>,
): Promise<boolean> {
  const found = await tx.maybe`
    select 1 from reconciliation_items
    where reconciliation_id = ${run} and transaction_id = ${transactionId} and kind = 'payment' and status <> 'unpaid' limit 1`
  return found !== undefined
}

export function countItems(
  tx: Tx,
  run: ReconciliationId,
): Promise<{ kind: ListedItem['kind']; count: number }[]> {
  return tx.rows<{ kind: ListedItem['kind']; count: number }>`
    select kind, count(*)::int as count from reconciliation_items where reconciliation_id = ${run} group by kind`
}

export async function deleteItems(tx: Tx, run: ReconciliationId): Promise<void> {
  await tx.rows`delete from reconciliation_items where reconciliation_id = ${run}`
}

/** `attempted`: the accounts of the rail that were asked to collect it. */
export type CandidatePayment = ComparedPayment & { attempted: string[] }

/**
 * Payments with one of these references that this rail has or may have, and payments that were credited for one of these
 * transactions.
 */
export function paymentsOf(
  tx: Tx,
  rail: string,
  references: readonly string[],
  transactionIds: readonly string[],
): Promise<CandidatePayment[]> {
  return tx.rows<CandidatePayment>`
    select p.reference, org_id as "orgId", rail, mode, account, currency, status, captured_minor as "capturedMinor",
           returned_minor as "returnedMinor", transaction_id as "transactionId", repeat_of as "repeatOf",
           reversed_at as "reversedAt", decided_at as "decidedAt", created_at as "createdAt", settled_at as "settledAt",
           array(select a.account from payment_attempts a
                 where a.reference = p.reference and a.rail = ${rail} and a.mode = 'live') as attempted
    from (select reference from payments where reference = any(${references}::text[]) and mode = 'live'
          union
          select reference from payments
          where rail = ${rail} and mode = 'live' and transaction_id = any(${transactionIds}::text[])
            and status = 'settled') found
    join payments p on p.reference = found.reference`
}

/** Stores the fees of credited payments where they are not known yet. */
export async function storeFees(tx: Tx, rail: string, items: readonly ListedItem[]): Promise<void> {
  const known = items.flatMap(({ kind, status, transactionId, feeMinor, currency }) =>
    kind === 'payment' && status === 'paid' && transactionId !== null && feeMinor !== null && feeMinor >= 0n
      ? [{ transactionId, feeMinor, currency }]
      : [],
  )
  if (known.length === 0) return
  await tx.rows`
    update payments p set fee_minor = f.fee_minor
    from unnest(${known.map(({ transactionId }) => transactionId)}::text[], ${known.map(({ feeMinor }) => feeMinor)}::bigint[],
                ${known.map(({ currency }) => currency)}::text[]) as f (transaction_id, fee_minor, currency)
    where p.rail = ${rail} and p.mode = 'live' and p.transaction_id = f.transaction_id and p.status = 'settled'
      and p.currency = f.currency and p.fee_minor is null`
}

export type CreditedPayment = ComparedPayment & { isListed: boolean }
export type SettledCursor = { readonly at: Date; readonly reference: string }

/** Payments that were credited in a period, oldest first. */
export function creditedAfter(
  tx: Tx,
  { id, rail, until }: Pick<Reconciliation, 'id' | 'rail' | 'until'>,
  from: Date,
  last: SettledCursor | null,
  limit: number,
): Promise<CreditedPayment[]> {
  return tx.rows<CreditedPayment>`
    select p.reference, p.org_id as "orgId", p.rail, p.mode, p.account, p.currency, p.status,
           p.captured_minor as "capturedMinor", p.returned_minor as "returnedMinor", p.transaction_id as "transactionId",
           p.repeat_of as "repeatOf", p.reversed_at as "reversedAt", p.decided_at as "decidedAt",
           p.created_at as "createdAt", p.settled_at as "settledAt",
           coalesce((select true from reconciliation_items i
                     where i.reconciliation_id = ${id} and i.transaction_id = p.transaction_id and i.kind = 'payment'
                       and i.status <> 'unpaid' limit 1),
                    (select true from reconciliation_items i
                     where i.reconciliation_id = ${id} and i.reference = p.reference and p.repeat_of is null
                       and i.status <> 'unpaid' limit 1), false) as "isListed"
    from payments p
    where p.rail = ${rail} and p.mode = 'live' and p.settled_at >= ${from} and p.settled_at < ${until}
      and (${last?.at ?? null}::timestamptz is null
           or (p.settled_at, p.reference) > (${last?.at ?? null}::timestamptz, ${last?.reference ?? null}::text))
    order by p.settled_at, p.reference limit ${limit}`
}

/** Payments that were started in a period and are pending, in the order of their references. */
export function pendingAfter(
  tx: Tx,
  { rail, from, until }: Pick<Reconciliation, 'rail' | 'from' | 'until'>,
  reference: string | null,
  limit: number,
): Promise<ComparedPayment[]> {
  return tx.rows<ComparedPayment>`
    select reference, org_id as "orgId", rail, mode, account, currency, status, captured_minor as "capturedMinor",
           returned_minor as "returnedMinor", transaction_id as "transactionId", repeat_of as "repeatOf",
           reversed_at as "reversedAt", decided_at as "decidedAt", created_at as "createdAt", settled_at as "settledAt"
    from payments
    where status = 'pending' and mode = 'live' and rail = ${rail} and created_at >= ${from} and created_at < ${until}
      and (${reference}::text is null or reference > ${reference})
    order by reference limit ${limit}`
}
