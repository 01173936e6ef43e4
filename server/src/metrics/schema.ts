// Request and reply schemas of metrics.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import { minorOut, pageQuery, queryInteger, queryTime, text, timestamp } from '../platform/http/shapes.ts'
import { SORTS } from './reports/orgs.ts'
import { METRICS, DAYS_MAX as SERIES_DAYS_MAX } from './reports/timeseries.ts'
import { DAYS_MAX, MEMBERS_MAX, MODEL_DAYS, MODELS_MAX } from './reports/usage.ts'
import { INTERVALS, POINTS_MAX } from './time-range.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })
const currency = z.enum(currencies)

const subject = {
  scope: z.literal('all').optional().meta({ description: 'All organisations; platform staff only.' }),
  orgId: text(64).optional().meta({
    description: 'Default: your organisation. Another one is for platform staff only.',
  }),
}

const about = {
  scope: z.enum(['org', 'all']),
  orgId: z.string().nullable().meta({ description: 'Null for all organisations.' }),
  currency: currency.meta({
    description:
      'The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added.',
  }),
  clamped: z.boolean().meta({
    description:
      'True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.',
  }),
}

const UsageAmounts = z.object({
  costMinor: minorOut.meta({
    description: 'Charges for usage, paid by the wallet or by the allowance of the plan.',
  }),
  tokens: count,
  turns: count.meta({ description: 'Metered model turns.' }),
})

export const OverviewQuery = z.object(subject)

export const Overview = z.object({
  ...about,
  at: timestamp,
  wallet: z.object({
    balanceMinor: minorOut.meta({ description: 'Excludes closed organisations.' }),
    heldMinor: minorOut.meta({ description: 'The part of the balance held for work in progress.' }),
    includedMinor: minorOut.meta({ description: 'Remaining allowances of plans.' }),
  }),
  usage: z.object({
    today: UsageAmounts.meta({ description: 'Since midnight UTC.' }),
    last30Days: UsageAmounts,
  }),
  last30Days: z
    .object({
      usageMinor: minorOut.meta({ description: 'Usage paid by wallets.' }),
      allowanceMinor: minorOut.meta({ description: 'Usage paid by allowances.' }),
      creditedMinor: minorOut.meta({ description: 'Payments minus reversals by providers.' }),
      grantedMinor: minorOut.meta({ description: 'Refunds and adjustments by staff, without cash.' }),
      subscriptionMinor: minorOut.meta({ description: 'Payments for plans minus refunds.' }),
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
      activeUsers: count.meta({ description: 'Users with usage in the last 30 days.' }),
      createdAt: timestamp,
      lastActiveAt: timestamp.nullable(),
    })
    .nullable()
    .meta({ description: 'Null for all organisations.' }),
  fleet: z
    .object({
      orgs: count.meta({ description: 'Excludes closed organisations.' }),
      closedOrgs: count,
      users: count,
      activeOrgs: count.meta({ description: 'Organisations with usage in the last 30 days.' }),
      activeUsers: count,
      payingOrgs: count.meta({
        description: 'Organisations that paid for usage or a plan in the last 30 days.',
      }),
      suspendedOrgs: count,
      kycPending: count,
      paymentsInReview: count,
    })
    .nullable()
    .meta({ description: 'Null for one organisation.' }),
})

export const UsageQuery = z.object({
  ...subject,
  from: queryTime
    .optional()
    .meta({ description: `Default: 30 days before \`to\`. At most ${DAYS_MAX} days.` }),
  to: queryTime.optional().meta({ description: 'Exclusive. Default: now.' }),
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
        description: `The ${MODELS_MAX} models with the most tokens; null for more than ${MODEL_DAYS} days, because daily sums have no model.`,
      }),
  }),
  rows: z.array(UsageAmounts.extend({ day: z.string(), lane: z.string(), source: z.string() })).meta({
    description:
      'By UTC day, lane and source, oldest first, without empty rows. For all organisations each row is rounded.',
  }),
  byMember: z
    .array(UsageAmounts.extend({ userId: z.string().nullable(), email: z.string().nullable() }))
    .nullable()
    .meta({
      description: `The ${MEMBERS_MAX} members with the highest cost, for owners, admins and staff. Null for other callers, for keys and for all organisations. Background work has no member.`,
    }),
})

