// Usage and money over time: one point per interval, including empty ones.
import type { OrgId } from '../../kernel/ids.ts'
import { activeSeries, currentRateCard, usageSeries } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { allowanceSeries, moneySeries } from '../../wallet/wallet.ts'
import { clampToInt64 } from '../clamp.ts'
import { createFleetCache } from '../fleet-cache.ts'
import { readFigures, resolveSubject, type Subject, type SubjectQuery } from '../subject.ts'
import { type Interval, listIntervals, resolveRange, type TimeRange } from '../time-range.ts'
import { type Converter, createConverter } from '../usage-sums.ts'

export const METRICS = [
  'usage_minor',
  'allowance_minor',
  'net_credited_minor',
  'granted_minor',
  'subscription_minor',
  'tokens',
  'turns',
  'active_orgs',
  'active_users',
] as const
export type Metric = (typeof METRICS)[number]

/** The field of each series in a point. */
const FIELD_OF = {
  usage_minor: 'usageMinor',
  allowance_minor: 'allowanceMinor',
  net_credited_minor: 'netCreditedMinor',
  granted_minor: 'grantedMinor',
  subscription_minor: 'subscriptionMinor',
  tokens: 'tokens',
  turns: 'turns',
  active_orgs: 'activeOrgs',
  active_users: 'activeUsers',
} as const satisfies Record<Metric, string>
type Field = (typeof FIELD_OF)[Metric]
type Values = Partial<Record<Field, bigint>>
type Sums = Map<number, Values>

export const DAYS_MAX = 1_096
const DEFAULT_DAYS = { hour: 2, day: 30, week: 182, month: 365 } as const

type SeriesQuery = SubjectQuery & {
  metric?: Metric | undefined
  interval: Interval
  from?: Date | undefined
  to?: Date | undefined
}

export async function readTimeseries(app: App, actor: Actor, query: SeriesQuery) {
  const { metric, interval } = query
  const subject = await resolveSubject(app, actor, query)
  const limits = { defaultDays: DEFAULT_DAYS[interval], maxDays: DAYS_MAX }
  const range = resolveRange(app.clock.now(), query, limits)
  const starts = listIntervals(range, interval)
  // Counting active users is expensive, so it must be requested.
  const metrics = metric ? [metric] : METRICS.filter((name) => !ACTIVITY_METRICS.includes(name))
  const read = () =>
    computeSeries(app, subject, {
      interval,
      starts,
      metrics,
      range: { ...range, from: starts[0] ?? range.from },
    })
  if (subject.scope === 'org') return read()
  return cached(app, [metric, interval, query.from?.getTime(), query.to?.getTime()].join(' '), read)
}

type Series = Awaited<ReturnType<typeof computeSeries>>
const cached = createFleetCache<Series>()

type SeriesPlan = {
  readonly interval: Interval
  readonly range: TimeRange
  readonly starts: readonly Date[]
  readonly metrics: readonly Metric[]
}

async function computeSeries(app: App, subject: Subject, { interval, range, starts, metrics }: SeriesPlan) {
  const { scope, orgId, currency } = subject
  const convert = createConverter(currentRateCard(app), subject)
  const sums = await readFigures(app, subject.orgId, (tx) =>
    readSums(tx, orgId, { interval, range, metrics }, convert),
  )
  const points = starts.map((at) => {
    const values = sums.get(at.getTime()) ?? {}
    return {
      at,
      ...Object.fromEntries(metrics.map((name) => [FIELD_OF[name], values[FIELD_OF[name]] ?? 0n])),
    }
  })
  return clampToInt64({ scope, orgId, currency, interval, ...range, metrics: [...metrics], points })
}

const LEDGER_METRICS: readonly Metric[] = [
  'usage_minor',
  'net_credited_minor',
  'granted_minor',
  'subscription_minor',
]
const METER_METRICS: readonly Metric[] = ['tokens', 'turns']
const ACTIVITY_METRICS: readonly Metric[] = ['active_orgs', 'active_users']

/** Reads only the sources of the requested metrics. */
async function readSums(
  tx: Tx,
  org: OrgId | null,
  { interval, range, metrics }: Omit<SeriesPlan, 'starts'>,
  convert: Converter,
): Promise<Sums> {
  const sums: Sums = new Map()
  const isRequested = (names: readonly Metric[]) => metrics.some((name) => names.includes(name))
  if (isRequested(LEDGER_METRICS))
    for (const { at, currency, creditedMinor, ...rest } of await moneySeries(tx, org, range, interval)) {
      const { usageMinor, grantedMinor, subscriptionMinor } = rest
      const flows = { usageMinor, grantedMinor, subscriptionMinor, netCreditedMinor: creditedMinor }
      addTo(sums, at, flows, (minor) => convert(minor, currency))
    }
  if (isRequested(['allowance_minor']))
    for (const { at, currency, allowanceMinor } of await allowanceSeries(tx, org, range, interval))
      addTo(sums, at, { allowanceMinor }, (minor) => convert(minor, currency))
  if (isRequested(METER_METRICS))
    for (const { at, ...used } of await usageSeries(tx, org, range, interval)) addTo(sums, at, used, (n) => n)
  if (isRequested(ACTIVITY_METRICS))
    for (const { at, ...active } of await activeSeries(tx, org, range, interval))
      addTo(sums, at, active, (n) => n)
  return sums
}

function addTo(sums: Sums, at: Date, values: Values, convert: (value: bigint) => bigint): void {
  const sum = sums.get(at.getTime()) ?? {}
  for (const [name, value] of Object.entries(values) as [Field, bigint][])
    sum[name] = (sum[name] ?? 0n) + convert(value)
  sums.set(at.getTime(), sum)
}
