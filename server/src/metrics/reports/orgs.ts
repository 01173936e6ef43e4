// All organisations with their money and their use, for staff: pages for screens, a file for spreadsheets.
import { assert } from '../../kernel/assert.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { currencies, INT64_MAX, INT64_MIN } from '../../kernel/money.ts'
import { currentRateCard, lastUseOf, rankByLastUse, rateOf, tokensByOrg } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { decodeCursor, toPage } from '../../platform/http/page.ts'
import { type Cell, toCsvLine } from '../../platform/http/reply/csv.ts'
import { type KoboRates, moneyByOrg, rankByBalance, rankByUsage } from '../../wallet/wallet.ts'
import { daysBefore, type TimeRange } from '../span.ts'
import { namesOf } from '../sql.ts'
import { readFigures } from '../subject.ts'

export const SORTS = ['revenue', 'balance', 'recent'] as const
type Sort = (typeof SORTS)[number]
type OrgListInput = { sort: Sort; cursor?: string | undefined }

const DAYS = 30

export async function listOrgs(app: App, { sort, cursor, limit }: OrgListInput & { limit: number }) {
  const { items, nextCursor } = await readPage(app, sort, cursor, limit)
  return { orgs: items, nextCursor }
}

const EXPORT_ROWS_MAX = 10_000

/** As a file of at most 10 000 rows; the cursor says where to go on when there are more. */
export async function exportOrgs(app: App, { sort, cursor }: OrgListInput) {
  const { items, nextCursor } = await readPage(app, sort, cursor, EXPORT_ROWS_MAX)
  const lines = [
    toCsvLine(COLUMNS.map(([name]) => name)),
    ...items.map((org) => toCsvLine(COLUMNS.map(([, cellOf]) => cellOf(org)))),
  ]
  return { csv: lines.join(''), nextCursor }
}

type OrgFigures = Awaited<ReturnType<typeof readFiguresOf>>[number]

const COLUMNS: readonly (readonly [name: string, cellOf: (org: OrgFigures) => Cell])[] = [
  ['orgId', ({ orgId }) => orgId],
  ['name', ({ name }) => name],
  ['tier', ({ tier }) => tier],
  ['plan', ({ plan }) => plan],
  ['currency', ({ currency }) => currency],
  ['balanceMinor', ({ balanceMinor }) => balanceMinor],
  ['revenueMinor', ({ revenueMinor }) => revenueMinor],
  ['netCreditedMinor', ({ netCreditedMinor }) => netCreditedMinor],
  ['tokens', ({ tokens }) => tokens],
  ['lastActiveAt', ({ lastActiveAt }) => lastActiveAt],
  ['suspended', ({ suspended }) => suspended],
]

/** The place carries the end of its time, so that all pages of a list are of the same thirty days. */
type ListCursor = { readonly key: string; readonly orgId: string; readonly to: Date }
type RankedOrg = { readonly orgId: OrgId; readonly key: bigint | Date }

// Of how many organisations one statement tells.
const FIGURES_AT_ONCE = 1_000

/** Ranking reads about everybody and is done once; what is told of each is read bit by bit. */
async function readPage(app: App, sort: Sort, cursor: string | undefined, limit: number) {
  const place = readCursor(cursor, sort) ?? { ...BEGINNING[sort], to: app.clock.now() }
  const span = daysBefore(place.to, DAYS)
  return readFigures(app, null, async (tx) => {
    const ranked = await rank(app, tx, sort, place, span, limit + 1)
    const { items, nextCursor } = toPage(ranked, limit, ({ key, orgId }) => [sort, key, orgId, place.to])
    const orgs = items.map(({ orgId }) => orgId)
    const figures: OrgFigures[] = []
    for (let at = 0; at < orgs.length; at += FIGURES_AT_ONCE)
      figures.push(...(await readFiguresOf(tx, orgs.slice(at, at + FIGURES_AT_ONCE), span)))
    return { items: figures, nextCursor }
  })
}

async function rank(
  app: App,
  tx: Tx,
  sort: Sort,
  { key, orgId }: ListCursor,
  span: TimeRange,
  limit: number,
): Promise<RankedOrg[]> {
  if (sort === 'recent') {
    const rows = await rankByLastUse(tx, { at: new Date(key), orgId }, limit)
    return rows.map((row) => ({ orgId: row.orgId, key: row.lastActiveAt ?? new Date(0) }))
  }
  const place = { kobo: BigInt(key), orgId: orgId as OrgId }
  const rows =
    sort === 'revenue'
      ? await rankByUsage(tx, span, currentRates(app), place, limit)
      : await rankByBalance(tx, currentRates(app), place, limit)
  return rows.map(({ orgId: id, kobo }) => ({ orgId: id, key: kobo }))
}

function currentRates(app: App): KoboRates {
  const rates = currencies.map((currency) => rateOf(currentRateCard(app), currency))
  return {
    currencies,
    numerators: rates.map(({ numerator }) => numerator),
    denominators: rates.map(({ denominator }) => denominator),
  }
}

/** In the order of the ids. */
async function readFiguresOf(tx: Tx, orgs: readonly OrgId[], span: TimeRange) {
  const names = byOrg(await namesOf(tx, orgs))
  const money = byOrg(await moneyByOrg(tx, orgs, span))
  const tokens = byOrg(await tokensByOrg(tx, orgs, span))
  const last = byOrg(await lastUseOf(tx, orgs))
  return orgs.map((orgId) => {
    const named = names.get(orgId)
    const wallet = money.get(orgId)
    assert(named && wallet, `${orgId} has a name and a wallet`)
    const { name, tier, plan, suspended } = named
    const { currency, balanceMinor, usageMinor: revenueMinor, creditedMinor: netCreditedMinor } = wallet
    return {
      ...{ orgId, name, tier, plan, currency, balanceMinor, revenueMinor, netCreditedMinor },
      tokens: tokens.get(orgId)?.tokens ?? 0n,
      lastActiveAt: last.get(orgId)?.lastActiveAt ?? null,
      suspended,
    }
  })
}

const byOrg = <T extends { orgId: OrgId }>(rows: readonly T[]): Map<OrgId, T> =>
  new Map(rows.map((row) => [row.orgId, row]))

const BEGINNING = {
  revenue: { key: String(INT64_MAX), orgId: '' },
  balance: { key: String(INT64_MAX), orgId: '' },
  recent: { key: '9999-12-31T23:59:59.999Z', orgId: '' },
} as const

/** A cursor of another order is none of this list. */
function readCursor(cursor: string | undefined, sort: Sort): ListCursor | null {
  const parts = decodeCursor(cursor, 4)
  if (!parts) return null
  const [order, key = '', orgId = '', to = ''] = parts
  const isKey = sort === 'recent' ? isInstant(key) : isInt64(key)
  if (order !== sort || !isKey || !isId('org', orgId) || !isInstant(to))
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this list; start without one' })
  return { key, orgId, to: new Date(to) }
}

const isInt64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt(text) >= INT64_MIN && BigInt(text) <= INT64_MAX

const isInstant = (text: string): boolean =>
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
