// Organisations for staff: search, CSV export and details.
import { listStaffActions } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import { isId, type OrgId, type UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgRole } from '../../platform/http/actor.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import { balancesByOrg, readBalances } from '../../wallet/wallet.ts'

const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE_ROWS = 500
const MEMBERS_SHOWN_MAX = 200
const ACTIONS_SHOWN_MAX = 20

export type OrgSearch = {
  q?: string | undefined
  suspended?: boolean | undefined
  tier?: string | undefined
  kyc?: string | undefined
  closed: boolean
  cursor?: string | undefined
}

export async function listOrgs(app: App, search: OrgSearch & { limit: number }) {
  const { items, nextCursor } = await readPage(app, search, search.cursor, search.limit)
  return { orgs: items, nextCursor }
}

/** The filtered rows as CSV, newest first. A longer list is cut, and `nextCursor` continues it. */
export async function exportOrgs(
  app: App,
  search: OrgSearch,
): Promise<{ csv: string; nextCursor: string | null }> {
  const lines = [toCsvLine(COLUMNS)]
  let cursor = search.cursor ?? null
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += EXPORT_PAGE_ROWS) {
    const { items, nextCursor } = await readPage(app, search, cursor ?? undefined, EXPORT_PAGE_ROWS)
    for (const org of items) lines.push(toCsvLine(COLUMNS.map((column): Cell => org[column])))
    cursor = nextCursor
    if (cursor === null) break
  }
  return { csv: lines.join(''), nextCursor: cursor }
}

export function showOrg(app: App, id: OrgId) {
  return app.db.tx('platform', async (tx) => {
    const [org] = await readOrgs(app, tx, { ...NO_FILTER, id }, null, 1)
    if (!org) throw new ApiError('not_found')
    return {
      org,
      wallet: await readBalances(tx, id),
      members: await listMembers(tx, id, MEMBERS_SHOWN_MAX),
      staffActions: await listStaffActions(tx, id, ACTIONS_SHOWN_MAX),
    }
  })
}

const COLUMNS = [
  'orgId',
  'name',
  'type',
  'tier',
  'plan',
  'subscriptionStatus',
  'kycStatus',
  'members',
  'suspended',
  'suspendedAt',
  'suspendedReason',
  'suspendedByEmail',
  'closedAt',
  'residencyRegion',
  'dataIsolation',
  'currency',
  'balanceMinor',
  'heldMinor',
  'createdAt',
] as const

const NO_FILTER: OrgFilter = {
  id: null,
  words: null,
  address: null,
  suspended: null,
  tier: null,
  kyc: null,
  closed: null,
}

async function readPage(app: App, search: OrgSearch, cursor: string | undefined, limit: number) {
  const { q, suspended = null, tier = null, kyc = null, closed } = search
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const filter: OrgFilter = {
    ...{ id: null, suspended, tier, kyc },
    // A search for an id also finds a closed organisation.
    closed: q !== undefined && isId('org', q) ? null : closed,
    words: q ?? null,
    address: q === undefined ? null : normaliseEmail(q),
  }
  const rows = await app.db.tx('platform', (tx) => readOrgs(app, tx, filter, before, limit + 1))
  return toPage(rows, limit, (org) => [org.createdAt, org.orgId])
}

/** Adds the balance and the isolation, which other modules store. */
async function readOrgs(app: App, tx: Tx, filter: OrgFilter, before: TimeCursor | null, limit: number) {
  const found = await findOrgs(tx, filter, before, limit)
  const ids = found.map(({ orgId }) => orgId)
  const isolations = await app.content.isolationsOf(tx, ids)
  const wallets = new Map((await balancesByOrg(tx, ids)).map((wallet) => [wallet.orgId, wallet]))
  return found.map((org) => ({
    ...org,
    dataIsolation: isolations.get(org.orgId) ?? ('shared' as const),
    ...present(wallets.get(org.orgId), 'every organisation has a wallet'),
  }))
}

type OrgRow = {
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

type OrgFilter = {
  /** Limits the result to this organisation. */
  id: OrgId | null
  /** The search text. `address` is the same text, normalised as an email address. */
  words: string | null
  address: string | null
  suspended: boolean | null
  tier: string | null
  kyc: string | null
  /** Null for both. */
  closed: boolean | null
}

/** A cursor before the newest organisation. */
const NEWEST: TimeCursor = { at: new Date('9999-01-01T00:00:00.000Z'), id: '' }

/**
 * Newest first. The search text is literal, without wildcards. The page is selected before members and emails are joined,
 * so that the cost depends only on the page size.
 */
function findOrgs(tx: Tx, filter: OrgFilter, before: TimeCursor | null, limit: number): Promise<OrgRow[]> {
  const { id, words, address, suspended, tier, kyc, closed } = filter
  const cursor = before ?? NEWEST
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
      where (created_at, id) < (${cursor.at}, ${cursor.id})
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

type OrgMember = { userId: UserId; email: string; role: OrgRole; joinedAt: Date }

function listMembers(tx: Tx, org: OrgId, most: number): Promise<OrgMember[]> {
  return tx.rows<OrgMember>`
    select m.user_id as "userId", u.email, m.role, m.created_at as "joinedAt"
    from org_members m join user_profiles u on u.id = m.user_id where m.org_id = ${org}
    order by array_position(array['owner', 'admin', 'member'], m.role), m.created_at, m.user_id limit ${most}`
}
