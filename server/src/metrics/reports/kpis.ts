// Business figures. Exact per currency; for all organisations also in kobo.
import { type Currency, scaleSumHalfUp } from '../../kernel/money.ts'
import {
  currentRateCard,
  type Lane,
  ourCostOf,
  type RateCardVersion,
  rateOf,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { clampToInt64 } from '../clamp.ts'
import { type Facts, gatherFacts, LANES, NO_FACTS, sumInKobo } from '../facts.ts'
import { createFleetCache } from '../fleet-cache.ts'
import { readFigures, resolveSubject, type Subject, type SubjectQuery } from '../subject.ts'
import { daysBefore } from '../time-range.ts'

export async function readKpis(app: App, actor: Actor, query: SubjectQuery & { days: number }) {
  const subject = await resolveSubject(app, actor, query)
  const read = () => computeKpis(app, subject, query.days)
  const kpis = await (subject.scope === 'all' ? cached(app, String(query.days), read) : read())
  return actor.staffRole === null ? withoutCosts(kpis) : kpis
}

/** Hides our costs from customers. */
function withoutCosts(kpis: Kpis) {
  const hidden = { cogsMinor: null, marginMinor: null, marginPct: null }
  const within = <T extends Pick<Kpis, 'margin'>>(figures: T) => ({
    ...figures,
    margin: figures.margin.map((lane) => ({ ...lane, ...hidden })),
  })
  return { ...within(kpis), byCurrency: kpis.byCurrency.map(within) }
}

export type Kpis = Awaited<ReturnType<typeof computeKpis>>
const cached = createFleetCache<Kpis>()

async function computeKpis(app: App, subject: Subject, days: number) {
  const range = daysBefore(app.clock.now(), days)
  const version = currentRateCard(app)
  const { facts, comped } = await readFigures(app, subject.orgId, (tx) =>
    gatherFacts(tx, subject.orgId, range),
  )
  const total = subject.scope === 'all' ? sumInKobo(version, facts) : (facts[0] ?? NO_FACTS)
  const { scope, orgId, currency } = subject
  return clampToInt64({
    ...{ scope, orgId, currency, ...range, days, rateCardVersion: version, compedSubscriptions: comped },
    ...figuresOf(app, version, total),
    byCurrency: facts.map((each) => ({ currency: each.currency, ...figuresOf(app, version, each) })),
  })
}

function figuresOf(app: App, version: RateCardVersion, { currency, amounts, counts, lanes }: Facts) {
  return {
    mrrMinor: amounts.usageMinor,
    allowanceUsedMinor: amounts.allowanceMinor,
    netCreditedMinor: amounts.creditedMinor,
    grantedMinor: amounts.grantedMinor,
    subscriptionPaidMinor: amounts.subscriptionMinor,
    subscriptionMrrMinor: amounts.monthlyMinor,
    activeSubscriptions: counts.active,
    pastDueMrrMinor: amounts.pastDueMonthlyMinor,
    pastDueSubscriptions: counts.pastDue,
    floatMinor: amounts.balanceMinor,
    forfeitedMinor: amounts.forfeitedMinor,
    payingOrgs: counts.payingOrgs,
    arpuMinor: shareOf(amounts.earnedMinor, counts.payingOrgs),
    margin: LANES.map((lane) =>
      marginOf(lane, lanes[lane], ourCost(app, version, lane, currency, lanes[lane].tokens)),
    ),
  }
}

const shareOf = (minor: bigint, among: bigint): bigint | null =>
  among === 0n ? null : scaleSumHalfUp(minor, 1n, among)

/** The cost of tokens at the configured price, rounded once to the nearest minor unit. */
function ourCost(app: App, version: RateCardVersion, lane: Lane, currency: Currency, tokens: bigint): bigint {
  const { numerator, denominator } = rateOf(version, currency)
  return scaleSumHalfUp(tokens, ourCostOf(app, lane) * numerator, 1_000_000n * denominator)
}

function marginOf(
  lane: Lane,
  { costMinor, tokens }: { costMinor: bigint; tokens: bigint },
  cogsMinor: bigint,
) {
  const marginMinor = costMinor - cogsMinor
  // Truncated to hundredths of a percent.
  const marginPct = costMinor === 0n ? null : Number((marginMinor * 10_000n) / costMinor) / 100
  return { lane, revenueMinor: costMinor, cogsMinor, marginMinor, marginPct, tokens }
}
