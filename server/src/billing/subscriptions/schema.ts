// The shapes of subscriptions and of what is done with them.
import { z } from 'zod'
import { minor, minorOut, timestamp } from '../../platform/http/shapes.ts'
import { Wallet } from '../../wallet/wallet.ts'
import { PLAN_CODES } from '../plans/plans.ts'
import { currency, interval, Plan } from '../plans/schema.ts'

const SEATS_MAX = 100_000

export const Subscription = z
  .object({
    id: z.string(),
    planCode: z.enum(PLAN_CODES),
    status: z.enum(['active', 'past_due', 'canceled', 'incomplete']).meta({
      description: '`past_due`: a renewal is unpaid. `incomplete`: begun, and not paid for yet.',
    }),
    interval,
    seats: z.int(),
    seatsOccupied: z.int(),
    currentPeriodStart: timestamp,
    currentPeriodEnd: timestamp,
    cancelAtPeriodEnd: z.boolean(),
    scheduledChange: z
      .object({ planCode: z.enum(PLAN_CODES), interval, effectiveAt: timestamp })
      .nullable()
      .meta({ description: 'The downgrade that waits for the end of the period.' }),
    currency,
    rateCardVersion: z.string().meta({ description: 'The prices it was sold at.' }),
    comped: z.boolean().meta({ description: 'It is given away, and costs nothing.' }),
    nextAmountMinor: minorOut.meta({ description: 'What the next renewal charges; 0 where there is none.' }),
    openInvoiceId: z.string().nullable().meta({ description: 'The invoice to pay while it is past due.' }),
    nextAttemptAt: timestamp.nullable().meta({ description: 'When the cards are tried again.' }),
    changeInProgress: z.boolean().meta({ description: 'A change waits for its payment to be decided.' }),
  })
  .meta({ id: 'Subscription' })

export const CurrentSubscription = z.object({
  subscription: Subscription.nullable(),
  plan: Plan.nullable().meta({ description: 'As it was sold.' }),
  includedRemainingMinor: minorOut.meta({ description: "What is left of this month's included usage." }),
})

/** Unknown codes are refused by name, not by shape. */
const planCode = z.string().min(1).max(50)

export const CheckoutRequest = z.object({
  planCode,
  interval: interval.default('month'),
  maxMinor: minor(0n).optional().meta({
    description:
      'The most that you were told it costs now; where it would be more, nothing begins and nothing is paid.',
  }),
})

export const CheckoutResult = z.union([
  z.object({ activated: z.literal(true), subscription: Subscription }),
  z.object({
    authorizationUrl: z
      .string()
      .meta({ description: 'Where the plan is paid by card; it begins when it is.' }),
    reference: z.string(),
  }),
])

export const ChangeRequest = z.object({
  planCode,
  interval: interval.optional().meta({ description: 'That of the subscription where it is left out.' }),
})

export const ChangeResult = z.union([
  z.object({
    changed: z.literal(true),
    chargedMinor: minorOut,
    walletCreditMinor: minorOut.meta({
      description: 'What was paid for, is not used any more, and went into the wallet.',
    }),
    subscription: Subscription,
  }),
  z.object({ scheduled: z.literal(true), effectiveAt: timestamp, subscription: Subscription }),
  z.object({ cleared: z.literal(true), subscription: Subscription }),
])

export const SeatsRequest = z.object({ seats: z.int().min(1).max(SEATS_MAX) })

export const SeatsResult = z.object({ seats: z.int(), chargedMinor: minorOut, subscription: Subscription })

/** One of a few, and no free text: it stays in a log that is never rewritten. */
export const CANCEL_REASONS = [
  'too_expensive',
  'not_used',
  'missing_something',
  'went_elsewhere',
  'other',
] as const

export const CancelRequest = z.object({
  reason: z.enum(CANCEL_REASONS).optional().meta({ description: 'Why, for us to learn from.' }),
})

export const CancelResult = z.object({
  ok: z.literal(true),
  cancelAtPeriodEnd: z.boolean().meta({
    description: 'False where nothing is paid for, and it has ended at once.',
  }),
  effectiveAt: timestamp,
  subscription: Subscription,
})

export const Summary = z
  .object({
    currency,
    wallet: Wallet,
    subscription: Subscription.nullable(),
    plan: Plan.nullable().meta({ description: 'As it was sold to you.' }),
    included: z.object({
      totalMinor: minorOut.meta({ description: 'What was granted for the running month.' }),
      usedMinor: minorOut.meta({ description: 'With what work in progress has reserved of it.' }),
      remainingMinor: minorOut,
      resetsAt: timestamp.nullable(),
    }),
    seats: z.object({
      allotment: z.int().meta({ description: 'Those that come with the plan.' }),
      purchased: z.int().meta({ description: 'Those that were bought beyond it.' }),
      total: z.int().meta({ description: 'How many members there can be.' }),
      occupied: z.int(),
    }),
    scheduledChange: Subscription.shape.scheduledChange,
  })
  .meta({ id: 'BillingSummary' })
