// Organisations as staff see them: a list to search, a file of it, and one with all that a caller on the phone asks about.
import { listStaffActions } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import { isId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import { balancesByOrg, readBalances } from '../../wallet/wallet.ts'
import * as sql from './orgs-sql.ts'

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

/** The filtered rows as a file, newest first. A longer list is cut there and says where to go on. */
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
      members: await sql.listMembers(tx, id, MEMBERS_SHOWN_MAX),
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

const NO_FILTER: sql.OrgFilter = {
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
  const filter: sql.OrgFilter = {
    ...{ id: null, suspended, tier, kyc },
    // Who types an id means that one, whatever has become of it.
    closed: q !== undefined && isId('org', q) ? null : closed,
    words: q ?? null,
    address: q === undefined ? null : normaliseEmail(q),
  }
  const rows = await app.db.tx('platform', (tx) => readOrgs(app, tx, filter, before, limit + 1))
  return toPage(rows, limit, (org) => [org.createdAt, org.orgId])
}

/** Adds the balance and the isolation, which other modules store. */
async function readOrgs(app: App, tx: Tx, filter: sql.OrgFilter, before: TimeCursor | null, limit: number) {
  const found = await sql.findOrgs(tx, filter, before, limit)
  const ids = found.map(({ orgId }) => orgId)
  const isolations = await app.content.isolationsOf(tx, ids)
  const wallets = new Map((await balancesByOrg(tx, ids)).map((wallet) => [wallet.orgId, wallet]))
  return found.map((org) => ({
    ...org,
    dataIsolation: isolations.get(org.orgId) ?? ('shared' as const),
    ...present(wallets.get(org.orgId), 'every organisation has a wallet'),
  }))
}
