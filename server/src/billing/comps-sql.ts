// Every statement about plans that are given away.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { PlanCode } from './plans.ts'

export type Comp = {
  orgId: OrgId
  planCode: PlanCode
  /** Null: until it is taken back. */
  until: Date | null
  reason: string
  grantedBy: UserId
  createdAt: Date
}

export function findComp(tx: Tx, org: OrgId) {
  return tx.maybe<Comp>`
    select org_id as "orgId", plan_code as "planCode", until, reason, granted_by as "grantedBy",
           created_at as "createdAt"
    from comps where org_id = ${org}`
}

export async function putComp(
  tx: Tx,
  { orgId, planCode, until, reason, grantedBy }: Omit<Comp, 'createdAt'>,
): Promise<void> {
  await tx.rows`
    insert into comps (org_id, plan_code, until, reason, granted_by, created_at)
    values (${orgId}, ${planCode}, ${until}, ${reason}, ${grantedBy}, ${tx.now})
    on conflict (org_id) do update set plan_code = excluded.plan_code, until = excluded.until,
      reason = excluded.reason, granted_by = excluded.granted_by, created_at = excluded.created_at`
}

export async function deleteComp(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from comps where org_id = ${org}`
}
