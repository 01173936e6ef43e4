// Reads the audit log: pages, CSV export and verification.
import { ApiError, invalidFields } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { orgExists } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type Actor, hasRole, noSuchOrg, requestedOrg, staffRefusal } from '../platform/http/actor.ts'
import { decodeCursor, encodeCursor, toPage } from '../platform/http/page.ts'
import { type Cell, toCsvLine } from '../platform/http/reply/csv.ts'
import { readChainEvidence } from './anchors/anchor-state.ts'
import * as sql from './entries-sql.ts'
import { type ReadEvidence, type Verdict, verifyAll, verifyChain, withVerifyLimit } from './verify/verify.ts'

export type AuditSearch = {
  scope?: 'all' | undefined
  orgId?: string | undefined
  action?: string | undefined
  actor?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  cursor?: string | undefined
}

export async function listEntries(app: App, actor: Actor, search: AuditSearch & { limit: number }) {
  const { items, nextCursor } = await readPage(app, actor, search, search.cursor, search.limit)
  return { entries: items, nextCursor }
}

const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE_ROWS = 500
const EXPORT_BYTES_MAX = 16 * 1024 * 1024

/** The filtered rows as CSV, newest first. A longer log is cut, and `nextCursor` continues it. */
export async function exportEntries(
  app: App,
  actor: Actor,
  search: AuditSearch,
  rowsMax = EXPORT_ROWS_MAX,
): Promise<{ csv: string; nextCursor: string | null }> {
  const lines = [toCsvLine(COLUMNS.map(([name]) => name))]
  let cursor = search.cursor ?? null
  let bytes = 0
  for (let rows = 0; rows < rowsMax && bytes < EXPORT_BYTES_MAX; rows += EXPORT_PAGE_ROWS) {
    const { items, nextCursor } = await readPage(app, actor, search, cursor ?? undefined, EXPORT_PAGE_ROWS)
    const page = items.map((entry) => toCsvLine(COLUMNS.map(([, cellOf]) => cellOf(entry)))).join('')
    lines.push(page)
    bytes += page.length
    cursor = nextCursor
    if (cursor === null) break
  }
  return { csv: lines.join(''), nextCursor: cursor }
}

export async function verifyEntries(
  app: App,
  actor: Actor,
  { cursor, ...target }: Pick<AuditSearch, 'scope' | 'orgId' | 'cursor'>,
): Promise<Verdict> {
  const chain = await resolveChain(app, actor, target)
  const readEvidence: ReadEvidence = (scope, chain) => readChainEvidence(app, scope, chain)
  return chain === 'all'
    ? withVerifyLimit(app, 'all', () => verifyAll(app.db, cursor, readEvidence))
    : withVerifyLimit(app, chain, () => verifyChain(app.db, chain, cursor, readEvidence))
}

const COLUMNS: readonly (readonly [name: string, cellOf: (entry: sql.Entry) => Cell])[] = [
  ['createdAt', (entry) => entry.createdAt],
  ['orgId', (entry) => entry.orgId],
  ['seq', (entry) => entry.seq],
  ['id', (entry) => entry.id],
  ['actorKind', (entry) => entry.actorKind],
  ['actorUserId', (entry) => entry.actorUserId],
  ['actorEmail', (entry) => entry.actorEmail],
  ['action', (entry) => entry.action],
  ['target', (entry) => entry.target],
  ['metadata', (entry) => JSON.stringify(entry.metadata)],
  ['ip', (entry) => entry.ip],
  ['prevHash', (entry) => entry.prevHash],
  ['hash', (entry) => entry.hash],
]

async function readPage(
  app: App,
  actor: Actor,
  search: AuditSearch,
  cursor: string | undefined,
  limit: number,
) {
  const chain = await resolveChain(app, actor, search)
  const filter = toFilter(search)
  const before = readCursor(cursor)
  const rows =
    chain === 'all'
      ? await app.db.tx('platform', (tx) => sql.listAll(tx, filter, before, limit + 1))
      : await app.db.tx(chain, (tx) => sql.listChain(tx, chain, filter, before, limit + 1))
  return toPage(rows, limit, (entry) => [entry.createdAt, entry.seq, entry.id])
}

// The route admits admins and staff. Staff may read any organisation or all; for their own the role rules apply.
async function resolveChain(
  app: App,
  actor: Actor,
  { scope, orgId }: Pick<AuditSearch, 'scope' | 'orgId'>,
): Promise<OrgId | 'all'> {
  if (scope === 'all' && actor.staffRole === null) throw staffRefusal(actor)
  if (scope === 'all') return 'all'
  const org = requestedOrg(actor, orgId)
  if (org === actor.orgId && !hasRole(actor.role, 'admin')) throw new ApiError('forbidden')
  if (org !== actor.orgId && !(await app.db.tx(org, (tx) => orgExists(tx, org)))) throw noSuchOrg()
  return org
}

const BEGINNING = new Date(0)
const END = new Date('9999-01-01T00:00:00.000Z')
const NEWEST: sql.AuditCursor = { createdAt: END, seq: 0n, id: '' }

const toFilter = ({ action, actor, from, to }: AuditSearch): sql.EntryFilter => ({
  // `wallet.` means the same prefix as `wallet`.
  action: action?.replace(/\.$/, '') ?? null,
  actor: actor?.includes('@') ? actor.trim().toLowerCase() : (actor ?? null),
  from: from ?? BEGINNING,
  until: to ?? END,
})

function readCursor(cursor: string | undefined): sql.AuditCursor {
  const parts = decodeCursor(cursor, 3)
  if (!parts) return NEWEST
  const [createdAt = '', seq = '', id = ''] = parts
  const isValid =
    encodeCursor([createdAt, seq, id]) === cursor && isInstant(createdAt) && /^\d{1,18}$/.test(seq)
  if (!isValid)
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this list; start without one' })
  return { createdAt: new Date(createdAt), seq: BigInt(seq), id }
}

const isInstant = (text: string): boolean =>
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
