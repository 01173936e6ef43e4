// Every statement about the organisation row. Other modules call these functions; lists and hot paths of other modules join
// the read-only view `org_profiles`.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { json, type Sql, type Tx } from '../platform/db/tx.ts'

export type OrgType = 'individual' | 'team'
export type Tier = 'individual' | 'team' | 'enterprise'
export type Lane = 'open' | 'frontier'
export type KycStatus = 'unsubmitted' | 'pending' | 'verified' | 'rejected'
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'incomplete'

/** An address or a network from which the organisation may be used, in canonical form. */
export type IpEntry = { cidr: string; label: string | null }

export type Org = {
  id: OrgId
  name: string
  type: OrgType
  /** The tier in force: `policyTier`, otherwise `planTier`. */
  tier: Tier
  /** The tier of the plan; without a plan, the tier of the type. */
  planTier: Tier
  /** The tier that staff set; null when the plan decides. */
  policyTier: Tier | null
  currency: Currency
  plan: string | null
  subscriptionStatus: SubscriptionStatus | null
  seatAllotment: number
  kycStatus: KycStatus
  allowedLanes: Lane[]
  /** Model ids, or patterns that end in `*`; null for every model. */
  allowedModels: string[] | null
  residencyRegion: string | null
  ssoRequired: boolean
  groupRoleMap: Record<string, string> | null
  policyChangedAt: Date | null
  suspended: boolean
  suspendedAt: Date | null
  suspendedReason: string | null
  closed: boolean
  createdBy: UserId | null
  createdAt: Date
}

export function findOrg(db: Sql, id: OrgId): Promise<Org | undefined> {
  return db.maybe<Org>`
    select id, name, type, tier, coalesce(plan_tier, type) as "planTier", policy_tier as "policyTier", currency,
           plan_code as plan, subscription_status as "subscriptionStatus", seat_allotment as "seatAllotment",
           kyc_status as "kycStatus", allowed_lanes as "allowedLanes", allowed_models as "allowedModels",
           residency_region as "residencyRegion",
           sso_required as "ssoRequired", group_role_map as "groupRoleMap", policy_changed_at as "policyChangedAt",
           suspended_at is not null as suspended, suspended_at as "suspendedAt", suspended_reason as "suspendedReason",
           closed_at is not null as closed, created_by as "createdBy", created_at as "createdAt"
    from orgs where id = ${id}`
}

/** As `findOrg`. No other transaction changes the organisation or its members until this one ends. */
export function lockOrg(tx: Tx, id: OrgId): Promise<Org | undefined> {
  return tx.maybe<Org>`
    select id, name, type, tier, coalesce(plan_tier, type) as "planTier", policy_tier as "policyTier", currency,
           plan_code as plan, subscription_status as "subscriptionStatus", seat_allotment as "seatAllotment",
           kyc_status as "kycStatus", allowed_lanes as "allowedLanes", allowed_models as "allowedModels",
           residency_region as "residencyRegion",
           sso_required as "ssoRequired", group_role_map as "groupRoleMap", policy_changed_at as "policyChangedAt",
           suspended_at is not null as suspended, suspended_at as "suspendedAt", suspended_reason as "suspendedReason",
           closed_at is not null as closed, created_by as "createdBy", created_at as "createdAt"
    from orgs where id = ${id} for no key update`
}

/** Facts that no other transaction changes until this one ends. Several transactions can hold the same organisation. */
export function shareOrg(tx: Tx, id: OrgId): Promise<Pick<Org, 'currency' | 'closed'>> {
  return tx.one<Pick<Org, 'currency' | 'closed'>>`
    select currency, closed_at is not null as closed from orgs where id = ${id} for share`
}

/** Also true of a closed organisation. */
export async function orgExists(db: Sql, id: string): Promise<boolean> {
  return (await db.maybe`select 1 as found from orgs where id = ${id}`) !== undefined
}

export async function isOpenOrg(db: Sql, id: string): Promise<boolean> {
  return (await db.maybe`select 1 as found from orgs where id = ${id} and closed_at is null`) !== undefined
}

