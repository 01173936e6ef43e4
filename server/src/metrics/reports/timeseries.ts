// Usage and money over time: one point for every interval, also where nothing happened.
import type { OrgId } from '../../kernel/ids.ts'
import { activeSeries, currentRateCard, usageSeries } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { allowanceSeries, moneySeries } from '../../wallet/wallet.ts'
import { fitted } from '../clamp.ts'
import { shortMemory } from '../fleet-cache.ts'
import { type Span, spanOf } from '../span.ts'
import { type Asked, readAbout, type Subject, subjectOf } from '../subject.ts'
import { type Interval, intervalsIn } from '../time-range.ts'
import { type Converter, converterTo } from '../usage-sums.ts'

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

type AskedSeries = Asked & {
  metric?: Metric | undefined
  interval: Interval
  from?: Date | undefined
  to?: Date | undefined
}

export async function readTimeseries(app: App, actor: Actor, asked: AskedSeries) {
  const { metric, interval } = asked
  const subject = await subjectOf(app, actor, asked)
  const limits = { usualDays: USUAL_DAYS[interval], longestDays: LONGEST_DAYS }
  const span = spanOf(app.clock.now(), asked, limits)
  const starts = intervalsIn(span, interval)
  // Counting who was active is dear and has to be asked for.
  const wanted = metric ? [metric] : METRICS.filter((name) => !COUNTED.includes(name))
  const read = () =>
    seriesOf(app, subject, { interval, starts, wanted, span: { ...span, from: starts[0] ?? span.from } })
  if (subject.scope === 'org') return read()
  return remembered(app, [metric, interval, asked.from?.getTime(), asked.to?.getTime()].join(' '), read)
}

type Series = Awaited<ReturnType<typeof seriesOf>>
const remembered = shortMemory<Series>()

type Plan = {
  readonly interval: Interval
  readonly span: Span
  readonly starts: readonly Date[]
  readonly wanted: readonly Metric[]
}

async function seriesOf(app: App, subject: Subject, { interval, span, starts, wanted }: Plan) {
  const { scope, orgId, currency } = subject
  const convert = converterTo(currentRateCard(app), subject)
  const sums = await readAbout(app, subject.orgId, (tx) =>
    sumsOf(tx, orgId, { interval, span, wanted }, convert),
  )
  const points = starts.map((at) => {
    const values = sums.get(at.getTime()) ?? {}
    return { at, ...Object.fromEntries(wanted.map((name) => [FIELD_OF[name], values[FIELD_OF[name]] ?? 0n])) }
  })
  return fitted({ scope, orgId, currency, interval, ...span, metrics: [...wanted], points })
}

const FROM_LEDGER: readonly Metric[] = [
  'usage_minor',
  'net_credited_minor',
  'granted_minor',
  'subscription_minor',
]
const FROM_METER: readonly Metric[] = ['tokens', 'turns']
const COUNTED: readonly Metric[] = ['active_orgs', 'active_users']

/** Asks only where what is wanted comes from. */
async function sumsOf(
  tx: Tx,
  org: OrgId | null,
  { interval, span, wanted }: Omit<Plan, 'starts'>,
  convert: Converter,
): Promise<Sums> {
  const sums: Sums = new Map()
  const isWanted = (names: readonly Metric[]) => wanted.some((name) => names.includes(name))
  if (isWanted(FROM_LEDGER))
    for (const { at, currency, creditedMinor, ...rest } of await moneySeries(tx, org, span, interval)) {
      const { usageMinor, grantedMinor, subscriptionMinor } = rest
      const flows = { usageMinor, grantedMinor, subscriptionMinor, netCreditedMinor: creditedMinor }
      addTo(sums, at, flows, (minor) => convert(minor, currency))
    }
  if (isWanted(['allowance_minor']))
    for (const { at, currency, allowanceMinor } of await allowanceSeries(tx, org, span, interval))
      addTo(sums, at, { allowanceMinor }, (minor) => convert(minor, currency))
  if (isWanted(FROM_METER))
    for (const { at, ...used } of await usageSeries(tx, org, span, interval)) addTo(sums, at, used, (n) => n)
  if (isWanted(COUNTED))
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
