// The shapes of metrics.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import { minorOut, pageQuery, queryInteger, queryTime, text, timestamp } from '../platform/http/shapes.ts'
import { SORTS } from './reports/orgs.ts'
import { METRICS, LONGEST_DAYS as SERIES_DAYS_MAX } from './reports/timeseries.ts'
import { LONGEST_DAYS, MEMBERS_MAX, MODEL_DAYS, MODELS_MAX } from './reports/usage.ts'
import { INTERVALS, POINTS_MAX } from './time-range.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })
const currency = z.enum(currencies)

const subject = {
  scope: z.literal('all').optional().meta({ description: 'The whole fleet; platform staff only.' }),
  orgId: text(64).optional().meta({
    description: 'Your own organisation by default; another one is for platform staff only.',
  }),
}

const about = {
  scope: z.enum(['org', 'all']),
  orgId: z.string().nullable().meta({ description: 'Null for the fleet.' }),
  currency: currency.meta({
    description:
      'Of all amounts beside it. Those of the fleet are in kobo: the total of each currency is converted by the rate card in force, to the nearest kobo, and then added.',
  }),
  clamped: z.boolean().meta({
    description:
      'True where a sum in kobo is beyond 64 bits: the largest number there is stands in its place, and only the figures by currency are exact.',
  }),
}

const UsageAmounts = z.object({
  costMinor: minorOut.meta({
    description: 'What the use was charged, whether the wallet or the plan’s allowance paid for it.',
  }),
  tokens: count,
  turns: count.meta({ description: 'Metered turns of models.' }),
})

export const OverviewQuery = z.object(subject)

export const Overview = z.object({
  ...about,
  at: timestamp,
  wallet: z.object({
    balanceMinor: minorOut.meta({ description: 'Without closed organisations.' }),
    heldMinor: minorOut.meta({ description: 'The part of the balance that work in progress has reserved.' }),
    includedMinor: minorOut.meta({ description: 'What plans still include.' }),
  }),
  usage: z.object({
    today: UsageAmounts.meta({ description: 'Since midnight in UTC.' }),
    last30Days: UsageAmounts,
  }),
  last30Days: z
    .object({
      usageMinor: minorOut.meta({ description: 'Spent of wallets on use.' }),
      allowanceMinor: minorOut.meta({ description: 'Use that allowances paid for.' }),
      creditedMinor: minorOut.meta({ description: 'Payments, less what providers took back.' }),
      grantedMinor: minorOut.meta({ description: 'Refunds and adjustments by staff: no cash.' }),
      subscriptionMinor: minorOut.meta({ description: 'Paid for plans, less what came back.' }),
    })
    .meta({ description: 'From the ledger.' }),
  subscriptions: z.object({ active: count, pastDue: count, comped: count, monthlyMinor: minorOut }),
  org: z
    .object({
      name: z.string(),
      tier: z.string(),
      plan: z.string().nullable(),
      subscriptionStatus: z.string().nullable(),
      suspended: z.boolean(),
      kycStatus: z.string(),
      members: z.int(),
      activeUsers: count.meta({ description: 'Who used anything in the last 30 days.' }),
      createdAt: timestamp,
      lastActiveAt: timestamp.nullable(),
    })
    .nullable()
    .meta({ description: 'Null for the fleet.' }),
  fleet: z
    .object({
      orgs: count.meta({ description: 'Without those that were closed.' }),
      closedOrgs: count,
      users: count,
      activeOrgs: count.meta({ description: 'Those that used anything in the last 30 days.' }),
      activeUsers: count,
      payingOrgs: count.meta({ description: 'Those that paid for use or a plan in the last 30 days.' }),
      suspendedOrgs: count,
      kycPending: count,
      paymentsInReview: count,
    })
    .nullable()
    .meta({ description: 'Null for an organisation.' }),
})

export const UsageQuery = z.object({
  ...subject,
  from: queryTime
    .optional()
    .meta({ description: `By default 30 days before \`to\`; at most ${LONGEST_DAYS}.` }),
  to: queryTime.optional().meta({ description: 'Not included. By default now.' }),
})

export const Usage = z.object({
  ...about,
  from: timestamp,
  to: timestamp,
  totals: UsageAmounts.extend({
    byLane: z.record(z.string(), UsageAmounts),
    bySource: z.record(z.string(), UsageAmounts),
    byModel: z
      .array(UsageAmounts.extend({ model: z.string() }))
      .nullable()
      .meta({
        description: `The ${MODELS_MAX} with the most tokens; null for more than ${MODEL_DAYS} days, because sums of days do not know models.`,
      }),
  }),
  rows: z.array(UsageAmounts.extend({ day: z.string(), lane: z.string(), source: z.string() })).meta({
    description:
      'By day in UTC, lane and source, the earliest first, where there is any. For the fleet each row is rounded by itself.',
  }),
  byMember: z
    .array(UsageAmounts.extend({ userId: z.string().nullable(), email: z.string().nullable() }))
    .nullable()
    .meta({
      description: `The ${MEMBERS_MAX} who spent most, for owners, admins and staff; null for others, for keys and for the fleet. Work that nobody in particular asked for has no member.`,
    }),
})

