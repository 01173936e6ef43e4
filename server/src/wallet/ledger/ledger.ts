// The customer's view of the ledger: the postings that change the balance, as pages and as a CSV file.
import { invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, INT64_MAX } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, noSuchOrg, requestedOrg } from '../../platform/http/actor.ts'
import { decodeCursor, toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import type { PostingSource } from './apply-ops.ts'

export type LedgerEntry = {
  id: string
  type: 'credit' | 'debit'
  amountMinor: bigint
  source: PostingSource
  ref: string
  balanceAfterMinor: bigint
  createdAt: Date
}
type LedgerRow = LedgerEntry & { seq: bigint }

type LedgerFilter = {
  source: PostingSource | null
  type: 'credit' | 'debit' | null
  from: Date
  /** Exclusive. */
  until: Date
}

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

/** The filtered entries as CSV, newest first. `nextCursor` continues a ledger with more than 10,000 rows. */
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

async function resolveOrg(app: App, actor: Actor, requestedId: string | undefined) {
  const orgId = requestedOrg(actor, requestedId)
  if (orgId === actor.orgId) return { orgId, currency: actor.org.currency }
  const found = await app.db.tx(orgId, (tx) => findCurrency(tx, orgId))
  if (!found) throw noSuchOrg()
  return { orgId, ...found }
}

/** Undefined for an organisation that does not exist. */
function findCurrency(tx: Tx, org: OrgId): Promise<{ currency: Currency } | undefined> {
  return tx.maybe<{ currency: Currency }>`select currency from wallets where org_id = ${org}`
}

type Column = readonly [name: string, cellOf: (entry: LedgerEntry, currency: Currency) => Cell]

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
  const rows = await app.db.tx(orgId, (tx) => listEntries(tx, orgId, filterOf(search), beforeSeq, limit + 1))
  return toPage(rows, limit, ({ seq }) => [seq])
}

/** Entries before a sequence number, newest first. New entries get higher numbers, so no page repeats an entry. */
function listEntries(
  tx: Tx,
  org: OrgId,
  { source, type, from, until }: LedgerFilter,
  beforeSeq: bigint,
  limit: number,
): Promise<LedgerRow[]> {
  return tx.rows<LedgerRow>`
    select seq, id, case when free_minor + held_minor > 0 then 'credit' else 'debit' end as type,
           abs(free_minor + held_minor) as "amountMinor", source, ref, balance_after_minor as "balanceAfterMinor",
           created_at as "createdAt"
    from movements
    where org_id = ${org} and seq < ${beforeSeq} and free_minor + held_minor <> 0
      and (${source}::text is null or source = ${source})
      and (${type}::text is null or (free_minor + held_minor > 0) = (${type} = 'credit'))
      and created_at >= ${from} and created_at < ${until}
    order by seq desc limit ${limit}`
}

const BEGINNING = new Date(0)
const END = new Date('9999-12-31T23:59:59.999Z')

const filterOf = ({ source, type, from, to }: LedgerSearch): LedgerFilter => ({
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
