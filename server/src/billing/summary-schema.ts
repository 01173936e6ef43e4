// The shape of the summary.
import { z } from 'zod'
import { minorOut, timestamp } from '../platform/http/shapes.ts'
import { Wallet } from '../wallet/wallet.ts'
import { currency, Plan } from './plan-schema.ts'
import { Subscription } from './subscription-schema.ts'

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