export const TimeseriesQuery = z.object({
  ...subject,
  metric: z
    .enum(METRICS)
    .optional()
    .meta({ description: 'Without it, every series but those of who was active.' }),
  interval: z.enum(INTERVALS).default('day').meta({ description: 'In UTC; weeks begin on Monday.' }),
  from: queryTime.optional().meta({
    description: `Its whole interval is included. By default 2 days, 30 days, half a year or a year before \`to\`, by the interval; at most ${SERIES_DAYS_MAX} days and ${POINTS_MAX} points.`,
  }),
  to: queryTime.optional().meta({ description: 'Not included. By default now.' }),
})

export const Timeseries = z.object({
  ...about,
  interval: z.enum(INTERVALS),
  from: timestamp,
  to: timestamp,
  metrics: z.array(z.enum(METRICS)),
  points: z
    .array(
      z.object({
        at: timestamp.meta({ description: 'When the interval begins.' }),
        usageMinor: minorOut.optional().meta({ description: 'Spent of wallets on use.' }),
        allowanceMinor: minorOut.optional().meta({ description: 'Use that allowances paid for.' }),
        netCreditedMinor: minorOut.optional().meta({
          description: 'What payments brought in, those for plans too, less what providers took back.',
        }),
        grantedMinor: minorOut.optional().meta({ description: 'Refunds and adjustments by staff: no cash.' }),
        subscriptionMinor: minorOut.optional().meta({ description: 'Paid for plans, less what came back.' }),
        tokens: count.optional(),
        turns: count.optional(),
        activeOrgs: count.optional(),
        activeUsers: count.optional(),
      }),
    )
    .meta({ description: 'Every interval, also those in which nothing happened.' }),
})

export const KpisQuery = z.object({
  ...subject,
  days: queryInteger(1, 366).default(30).meta({ description: 'How many days up to now.' }),
})

const figures = {
  mrrMinor: minorOut.meta({
    description:
      'Recognised usage revenue: what was spent of wallets on use in these days, less what came back of it. For 30 days, what a month brings; it is not scaled for other numbers of days.',
  }),
  allowanceUsedMinor: minorOut.meta({
    description: 'Use in these days that the allowances of plans paid for; not in `mrrMinor`.',
  }),
  netCreditedMinor: minorOut.meta({
    description:
      'Cash in: what payments brought into wallets in these days, those for plans too, less what was taken from wallets because a provider took a payment back.',
  }),
  grantedMinor: minorOut.meta({
    description: 'Refunds and adjustments that staff credited in these days: no cash came in for them.',
  }),
  subscriptionPaidMinor: minorOut.meta({
    description: 'What was paid for plans in these days, less what came back of it.',
  }),
  subscriptionMrrMinor: minorOut.meta({
    description:
      'What active subscriptions are worth by the month right now, with their seats, as they were sold; a year counts a twelfth, to the nearest minor unit. What is given away counts nothing, and what ends with its period counts until then.',
  }),
  activeSubscriptions: count.meta({ description: 'Active ones that cost something and are not given away.' }),
  pastDueMrrMinor: minorOut.meta({
    description: 'The monthly worth of those whose renewal is not paid; not in `subscriptionMrrMinor`.',
  }),
  pastDueSubscriptions: count.meta({ description: 'How many those are; not in `activeSubscriptions`.' }),
  floatMinor: minorOut.meta({
    description: 'What wallets hold right now, with what is reserved; without those of closed organisations.',
  }),
  forfeitedMinor: minorOut.meta({
    description: 'What is left in the wallets of organisations that were closed: they gave it up.',
  }),
  payingOrgs: count.meta({
    description: 'Organisations that paid for use or a plan out of their wallet in these days.',
  }),
  arpuMinor: minorOut.nullable().meta({
    description: 'What those paid in these days, for each of them; null where nobody paid.',
  }),
  margin: z.array(
    z.object({
      lane: z.enum(['open', 'frontier']),
      revenueMinor: minorOut.meta({
        description: 'What the use was charged, also where an allowance paid for it.',
      }),
      cogsMinor: minorOut.nullable().meta({
        description:
          'Its tokens at what operators say a million costs us now, to the nearest minor unit. For staff; null to everybody else, as the margin is.',
      }),
      marginMinor: minorOut.nullable(),
      marginPct: z.number().nullable().meta({ description: 'Of the revenue; null without any.' }),
      tokens: count,
    }),
  ),
}

export const Kpis = z.object({
  ...about,
  from: timestamp,
  to: timestamp,
  days: z.int(),
  rateCardVersion: z.string(),
  compedSubscriptions: count.meta({ description: 'Active ones that are given away.' }),
  ...figures,
  byCurrency: z
    .array(z.object({ currency, ...figures }))
    .meta({ description: 'The same figures exactly, in each currency that a wallet is in.' }),
})

export const OrgsQuery = z.object({
  sort: z.enum(SORTS).default('revenue').meta({
    description:
      'The most revenue, the largest balance or the latest use first. Amounts of several currencies are compared by what they are worth.',
  }),
  ...pageQuery(),
})

export const Orgs = z.object({
  orgs: z.array(
    z.object({
      orgId: z.string(),
      name: z.string(),
      tier: z.string(),
      plan: z.string().nullable(),
      currency: currency.meta({ description: 'Of its amounts.' }),
      balanceMinor: minorOut,
      revenueMinor: minorOut.meta({ description: 'Spent of its wallet on use in the last 30 days.' }),
      netCreditedMinor: minorOut.meta({ description: 'Cash in over the last 30 days.' }),
      tokens: count,
      lastActiveAt: timestamp.nullable().meta({ description: 'When it last used anything.' }),
      suspended: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