export async function countTeamsCreatedBy(tx: Tx, user: UserId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from orgs where created_by = ${user} and type = 'team' and closed_at is null`
  return n
}

export type OrgCounts = { orgs: bigint; suspendedOrgs: bigint; closedOrgs: bigint; kycPending: bigint }

/** A closed organisation counts as closed only. */
export function countOrgs(tx: Tx): Promise<OrgCounts> {
  return tx.one<OrgCounts>`
    select count(*) filter (where closed_at is null) as orgs,
           count(*) filter (where closed_at is null and suspended_at is not null) as "suspendedOrgs",
           count(*) filter (where closed_at is not null) as "closedOrgs",
           count(*) filter (where closed_at is null and kyc_status = 'pending') as "kycPending"
    from orgs`
}

export type NewOrg = Pick<Org, 'id' | 'name' | 'type' | 'currency' | 'seatAllotment'> & {
  /** The person who created the team. Absent for the organisation that comes with an account. */
  createdBy?: UserId
}

/** A new organisation has the tier of its type. */
export async function insertOrg(tx: Tx, org: NewOrg): Promise<void> {
  await tx.rows`
    insert into orgs (id, name, type, tier, currency, seat_allotment, created_by, created_at)
    values (${org.id}, ${org.name}, ${org.type}, ${org.type}, ${org.currency}, ${org.seatAllotment},
            ${org.createdBy ?? null}, ${tx.now})`
}

export async function renameOrg(tx: Tx, id: OrgId, name: string): Promise<void> {
  await tx.rows`update orgs set name = ${name} where id = ${id}`
}

/** The database refuses this once money has moved in the wallet. */
export async function setCurrency(tx: Tx, id: OrgId, currency: Currency): Promise<void> {
  await tx.rows`update orgs set currency = ${currency} where id = ${id}`
}

/** The benefits of a subscription. */
export type OrgPlan = {
  plan: string | null
  subscriptionStatus: SubscriptionStatus
  planTier: Tier
  seatAllotment: number
}

export async function writePlan(tx: Tx, id: OrgId, plan: OrgPlan): Promise<void> {
  await tx.rows`
    update orgs set plan_code = ${plan.plan}, subscription_status = ${plan.subscriptionStatus},
      plan_tier = ${plan.planTier}, seat_allotment = ${plan.seatAllotment}
    where id = ${id}`
}

/** The policy that staff set for the organisation. */
export type OrgPolicy = Pick<
  Org,
  'policyTier' | 'residencyRegion' | 'allowedLanes' | 'allowedModels' | 'ssoRequired' | 'groupRoleMap'
>

export async function writePolicy(tx: Tx, id: OrgId, policy: OrgPolicy): Promise<void> {
  await tx.rows`
    update orgs set policy_tier = ${policy.policyTier}, residency_region = ${policy.residencyRegion},
      allowed_lanes = ${policy.allowedLanes}, allowed_models = ${policy.allowedModels}::text[], sso_required = ${policy.ssoRequired},
      group_role_map = ${policy.groupRoleMap && json(policy.groupRoleMap)}, policy_changed_at = ${tx.now}
    where id = ${id}`
}

/** Whether the value has changed. */
export async function setGithubSignIn(tx: Tx, id: OrgId, allowed: boolean): Promise<boolean> {
  const rows = await tx.rows`
    update orgs set github_sign_in = ${allowed} where id = ${id} and github_sign_in <> ${allowed} returning id`
  return rows.length === 1
}

/** Null where every address is allowed. */
export async function findIpAllowList(db: Sql, id: OrgId): Promise<IpEntry[] | null> {
  const found = await db.maybe<{
    list: IpEntry[] | null
  }>`select ip_allow_list as list from orgs where id = ${id}`
  return found?.list ?? null
}

export async function setIpAllowList(tx: Tx, id: OrgId, list: IpEntry[] | null): Promise<void> {
  await tx.rows`update orgs set ip_allow_list = ${list && json(list)} where id = ${id}`
}

/** False when a refusal by the list was recorded after `since`. */
export async function markAddressRefused(tx: Tx, id: OrgId, since: Date): Promise<boolean> {
  const rows = await tx.rows`
    update orgs set address_refused_at = ${tx.now}
    where id = ${id} and (address_refused_at is null or address_refused_at <= ${since}) returning id`
  return rows.length === 1
}

/** The only writer of `tier` after the insert. */
export async function writeTier(tx: Tx, id: OrgId): Promise<void> {
  await tx.rows`update orgs set tier = coalesce(policy_tier, plan_tier, type) where id = ${id}`
}

export async function setKycStatus(tx: Tx, id: OrgId, status: KycStatus): Promise<void> {
  await tx.rows`update orgs set kyc_status = ${status} where id = ${id}`
}

/** Null ends a suspension. */
export async function setSuspension(
  tx: Tx,
  id: OrgId,
  suspension: { by: UserId; reason: string | null } | null,
): Promise<void> {
  await tx.rows`
    update orgs set suspended_at = ${suspension && tx.now}, suspended_reason = ${suspension?.reason ?? null},
      suspended_by = ${suspension?.by ?? null}
    where id = ${id}`
}

export async function markClosed(tx: Tx, id: OrgId): Promise<void> {
  await tx.one`update orgs set closed_at = ${tx.now} where id = ${id} and closed_at is null returning id`
}
