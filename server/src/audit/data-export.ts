// The audit log in the data export of an organisation: complete, in the order of its chain.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { bySeq } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'

export const auditTenantData: TenantData<App> = {
  exports: { audit: bySeq(entriesAfter) },
  tables: ['audit_entries'],
  withheld: { audit_heads: 'the last entry of the chain has the same data' },
}

function entriesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, actor_kind as "actorKind", actor_user_id as "actorUserId", actor_email as "actorEmail", action, target,
           metadata, ip, created_at as "createdAt", prev_hash as "prevHash", hash
    from audit_entries where chain = ${org} and seq > ${after} order by seq limit ${limit}`
}
