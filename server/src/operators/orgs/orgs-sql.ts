// What staff read of organisations and their members. All statements need platform reach.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgRole } from '../../platform/http/actor.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type OrgRow = {
  orgId: OrgId
  name: string
  type: 'individual' | 'team'
  tier: 'individual' | 'team' | 'enterprise'
  subscriptionStatus: 'active' | 'past_due' | 'canceled' | 'incomplete' | 'none'
  kycStatus: 'unsubmitted' | 'pending' | 'verified' | 'rejected'
  members: number
  suspended: boolean
  suspendedAt: Date | null
  suspendedReason: string | null
  suspendedByEmail: string | null
  closed: boolean
  closedAt: Date | null
  plan: string | null
  residencyRegion: string | null
  currency: string
  createdAt: Date
}

export type OrgFilter = {
  /** Only this one. */
  id: OrgId | null
  /** What was typed, and the same as an address would be kept. */
  words: string | null
  address: string | null
  suspended: boolean | null
  tier: string | null
  kyc: string | null
  /** Null for both. */
  closed: boolean | null
}

/** Later than every organisation: where a list begins. */
const NEWEST: TimeCursor = { at: new Date('9999-01-01T00:00:00.000Z'), id: '' }

/**
 * The newest first. Words are looked for as they are: nothing in them stands for anything else. The page is chosen before
 * anything is looked up for it, so that its length is what it costs.
 */
export function findOrgs(
  tx: Tx,
  filter: OrgFilter,
  before: TimeCursor | null,
  limit: number,
): Promise<OrgRow[]> {
  const { id, words, address, suspended, tier, kyc, closed } = filter
  const place = before ?? NEWEST
  return tx.rows<OrgRow>`
    select o.id as "orgId", o.name, o.type, o.tier, coalesce(o.subscription_status, 'none') as "subscriptionStatus",
           o.kyc_status as "kycStatus", (select count(*)::int from org_members m where m.org_id = o.id) as members,
           o.suspended_at is not null as suspended, o.suspended_at as "suspendedAt",
           o.suspended_reason as "suspendedReason",
           (select u.email from user_profiles u where u.id = o.suspended_by) as "suspendedByEmail",
           o.closed_at is not null as closed, o.closed_at as "closedAt", o.plan_code as plan,
           o.residency_region as "residencyRegion", o.currency, o.created_at as "createdAt"
    from (
      select id, name, type, tier, subscription_status, kyc_status, suspended_at, suspended_reason, suspended_by,
             closed_at, plan_code, residency_region, currency, created_at
      from org_profiles
      where (created_at, id) < (${place.at}, ${place.id})
        and (${id}::text is null or id = ${id})
        and (${words}::text is null or id = ${words} or position(lower(${words}) in lower(name)) > 0
             or id in (select m.org_id from user_profiles u join org_members m on m.user_id = u.id
                       where starts_with(u.email, ${address})))
        and (${suspended}::boolean is null or (suspended_at is not null) = ${suspended})
        and (${tier}::text is null or tier = ${tier})
        and (${kyc}::text is null or kyc_status = ${kyc})
        and (${closed}::boolean is null or (closed_at is not null) = ${closed})
      order by created_at desc, id desc limit ${limit}) o
    order by o.created_at desc, o.id desc`
}

export type OrgMember = { userId: UserId; email: string; role: OrgRole; joinedAt: Date }

export function listMembers(tx: Tx, org: OrgId, most: number): Promise<OrgMember[]> {
  return tx.rows<OrgMember>`
    select m.user_id as "userId", u.email, m.role, m.created_at as "joinedAt"
    from org_members m join user_profiles u on u.id = m.user_id where m.org_id = ${org}
    order by array_position(array['owner', 'admin', 'member'], m.role), m.created_at, m.user_id limit ${most}`
}
