// Schemas of subscriptions and of the billing summary.
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
      description: '`past_due`: a renewal is unpaid. `incomplete`: the first payment is missing.',
    }),
    interval,
    seats: z.int(),
    seatsOccupied: z.int(),
    currentPeriodStart: timestamp,
    currentPeriodEnd: timestamp,
    cancelAtPeriodEnd: z.boolean(),
    scheduledChange: z
      .object({ planCode: z.enum(PLAN_CODES), interval, effectiveAt: timestamp })
      .meta({ id: 'ScheduledChange' })
      .nullable()
      .meta({ description: 'The downgrade at the end of the period.' }),
    currency,
    rateCardVersion: z.string().meta({ description: 'The rate card it was sold with.' }),
    comped: z.boolean().meta({ description: 'The plan is comped and free of charge.' }),
    nextAmountMinor: minorOut.meta({ description: 'The amount of the next renewal; 0 if there is none.' }),
    openInvoiceId: z
      .string()
      .nullable()
      .meta({ description: 'The invoice to pay while the subscription is past due.' }),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: 'The next scheduled attempt to charge the cards.' }),
    changeInProgress: z.boolean().meta({ description: 'A change waits for its payment.' }),
  })
  .meta({ id: 'Subscription' })

export const CurrentSubscription = z.object({
  subscription: Subscription.nullable(),
  plan: Plan.nullable().meta({ description: 'The plan as it was sold.' }),
  includedRemainingMinor: minorOut.meta({ description: 'The remaining included usage of this month.' }),
})

/** An unknown code gets the error `plan_not_found`, not a validation error. */
const planCode = z.string().min(1).max(50)

export const CheckoutRequest = z.object({
  planCode,
  interval: interval.default('month'),
  maxMinor: minor(0n).optional().meta({
    description:
      'The highest price that you accept. If the plan costs more, nothing starts and nothing is charged.',
  }),
})

export const CheckoutResult = z.union([
  z.object({ activated: z.literal(true), subscription: Subscription }),
  z.object({
    authorizationUrl: z
      .string()
      .meta({ description: 'The page for the card payment. The plan starts when it is paid.' }),
    reference: z.string(),
  }),
])

export const ChangeRequest = z.object({
  planCode,
  interval: interval.optional().meta({ description: 'Default: the interval of the subscription.' }),
})

export const ChangeResult = z.union([
  z.object({
    changed: z.literal(true),
    chargedMinor: minorOut,
    walletCreditMinor: minorOut.meta({
      description: 'Credit for unused time that was added to the wallet.',
    }),
    subscription: Subscription,
  }),
  z.object({ scheduled: z.literal(true), effectiveAt: timestamp, subscription: Subscription }),
  z.object({ cleared: z.literal(true), subscription: Subscription }),
])

export const SeatsRequest = z.object({ seats: z.int().min(1).max(SEATS_MAX) })

export const SeatsResult = z.object({ seats: z.int(), chargedMinor: minorOut, subscription: Subscription })

/** A fixed list instead of free text, because the audit log is never rewritten. */
export const CANCEL_REASONS = [
  'too_expensive',
  'not_used',
  'missing_something',
  'went_elsewhere',
  'other',
] as const

export const CancelRequest = z.object({
  reason: z.enum(CANCEL_REASONS).optional().meta({ description: 'The reason, for our statistics.' }),
})

export const CancelResult = z.object({
  ok: z.literal(true),
  cancelAtPeriodEnd: z.boolean().meta({
    description: 'False if nothing was paid and the subscription ended at once.',
  }),
  effectiveAt: timestamp,
  subscription: Subscription,
})

export const Summary = z
  .object({
    currency,
    wallet: Wallet,
    subscription: Subscription.nullable(),
    plan: Plan.nullable().meta({ description: 'The plan as it was sold.' }),
    included: z.object({
      totalMinor: minorOut.meta({ description: 'The allowance granted for the current month.' }),
      usedMinor: minorOut.meta({ description: 'Includes the amount reserved by running work.' }),
      remainingMinor: minorOut,
      resetsAt: timestamp.nullable(),
    }),
    seats: z.object({
      allotment: z.int().meta({ description: 'Seats included in the plan.' }),
      purchased: z.int().meta({ description: 'Seats bought in addition.' }),
      total: z.int().meta({ description: 'The most members that the organisation can have.' }),
      occupied: z.int(),
    }),
    scheduledChange: Subscription.shape.scheduledChange,
  })
  .meta({ id: 'BillingSummary' })