export const TimeseriesQuery = z.object({
  ...subject,
  metric: z
    .enum(METRICS)
    .optional()
    .meta({ description: 'Default: all series except active users and organisations.' }),
  interval: z.enum(INTERVALS).default('day').meta({ description: 'In UTC. Weeks start on Monday.' }),
  from: queryTime.optional().meta({
    description: `Rounded down to the start of its interval. Default: 2 days, 30 days, half a year or a year before \`to\`, depending on the interval. At most ${SERIES_DAYS_MAX} days and ${POINTS_MAX} points.`,
  }),
  to: queryTime.optional().meta({ description: 'Exclusive. Default: now.' }),
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
        at: timestamp.meta({ description: 'Start of the interval.' }),
        usageMinor: minorOut.optional().meta({ description: 'Usage paid by wallets.' }),
        allowanceMinor: minorOut.optional().meta({ description: 'Usage paid by allowances.' }),
        netCreditedMinor: minorOut.optional().meta({
          description: 'Payments, including those for plans, minus reversals by providers.',
        }),
        grantedMinor: minorOut
          .optional()
          .meta({ description: 'Refunds and adjustments by staff, without cash.' }),
        subscriptionMinor: minorOut.optional().meta({ description: 'Payments for plans minus refunds.' }),
        tokens: count.optional(),
        turns: count.optional(),
        activeOrgs: count.optional(),
        activeUsers: count.optional(),
      }),
    )
    .meta({ description: 'Every interval, including empty ones.' }),
})

export const KpisQuery = z.object({
  ...subject,
  days: queryInteger(1, 366).default(30).meta({ description: 'Number of days until now.' }),
})

const figures = {
  mrrMinor: minorOut.meta({
    description:
      'Recognised usage revenue: usage paid by wallets in these days, minus refunds. For 30 days this is the monthly revenue; other ranges are not scaled.',
  }),
  allowanceUsedMinor: minorOut.meta({
    description: 'Usage in these days paid by allowances. Not part of `mrrMinor`.',
  }),
  netCreditedMinor: minorOut.meta({
    description:
      'Cash received: payments into wallets in these days, including those for plans, minus amounts taken from wallets after a reversal by the provider.',
  }),
  grantedMinor: minorOut.meta({
    description: 'Refunds and adjustments credited by staff in these days, without cash.',
  }),
  subscriptionPaidMinor: minorOut.meta({
    description: 'Payments for plans in these days, minus refunds.',
  }),
  subscriptionMrrMinor: minorOut.meta({
    description:
      'Monthly value of active subscriptions with their seats, at the sold price. A yearly plan counts one twelfth, rounded to the nearest minor unit. Complimentary plans count zero; cancelled ones count until the end of the period.',
  }),
  activeSubscriptions: count.meta({
    description: 'Active paid subscriptions, excluding complimentary ones.',
  }),
  pastDueMrrMinor: minorOut.meta({
    description: 'Monthly value of subscriptions with an unpaid renewal. Not part of `subscriptionMrrMinor`.',
  }),
  pastDueSubscriptions: count.meta({
    description: 'Number of subscriptions with an unpaid renewal. Not part of `activeSubscriptions`.',
  }),
  floatMinor: minorOut.meta({
    description: 'Current wallet balances including holds, without closed organisations.',
  }),
  forfeitedMinor: minorOut.meta({
    description: 'Balances that closed organisations gave up.',
  }),
  payingOrgs: count.meta({
    description: 'Organisations that paid for usage or a plan from their wallet in these days.',
  }),
  arpuMinor: minorOut.nullable().meta({
    description: 'Average payment per paying organisation in these days; null if there is none.',
  }),
  margin: z.array(
    z
      .object({
        lane: z.enum(['open', 'frontier']),
        revenueMinor: minorOut.meta({
          description: 'Charges for usage, including usage paid by allowances.',
        }),
        cogsMinor: minorOut.nullable().meta({
          description:
            'Token cost at the current configured price per million, rounded to the nearest minor unit. Cost and margin are null for callers who are not staff.',
        }),
        marginMinor: minorOut.nullable(),
        marginPct: z
          .number()
          .nullable()
          .meta({ description: 'Percentage of revenue; null without revenue.' }),
        tokens: count,
      })
      .meta({ id: 'LaneMargin' }),
  ),
}

export const Kpis = z.object({
  ...about,
  from: timestamp,
  to: timestamp,
  days: z.int(),
  rateCardVersion: z.string(),
  compedSubscriptions: count.meta({ description: 'Active complimentary subscriptions.' }),
  ...figures,
  byCurrency: z
    .array(z.object({ currency, ...figures }))
    .meta({ description: 'The same figures, exact, for each wallet currency.' }),
})

export const OrgsQuery = z.object({
  sort: z.enum(SORTS).default('revenue').meta({
    description: 'Highest revenue, largest balance or latest use first. Amounts are compared in kobo.',
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
      currency: currency.meta({ description: 'The currency of its amounts.' }),
      balanceMinor: minorOut,
      revenueMinor: minorOut.meta({ description: 'Usage paid by its wallet in the last 30 days.' }),
      netCreditedMinor: minorOut.meta({ description: 'Cash received in the last 30 days.' }),
      tokens: count,
      lastActiveAt: timestamp.nullable().meta({ description: 'Time of the last usage.' }),
      suspended: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
