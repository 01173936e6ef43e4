// The money of one organisation as it is handed over.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export function entriesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, case when free_minor + held_minor > 0 then 'credit' else 'debit' end as type,
           abs(free_minor + held_minor) as "amountMinor", source, ref, balance_after_minor as "balanceAfterMinor",
           created_at as "createdAt"
    from movements where org_id = ${org} and seq > ${after} and free_minor + held_minor <> 0
    order by seq limit ${limit}`
}

export type ExportedHold = { ref: string }

export function holdsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<ExportedHold>`
    select id, ref, user_id as "userId", source, state, amount_minor as "amountMinor", included_minor as "includedMinor",
           charged_minor as "chargedMinor", charged_included_minor as "chargedIncludedMinor", terms, usage,
           created_at as "createdAt", ended_at as "endedAt"
    from holds where org_id = ${org} and ref > ${after} order by ref limit ${limit}`
}

export type MemberMonth = { userId: string; month: string }

export function memberMonthsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<MemberMonth>`
    select user_id as "userId", to_char(month, 'YYYY-MM') as month, spent_minor as "spentMinor"
    from member_months where org_id = ${org} and user_id || ' ' || to_char(month, 'YYYY-MM') > ${after}
    order by user_id || ' ' || to_char(month, 'YYYY-MM') limit ${limit}`
}

export async function countOpenHolds(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from holds where org_id = ${org} and state = 'open'`
  return n
}
