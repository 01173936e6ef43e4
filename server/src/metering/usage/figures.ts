// Usage statistics over a period, from daily sums and single points.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import * as figures from './figures-sql.ts'
import { sealedUntil } from './seals-sql.ts'
import * as series from './series-sql.ts'
import { divide, type Parts, type Span } from './span.ts'

export type { LaneUsage, UsageCell, UsageTotals } from './figures-sql.ts'
export { lastUseOf, rankByLastUse } from './series-sql.ts'

const partsOf = async (tx: Tx, span: Span): Promise<Parts> => divide(span, await sealedUntil(tx))

export const usageByLane = async (tx: Tx, org: OrgId | null, span: Span) =>
  figures.byLane(tx, org, await partsOf(tx, span))

export const usageByCell = async (tx: Tx, org: OrgId | null, span: Span) =>
  figures.byCell(tx, org, await partsOf(tx, span))

export const usageByModel = (tx: Tx, org: OrgId | null, span: Span, most: number) =>
  figures.byModel(tx, org, span, most)

export const usageByMember = async (tx: Tx, org: OrgId, span: Span, most: number) =>
  figures.byMember(tx, org, await partsOf(tx, span), most)

export const activeDuring = async (tx: Tx, org: OrgId | null, span: Span) =>
  series.activeIn(tx, org, await partsOf(tx, span))

export const tokensByOrg = async (tx: Tx, orgs: readonly OrgId[], span: Span) =>
  series.tokensOf(tx, orgs, await partsOf(tx, span))

export const usageSeries = async (tx: Tx, org: OrgId | null, span: Span, interval: series.Interval) =>
  series.usageSeries(tx, org, await partsFor(tx, span, interval), interval)

export const activeSeries = async (tx: Tx, org: OrgId | null, span: Span, interval: series.Interval) =>
  series.activeSeries(tx, org, await partsFor(tx, span, interval), interval)

/** Daily sums have no hours. */
const partsFor = async (tx: Tx, span: Span, interval: series.Interval): Promise<Parts> =>
  interval === 'hour' ? divide(span, null) : partsOf(tx, span)
