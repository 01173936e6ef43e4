// Schemas of plans and previews.
import { z } from 'zod'
import { currencies } from '../../kernel/money.ts'
import { minorOut, timestamp } from '../../platform/http/shapes.ts'
import { INTERVALS, PLAN_CODES } from './plans.ts'

export const currency = z.enum(currencies)
export const interval = z.enum(INTERVALS)

export const Plan = z
  .object({
    code: z.enum(PLAN_CODES),
    name: z.string(),
    tier: z.enum(['individual', 'team', 'enterprise']),
    interval,
    amountMinor: minorOut.meta({ description: 'The price of one interval.' }),
    currency,
    includedUsageMinor: minorOut.meta({
      description: 'Usage included per month, also for a yearly plan.',
    }),
    seatAllotment: z.int().meta({ description: 'Seats included in the plan.' }),
    seatPriceMinor: minorOut.meta({
      description: 'The price of one more seat per interval; 0 if the plan sells no seats.',
    }),
  })
  .meta({ id: 'Plan' })

export const Plans = z.object({ plans: z.array(Plan) })
export const PublicPlansQuery = z.object({ currency: currency.default('NGN') })
export const PublicPlans = z.object({ currency, rateCardVersion: z.string(), plans: z.array(Plan) })

/** An unknown code gets the error `plan_not_found`, not a validation error. */
const planCode = z.string().min(1).max(50)
const SEATS_MAX = 100_000

export const PreviewBody = z
  .object({
    planCode: planCode.optional(),
    interval: interval.optional().meta({ description: 'Default: the interval of the subscription.' }),
    seats: z.int().min(1).max(SEATS_MAX).optional(),
  })
  .refine(({ planCode: code, seats }) => (code === undefined) !== (seats === undefined), {
    error: 'must have either planCode or seats',
  })
  .refine(({ interval: chosenInterval, seats }) => chosenInterval === undefined || seats === undefined, {
    error: 'must not combine interval with seats',
  })
  .meta({ examples: [{ planCode: 'pro', interval: 'month' }] })

export const Preview = z
  .object({
    kind: z.enum(['start', 'upgrade', 'downgrade', 'seats', 'cleared']),
    currency,
    chargeNowMinor: minorOut,
    creditMinor: minorOut.meta({
      description: 'Credit for the unused part of the current period; already deducted from the charge.',
    }),
    walletCreditMinor: minorOut.meta({
      description: 'The part of the credit that exceeds the charge; it is credited to the wallet.',
    }),
    lines: z.array(z.object({ description: z.string(), quantity: z.int(), amountMinor: minorOut })),
    effectiveAt: timestamp,
    nextAmountMinor: minorOut.meta({
      description: 'The amount of the next renewal if nothing else changes.',
    }),
    nextAt: timestamp.meta({ description: 'The date of the next renewal.' }),
    seats: z.int().meta({ description: 'The number of seats after the change.' }),
    expiresAt: timestamp.nullable().meta({
      description:
        'The quoted charge is valid until then. Null for a first subscription, which has the price of `GET /plans`, and for a comped plan.',
    }),
  })
  .meta({ id: 'SubscriptionPreview' })
