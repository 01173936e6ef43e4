// Usage and money over time: one point for every interval, also where nothing happened.
import type { OrgId } from '../../kernel/ids.ts'
import { activeSeries, currentRateCard, usageSeries } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { allowanceSeries, moneySeries } from '../../wallet/wallet.ts'
import { clampToInt64 } from '../clamp.ts'
import { createFleetCache } from '../fleet-cache.ts'
import { resolveRange, type TimeRange } from '../span.ts'
import { readFigures, resolveSubject, type Subject, type SubjectQuery } from '../subject.ts'
import { type Interval, listIntervals } from '../time-range.ts'
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

/** How each series is called in a point. */
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

export const LONGEST_DAYS = 1_096
const USUAL_DAYS = { hour: 2, day: 30, week: 182, month: 365 } as const

type SeriesQuery = SubjectQuery & {
  metric?: Metric | undefined
  interval: Interval
  from?: Date | undefined
  to?: Date | undefined
}

export async function readTimeseries(app: App, actor: Actor, asked: SeriesQuery) {
  const { metric, interval } = asked
  const subject = await resolveSubject(app, actor, asked)
  const limits = { usualDays: USUAL_DAYS[interval], longestDays: LONGEST_DAYS }
  const span = resolveRange(app.clock.now(), asked, limits)
  const starts = listIntervals(span, interval)
  // Counting who was active is dear and has to be asked for.
  const wanted = metric ? [metric] : METRICS.filter((name) => !ACTIVITY_METRICS.includes(name))
  const read = () =>
    computeSeries(app, subject, { interval, starts, wanted, span: { ...span, from: starts[0] ?? span.from } })
  if (subject.scope === 'org') return read()
  return cached(app, [metric, interval, asked.from?.getTime(), asked.to?.getTime()].join(' '), read)
}

type Series = Awaited<ReturnType<typeof computeSeries>>
const cached = createFleetCache<Series>()

type SeriesPlan = {
  readonly interval: Interval
  readonly span: TimeRange
  readonly starts: readonly Date[]
  readonly wanted: readonly Metric[]
}

async function computeSeries(app: App, subject: Subject, { interval, span, starts, wanted }: SeriesPlan) {
  const { scope, orgId, currency } = subject
  const convert = createConverter(currentRateCard(app), subject)
  const sums = await readFigures(app, subject.orgId, (tx) =>
    readSums(tx, orgId, { interval, span, wanted }, convert),
  )
  const points = starts.map((at) => {
    const values = sums.get(at.getTime()) ?? {}
    return { at, ...Object.fromEntries(wanted.map((name) => [FIELD_OF[name], values[FIELD_OF[name]] ?? 0n])) }
  })
  return clampToInt64({ scope, orgId, currency, interval, ...span, metrics: [...wanted], points })
}

const LEDGER_METRICS: readonly Metric[] = [
  'usage_minor',
  'net_credited_minor',
  'granted_minor',
  'subscription_minor',
]
const METER_METRICS: readonly Metric[] = ['tokens', 'turns']
const ACTIVITY_METRICS: readonly Metric[] = ['active_orgs', 'active_users']

/** Asks only where what is wanted comes from. */
async function readSums(
  tx: Tx,
  org: OrgId | null,
  { interval, span, wanted }: Omit<SeriesPlan, 'starts'>,
  convert: Converter,
): Promise<Sums> {
  const sums: Sums = new Map()
  const isWanted = (names: readonly Metric[]) => wanted.some((name) => names.includes(name))
  if (isWanted(LEDGER_METRICS))
    for (const { at, currency, creditedMinor, ...rest } of await moneySeries(tx, org, span, interval)) {
      const { usageMinor, grantedMinor, subscriptionMinor } = rest
      const flows = { usageMinor, grantedMinor, subscriptionMinor, netCreditedMinor: creditedMinor }
      addTo(sums, at, flows, (minor) => convert(minor, currency))
    }
  if (isWanted(['allowance_minor']))
    for (const { at, currency, allowanceMinor } of await allowanceSeries(tx, org, span, interval))
      addTo(sums, at, { allowanceMinor }, (minor) => convert(minor, currency))
  if (isWanted(METER_METRICS))
    for (const { at, ...used } of await usageSeries(tx, org, span, interval)) addTo(sums, at, used, (n) => n)
  if (isWanted(ACTIVITY_METRICS))
    for (const { at, ...active } of await activeSeries(tx, org, span, interval))
      addTo(sums, at, active, (n) => n)
  return sums
}

function addTo(sums: Sums, at: Date, values: Values, convert: (value: bigint) => bigint): void {
  const sum = sums.get(at.getTime()) ?? {}
  for (const [name, value] of Object.entries(values) as [Field, bigint][])
    sum[name] = (sum[name] ?? 0n) + convert(value)
  sums.set(at.getTime(), sum)
}
