// What the summary asks of an organisation.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export function seatsOf(tx: Tx, org: OrgId) {
  return tx.one<{ allotment: number; occupied: number }>`
    select o.seat_allotment as allotment,
           (select count(*)::int from memberships m where m.org_id = o.id) as occupied
    from orgs o where o.id = ${org}`
}
