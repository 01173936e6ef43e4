// Who is told about an organisation's affairs.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type OrgContact = { orgId: OrgId; orgName: string; email: string }

/** Owners and admins of these organisations who have confirmed their address; owners first, at most so many of each. */
export function listOrgContacts(tx: Tx, orgs: readonly OrgId[], mostEach: number): Promise<OrgContact[]> {
  return tx.rows<OrgContact>`
    select t.org_id as "orgId", t.name as "orgName", t.email
    from (select m.org_id, o.name, u.email,
                 row_number() over (partition by m.org_id order by m.role <> 'owner', m.created_at, m.user_id) as place
          from org_members m join user_profiles u on u.id = m.user_id join org_profiles o on o.id = m.org_id
          where m.org_id = any(${[...orgs]}::text[]) and m.role in ('owner', 'admin') and u.verified_at is not null) t
    where t.place <= ${mostEach} order by t.org_id, t.place`
}
