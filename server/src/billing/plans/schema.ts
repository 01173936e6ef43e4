// The shapes of plans, previews and the summary.
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
    amountMinor: minorOut.meta({ description: 'What one interval costs.' }),
    currency,
    includedUsageMinor: minorOut.meta({
      description: 'Usage that every month includes, also where a year is paid at once.',
    }),
    seatAllotment: z.int().meta({ description: 'Seats that are part of the plan.' }),
    seatPriceMinor: minorOut.meta({
      description: 'One more seat for one interval; 0 where no seats are sold.',
    }),
  })
  .meta({ id: 'Plan' })

export const Plans = z.object({ plans: z.array(Plan) })
export const PublicPlansQuery = z.object({ currency: currency.default('NGN') })
export const PublicPlans = z.object({ currency, rateCardVersion: z.string(), plans: z.array(Plan) })

/** Unknown codes are refused by name, not by shape. */
const planCode = z.string().min(1).max(50)
const SEATS_MAX = 100_000

export const PreviewBody = z
  .object({
    planCode: planCode.optional(),
    interval: interval.optional().meta({ description: 'That of the subscription where it is left out.' }),
    seats: z.int().min(1).max(SEATS_MAX).optional(),
  })
  .refine(({ planCode: code, seats }) => (code === undefined) !== (seats === undefined), {
    error: 'must have either planCode or seats',
  })
  .refine(({ interval: wanted, seats }) => wanted === undefined || seats === undefined, {
    error: 'must have no interval beside seats',
  })
  .meta({ examples: [{ planCode: 'pro', interval: 'month' }] })

export const Preview = z
  .object({
    kind: z.enum(['start', 'upgrade', 'downgrade', 'seats', 'cleared']),
    currency,
    chargeNowMinor: minorOut,
    creditMinor: minorOut.meta({
      description: 'What was paid for and is not used any more; already taken off the charge.',
    }),
    walletCreditMinor: minorOut.meta({
      description: 'The part of that credit which is more than the charge: it goes into the wallet.',
    }),
    lines: z.array(z.object({ description: z.string(), quantity: z.int(), amountMinor: minorOut })),
    effectiveAt: timestamp,
    nextAmountMinor: minorOut.meta({ description: 'What the next renewal charges if nothing else changes.' }),
    nextAt: timestamp.meta({ description: 'When that is, where it charges anything.' }),
    seats: z.int().meta({ description: 'How many seats there are then.' }),
    expiresAt: timestamp.nullable().meta({
      description:
        'Until then the charge is what was told here. Null for a first subscription, which costs what `GET /plans` says, and for a plan that is given to you.',
    }),
  })
  .meta({ id: 'SubscriptionPreview' })
