// Collects the figures of the ledger, the meter and the subscriptions, by currency.
import { subscriptionFigures } from '../billing/billing.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { type Lane, type RateCardVersion, toKobo, usageByLane } from '../metering/metering.ts'
import type { Tx } from '../platform/db/tx.ts'
import { moneyFigures, walletFigures } from '../wallet/wallet.ts'
import type { TimeRange } from './time-range.ts'

/** In minor units of one currency. */
type Amounts = {
  readonly usageMinor: bigint
  readonly allowanceMinor: bigint
  readonly creditedMinor: bigint
  readonly grantedMinor: bigint
  readonly subscriptionMinor: bigint
  readonly earnedMinor: bigint
  readonly balanceMinor: bigint
  readonly forfeitedMinor: bigint
  readonly heldMinor: bigint
  readonly includedMinor: bigint
  readonly monthlyMinor: bigint
  readonly pastDueMonthlyMinor: bigint
}
type Counts = { readonly payingOrgs: bigint; readonly active: bigint; readonly pastDue: bigint }
type LaneFacts = { readonly costMinor: bigint; readonly tokens: bigint; readonly turns: bigint }

export type Facts = {
  readonly currency: Currency
  readonly amounts: Amounts
  readonly counts: Counts
  readonly lanes: Readonly<Record<Lane, LaneFacts>>
}

export const LANES: readonly Lane[] = ['open', 'frontier']

/** One item for each wallet currency; zero values if nothing happened. */
export async function gatherFacts(
  tx: Tx,
  org: OrgId | null,
  range: TimeRange,
): Promise<{ facts: Facts[]; comped: bigint }> {
  const wallets = await walletFigures(tx, org, range)
  const flows = await moneyFigures(tx, org, range)
  const used = await usageByLane(tx, org, range)
  const { byCurrency: sold, comped } = await subscriptionFigures(tx, org)
  const facts = wallets.map(({ currency, ...wallet }): Facts => {
    const flow = { ...NO_FLOW, ...flows.find((each) => each.currency === currency) }
    const plans = { ...NO_PLANS, ...sold.find((each) => each.currency === currency) }
    const { usageMinor, creditedMinor, grantedMinor, subscriptionMinor, earnedMinor, payingOrgs } = flow
    const { monthlyMinor, pastDueMonthlyMinor, active, pastDue } = plans
    const laneOf = (lane: Lane): LaneFacts => {
      const found = used.find((each) => each.currency === currency && each.lane === lane)
      return found ? { costMinor: found.costMinor, tokens: found.tokens, turns: found.turns } : NOTHING_USED
    }
    return {
      currency,
      amounts: {
        ...wallet,
        ...{ usageMinor, creditedMinor, grantedMinor, subscriptionMinor, earnedMinor },
        ...{ monthlyMinor, pastDueMonthlyMinor },
      },
      counts: { payingOrgs, active, pastDue },
      lanes: { open: laneOf('open'), frontier: laneOf('frontier') },
    }
  })
  return { facts, comped }
}

/** The sum in kobo. Each amount is converted once per currency, rounded to the nearest kobo, then added. */
export function sumInKobo(version: RateCardVersion, all: readonly Facts[]): Facts {
  return all
    .map((facts) => convertToKobo(version, facts))
    .reduce(
      (sum, next) => ({
        currency: 'NGN',
        amounts: addValues(sum.amounts, next.amounts),
        counts: addValues(sum.counts, next.counts),
        lanes: {
          open: addValues(sum.lanes.open, next.lanes.open),
          frontier: addValues(sum.lanes.frontier, next.lanes.frontier),
        },
      }),
      NO_FACTS,
    )
}

function convertToKobo(version: RateCardVersion, { currency, amounts, counts, lanes }: Facts): Facts {
  const worth = (minor: bigint) => toKobo(version, { minor, currency })
  const laneWorth = (lane: LaneFacts): LaneFacts => ({ ...lane, costMinor: worth(lane.costMinor) })
  return {
    currency: 'NGN',
    amounts: mapValues(amounts, worth),
    counts,
    lanes: { open: laneWorth(lanes.open), frontier: laneWorth(lanes.frontier) },
  }
}

const mapValues = <T extends Readonly<Record<string, bigint>>>(
  values: T,
  change: (value: bigint) => bigint,
): T => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)])) as T

const addValues = <T extends Readonly<Record<string, bigint>>>(a: T, b: T): T =>
  Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + (b[name] ?? 0n)])) as T

const NO_FLOW = {
  ...{ usageMinor: 0n, creditedMinor: 0n, grantedMinor: 0n, subscriptionMinor: 0n, earnedMinor: 0n },
  payingOrgs: 0n,
}
const NO_PLANS = { monthlyMinor: 0n, pastDueMonthlyMinor: 0n, active: 0n, pastDue: 0n }
const NOTHING_USED: LaneFacts = { costMinor: 0n, tokens: 0n, turns: 0n }
export const NO_FACTS: Facts = {
  currency: 'NGN',
  amounts: {
    ...{ usageMinor: 0n, allowanceMinor: 0n, creditedMinor: 0n, grantedMinor: 0n, subscriptionMinor: 0n },
    ...{ earnedMinor: 0n, balanceMinor: 0n, forfeitedMinor: 0n, heldMinor: 0n, includedMinor: 0n },
    ...{ monthlyMinor: 0n, pastDueMonthlyMinor: 0n },
  },
  counts: { payingOrgs: 0n, active: 0n, pastDue: 0n },
  lanes: { open: NOTHING_USED, frontier: NOTHING_USED },
}
