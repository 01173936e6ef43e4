// The entries of a wallet as its owner reads them: the movements that change what they own.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { PostingSource } from './apply-ops.ts'

export type LedgerEntry = {
  id: string
  type: 'credit' | 'debit'
  amountMinor: bigint
  source: PostingSource
  ref: string
  balanceAfterMinor: bigint
  createdAt: Date
}
export type LedgerRow = LedgerEntry & { seq: bigint }

export type LedgerFilter = {
  source: PostingSource | null
  type: 'credit' | 'debit' | null
  from: Date
  /** Not included. */
  until: Date
}

/** Undefined for what is no organisation. */
export function currencyOf(tx: Tx, org: OrgId): Promise<{ currency: Currency } | undefined> {
  return tx.maybe<{ currency: Currency }>`select currency from wallets where org_id = ${org}`
}

/** Entries before a number, newest first. What is written meanwhile has higher numbers, so no page sees it twice. */
export function listEntries(
  tx: Tx,
  org: OrgId,
  { source, type, from, until }: LedgerFilter,
  beforeSeq: bigint,
  limit: number,
): Promise<LedgerRow[]> {
  return tx.rows<LedgerRow>`
    select seq, id, case when free_minor + held_minor > 0 then 'credit' else 'debit' end as type,
           abs(free_minor + held_minor) as "amountMinor", source, ref, balance_after_minor as "balanceAfterMinor",
           created_at as "createdAt"
    from movements
    where org_id = ${org} and seq < ${beforeSeq} and free_minor + held_minor <> 0
      and (${source}::text is null or source = ${source})
      and (${type}::text is null or (free_minor + held_minor > 0) = (${type} = 'credit'))
      and created_at >= ${from} and created_at < ${until}
    order by seq desc limit ${limit}`
}
