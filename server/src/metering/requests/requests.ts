// Reads the request log: pages, rows since a known one, and a CSV file.
import { before } from '../../kernel/clock.ts'
import { invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import * as sql from './requests-sql.ts'
import { cursorOf, filterOf, placeOfRow, type RequestSearch, readRows, resolveSubject } from './search.ts'

type ListQuery = RequestSearch & {
  limit: number
  cursor?: string | undefined
  /** Only rows after this one, oldest first. */
  after?: string | undefined
}

/**
 * Rows arrive in batches of several replicas, so a row may be stored after a later one. `after` returns a row once this time has
 * passed: then no earlier row is missing, unless the database was unavailable.
 */
const ARRIVAL = { seconds: 2 }

export async function listRequests(app: App, actor: Actor, query: ListQuery) {
  if (query.after !== undefined) return listNewer(app, actor, { ...query, after: query.after })
  const { items, nextCursor } = await readPage(app, actor, query, query.cursor, query.limit)
  return { requests: items.map(toReply), nextCursor }
}

async function listNewer(app: App, actor: Actor, query: ListQuery & { after: string }) {
  if (query.cursor !== undefined)
    throw invalidFields({ path: 'query.after', message: 'must not be combined with cursor' })
  const place = placeOfRow(query.after)
  const subject = await resolveSubject(app, actor, query)
  const filter = filterOf(app, actor, subject, query)
  const settled = before(app.clock.now(), ARRIVAL)
  const until = filter.until < settled ? filter.until : settled
  const rows = await readRows(app, subject, (tx) =>
    sql.listAfter(tx, { ...filter, until }, place, query.limit),
  )
  return { requests: rows.map(toReply), nextCursor: null }
}

const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE_ROWS = 1_000

/** The filtered rows as CSV, newest first. `nextCursor` continues a list of more than 10,000 rows. */
export async function exportRequests(
  app: App,
  actor: Actor,
  search: RequestSearch & { cursor?: string | undefined },
): Promise<{ csv: string; nextCursor: string | null }> {
  const lines = [toCsvLine(COLUMNS.map(([name]) => name))]
  let cursor = search.cursor ?? null
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += EXPORT_PAGE_ROWS) {
    const { items, nextCursor } = await readPage(app, actor, search, cursor ?? undefined, EXPORT_PAGE_ROWS)
    for (const row of items) lines.push(toCsvLine(COLUMNS.map(([, cellOf]) => cellOf(row))))
    cursor = nextCursor
    if (cursor === null) break
  }
  return { csv: lines.join(''), nextCursor: cursor }
}

async function readPage(
  app: App,
  actor: Actor,
  search: RequestSearch,
  cursor: string | undefined,
  limit: number,
) {
  const place = cursorOf(cursor)
  const subject = await resolveSubject(app, actor, search)
  const filter = filterOf(app, actor, subject, search)
  const rows = await readRows(app, subject, (tx) => sql.listBefore(tx, filter, place, limit + 1))
  return toPage(rows, limit, ({ at, id }) => [at, id])
}

function toReply({ input, cachedInput, cacheWrite, output, ...row }: sql.FoundRequest) {
  return { ...row, tokens: { input, cachedInput, cacheWrite, output } }
}

const COLUMNS: readonly (readonly [name: string, cellOf: (row: sql.FoundRequest) => Cell])[] = [
  ['at', (row) => row.at],
  ['id', (row) => row.id],
  ['orgId', (row) => row.orgId],
  ['keyId', (row) => row.keyId],
  ['userId', (row) => row.userId],
  ['route', (row) => row.route],
  ['model', (row) => row.model],
  ['provider', (row) => row.provider],
  ['inputTokens', (row) => row.input],
  ['cachedInputTokens', (row) => row.cachedInput],
  ['cacheWriteTokens', (row) => row.cacheWrite],
  ['outputTokens', (row) => row.output],
  ['costMinor', (row) => row.costMinor],
  ['currency', (row) => row.currency],
  ['ttftMs', (row) => row.ttftMs],
  ['durationMs', (row) => row.durationMs],
  ['status', (row) => row.status],
  ['code', (row) => row.code],
  ['requestId', (row) => row.requestId],
  ['ledgerId', (row) => row.ledgerId],
  ['exactCost', (row) => row.exactCost],
]
