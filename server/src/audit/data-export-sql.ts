// The record of one organisation as it is handed over: whole, in the order of its chain.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export function entriesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, actor_kind as "actorKind", actor_user_id as "actorUserId", actor_email as "actorEmail", action, target,
           metadata, ip, created_at as "createdAt", prev_hash as "prevHash", hash
    from audit_entries where chain = ${org} and seq > ${after} order by seq limit ${limit}`
}
