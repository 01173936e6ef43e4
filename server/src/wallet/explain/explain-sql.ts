// Reads of one ledger entry: its posting, its place in the hash chain and its hold.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { LedgerAccount } from '../ledger/apply-ops.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'

export type EntryHold = {
  id: string
  amountMinor: bigint
  includedMinor: bigint
  chargedMinor: bigint
  chargedIncludedMinor: bigint
  terms: unknown
  usage: unknown
  createdAt: Date
  deadline: Date
}

export type EntryDetails = LedgerEntry & {
  account: LedgerAccount | null
  /** Null for a posting of a hold. */
  cause: string | null
  currency: Currency
  seq: bigint
  hash: Uint8Array
  /** Empty before the first posting. */
  previousHash: Uint8Array
}

/** The customer's view of an entry. A posting that does not change the balance is not an entry. */
export function findEntry(tx: Tx, org: OrgId, id: string): Promise<LedgerEntry | undefined> {
  return tx.maybe<LedgerEntry>`
    select id, case when free_minor + held_minor > 0 then 'credit' else 'debit' end as type,
           abs(free_minor + held_minor) as "amountMinor", source, ref, balance_after_minor as "balanceAfterMinor",
           created_at as "createdAt"
    from movements where id = ${id} and org_id = ${org} and free_minor + held_minor <> 0`
}

/** Also a settlement whose accrued charge debited nothing: earlier charges paid for it. */
export function readEntryDetails(tx: Tx, org: OrgId, id: string): Promise<EntryDetails | undefined> {
  return tx.maybe<EntryDetails>`
    select m.id, case when m.free_minor + m.held_minor > 0 then 'credit' else 'debit' end as type,
           abs(m.free_minor + m.held_minor) as "amountMinor", m.source, m.ref,
           m.balance_after_minor as "balanceAfterMinor", m.created_at as "createdAt", m.account, m.cause, w.currency, m.seq, m.hash,
           coalesce(p.hash, '') as "previousHash"
    from movements m join wallets w on w.org_id = m.org_id
    left join movements p on p.org_id = m.org_id and p.seq = m.seq - 1
    where m.id = ${id} and m.org_id = ${org}
      and (m.free_minor + m.held_minor <> 0
           or exists (select from holds h where h.id = m.hold_id and h.org_id = m.org_id and m.kind = 'settle' and h.usage ? 'exactCost'))`
}

/** The hold that the posting of an entry ended. */
export function findHoldOfEntry(tx: Tx, org: OrgId, entry: string): Promise<EntryHold | undefined> {
  return tx.maybe<EntryHold>`
    select h.id, h.amount_minor as "amountMinor", h.included_minor as "includedMinor", h.charged_minor as "chargedMinor",
           h.charged_included_minor as "chargedIncludedMinor", h.terms, h.usage, h.created_at as "createdAt", h.deadline
    from movements m join holds h on h.id = m.hold_id and h.org_id = m.org_id
    where m.id = ${entry} and m.org_id = ${org}`
}

export async function readHoldTerms(tx: Tx, org: OrgId, hold: string): Promise<unknown> {
  const { terms } = await tx.one<{ terms: unknown }>`
    select terms from holds where id = ${hold} and org_id = ${org}`
  return terms
}
