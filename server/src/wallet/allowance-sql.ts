// What became of an allowance.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

const READ_MAX = 100_000

/**
 * What was used or is reserved of the allowance since the first grant at or after an instant; null where that is the sum of
 * more movements than are read for it.
 */
export async function allowanceUsed(tx: Tx, org: OrgId, since: Date): Promise<bigint | null> {
  const { count, used } = await tx.one<{ count: bigint; used: bigint }>`
    with granted as (
      select min(seq) as seq from movements where org_id = ${org} and kind = 'grant' and created_at >= ${since}),
    moved as (
      select m.kind, m.included_minor from movements m join granted g on m.seq > g.seq
      where m.org_id = ${org} order by m.seq limit ${READ_MAX + 1})
    select count(*) as count,
           coalesce(-sum(included_minor) filter (where kind <> 'grant'), 0)::bigint as used
    from moved`
  return count > BigInt(READ_MAX) ? null : used
}
