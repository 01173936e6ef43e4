// The usage that an organisation paid from its wallet in a time range, by source. Evidence in disputes.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type UsageOfSource = {
  source: string
  charges: number
  amountMinor: bigint
  firstAt: Date
  lastAt: Date
}

export function usageSince(tx: Tx, org: OrgId, from: Date, until: Date): Promise<UsageOfSource[]> {
  return tx.rows<UsageOfSource>`
    select source, count(*)::int as charges, (-sum(free_minor + held_minor))::bigint as "amountMinor",
           min(created_at) as "firstAt", max(created_at) as "lastAt"
    from movements
    where org_id = ${org} and created_at >= ${from} and created_at <= ${until} and free_minor + held_minor < 0
      and source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')
    group by source order by source`
}
