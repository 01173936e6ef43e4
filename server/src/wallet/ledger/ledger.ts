// The ledger as its owner reads it: pages for screens, a file for bookkeepers.
import { invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, INT64_MAX } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Actor, noSuchOrg, requestedOrg } from '../../platform/http/actor.ts'
import { decodeCursor, toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import type { PostingSource } from './apply-ops.ts'
import * as sql from './ledger-sql.ts'

export type LedgerSearch = {
  orgId?: string | undefined
  source?: PostingSource | undefined
  type?: 'credit' | 'debit' | undefined
  from?: Date | undefined
  to?: Date | undefined
  cursor?: string | undefined
}

export async function listLedger(app: App, actor: Actor, search: LedgerSearch & { limit: number }) {
  const { orgId } = await resolveOrg(app, actor, search.orgId)
  const { items, nextCursor } = await readPage(app, orgId, search, search.cursor, search.limit)
  return { entries: items.map(({ seq: _, ...entry }) => entry), nextCursor }
}

const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE_ROWS = 1_000

/** The filtered entries as a file, newest first. A longer ledger is cut there, and the cursor says where to go on. */
export async function exportLedger(
  app: App,
  actor: Actor,
  search: LedgerSearch,
): Promise<{ csv: string; nextCursor: string | null }> {
  const { orgId, currency } = await resolveOrg(app, actor, search.orgId)
  const lines = [toCsvLine(COLUMNS.map(([name]) => name))]
  let cursor = search.cursor ?? null
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += EXPORT_PAGE_ROWS) {
    const { items, nextCursor } = await readPage(app, orgId, search, cursor ?? undefined, EXPORT_PAGE_ROWS)
    for (const entry of items) lines.push(toCsvLine(COLUMNS.map(([, cellOf]) => cellOf(entry, currency))))
    cursor = nextCursor
    if (cursor === null) break
  }
  return { csv: lines.join(''), nextCursor: cursor }
}

async function resolveOrg(app: App, actor: Actor, asked: string | undefined) {
  const orgId = requestedOrg(actor, asked)
  if (orgId === actor.orgId) return { orgId, currency: actor.org.currency }
  const found = await app.db.tx(orgId, (tx) => sql.currencyOf(tx, orgId))
  if (!found) throw noSuchOrg()
  return { orgId, ...found }
}

type Column = readonly [name: string, cellOf: (entry: sql.LedgerEntry, currency: Currency) => Cell]

const COLUMNS: readonly Column[] = [
  ['createdAt', ({ createdAt }) => createdAt],
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['source', ({ source }) => source],
  ['ref', ({ ref }) => ref],
  ['amountMinor', ({ amountMinor }) => amountMinor],
  ['balanceAfterMinor', ({ balanceAfterMinor }) => balanceAfterMinor],
  ['currency', (_, currency) => currency],
]

async function readPage(
  app: App,
  orgId: OrgId,
  search: LedgerSearch,
  cursor: string | undefined,
  limit: number,
) {
  const beforeSeq = readCursor(cursor)
  const rows = await app.db.tx(orgId, (tx) =>
    sql.listEntries(tx, orgId, filterOf(search), beforeSeq, limit + 1),
  )
  return toPage(rows, limit, ({ seq }) => [seq])
}

const BEGINNING = new Date(0)
const END = new Date('9999-12-31T23:59:59.999Z')

const filterOf = ({ source, type, from, to }: LedgerSearch): sql.LedgerFilter => ({
  source: source ?? null,
  type: type ?? null,
  from: from ?? BEGINNING,
  until: to ?? END,
})

function readCursor(cursor: string | undefined): bigint {
  const [seq = ''] = decodeCursor(cursor, 1) ?? [String(INT64_MAX)]
  if (!/^[1-9]\d{0,18}$/.test(seq) || BigInt(seq) > INT64_MAX)
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this list; start without one' })
  return BigInt(seq)
}
