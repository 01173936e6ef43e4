// Balance, revenue and usage of all organisations for staff, as pages or CSV.
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
import { readFigures } from '../subject.ts'
import { daysBefore, type TimeRange } from '../time-range.ts'

export const SORTS = ['revenue', 'balance', 'recent'] as const
type Sort = (typeof SORTS)[number]
type OrgListInput = { sort: Sort; cursor?: string | undefined }

const DAYS = 30

export async function listOrgs(app: App, { sort, cursor, limit }: OrgListInput & { limit: number }) {
  const { items, nextCursor } = await readPage(app, sort, cursor, limit)
  return { orgs: items, nextCursor }
}

const EXPORT_ROWS_MAX = 10_000

/** A CSV file of at most 10 000 rows, and the cursor of the next file. */
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

/** `to` fixes the time range, so that all pages cover the same thirty days. */
type ListCursor = { readonly key: string; readonly orgId: string; readonly to: Date }
type RankedOrg = { readonly orgId: OrgId; readonly key: bigint | Date }

// Organisations per statement.
const FIGURES_BATCH = 1_000

/** Ranks all organisations once, then reads the figures of the page in batches. */
async function readPage(app: App, sort: Sort, cursor: string | undefined, limit: number) {
  const start = readCursor(cursor, sort) ?? { ...FIRST_PAGE[sort], to: app.clock.now() }
  const range = daysBefore(start.to, DAYS)
  return readFigures(app, null, async (tx) => {
    const ranked = await rank(app, tx, sort, start, range, limit + 1)
    const { items, nextCursor } = toPage(ranked, limit, ({ key, orgId }) => [sort, key, orgId, start.to])
    const orgs = items.map(({ orgId }) => orgId)
    const figures: OrgFigures[] = []
    for (let at = 0; at < orgs.length; at += FIGURES_BATCH)
      figures.push(...(await readFiguresOf(tx, orgs.slice(at, at + FIGURES_BATCH), range)))
    return { items: figures, nextCursor }
  })
}

async function rank(
  app: App,
  tx: Tx,
  sort: Sort,
  { key, orgId }: ListCursor,
  range: TimeRange,
  limit: number,
): Promise<RankedOrg[]> {
  if (sort === 'recent') {
    const rows = await rankByLastUse(tx, { at: new Date(key), orgId }, limit)
    return rows.map((row) => ({ orgId: row.orgId, key: row.lastActiveAt ?? new Date(0) }))
  }
  const start = { kobo: BigInt(key), orgId: orgId as OrgId }
  const rows =
    sort === 'revenue'
      ? await rankByUsage(tx, range, currentRates(app), start, limit)
      : await rankByBalance(tx, currentRates(app), start, limit)
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

/** In the order of `orgs`. */
async function readFiguresOf(tx: Tx, orgs: readonly OrgId[], range: TimeRange) {
  const names = byOrg(await readNames(tx, orgs))
  const money = byOrg(await moneyByOrg(tx, orgs, range))
  const tokens = byOrg(await tokensByOrg(tx, orgs, range))
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

type OrgName = { orgId: OrgId; name: string; tier: string; plan: string | null; suspended: boolean }

/** Needs the platform scope. */
function readNames(tx: Tx, orgs: readonly OrgId[]): Promise<OrgName[]> {
  return tx.rows<OrgName>`
    select id as "orgId", name, tier, plan_code as plan, suspended_at is not null as suspended
    from org_profiles where id = any (${orgs}::text[])`
}

const byOrg = <T extends { orgId: OrgId }>(rows: readonly T[]): Map<OrgId, T> =>
  new Map(rows.map((row) => [row.orgId, row]))

const FIRST_PAGE = {
  revenue: { key: String(INT64_MAX), orgId: '' },
  balance: { key: String(INT64_MAX), orgId: '' },
  recent: { key: '9999-12-31T23:59:59.999Z', orgId: '' },
} as const

/** A cursor of another sort order is invalid. */
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
