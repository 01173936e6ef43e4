// The response schema of an explained ledger entry.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { minorOut, timestamp } from '../../platform/http/shapes.ts'
import type { EntryId } from '../ledger/postings.ts'
import { LedgerEntry } from '../schema.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [1204] } })
const part = z.int().nullable().meta({ description: 'Null if the model did not report it.' })
const exact = (description: string) => z.string().meta({ description, examples: ['108.36'] })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal; empty before the first posting.' })

export const EntryParams = z.object({
  id: z.custom<EntryId>((value) => typeof value === 'string' && isId('led', value)),
})

const ClassCharge = z.object({
  class: z.enum(['input', 'cachedInput', 'cacheWrite', 'output']),
  tokens: count,
  priceKoboPer1m: count,
  exactKobo: exact('The price of these tokens, without rounding.'),
})

const Metered = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  tokens: count,
  billedTokens: count.meta({ description: 'Fewer than `tokens` if the work used more than was reserved.' }),
  promptTokens: part,
  outputTokens: part,
  cachedTokens: part.meta({ description: 'Part of the prompt. Null if the model did not report it.' }),
  cacheWriteTokens: part.meta({ description: 'Part of the prompt. Null if the model did not report it.' }),
  reasoningTokens: part.meta({ description: 'Part of the output. Null if the model did not report it.' }),
  priceKoboPer1m: count.meta({
    description:
      'The price at the time of the reservation. With `classes` it is the price of uncached input.',
  }),
  classes: z.array(ClassCharge).nullable().meta({
    description: 'The used tokens by class. Null if one price applies to every token.',
  }),
  rateCard: z.string(),
  rate: z
    .object({ numerator: z.string(), denominator: z.string() })
    .meta({ description: 'Minor units of your currency per kobo.' }),
  exactKobo: exact('The price of the billed tokens, without rounding.'),
  unbilledKobo: exact('The price of the tokens beyond the reservation. It is not charged.'),
  runBeforeMinor: minorOut.meta({ description: 'The cost of the run before this turn, rounded up.' }),
  runAfterMinor: minorOut.meta({ description: 'The cost of the run after this turn, rounded up.' }),
  costMinor: minorOut.meta({
    description:
      'The difference of the two: a whole run is thus rounded once. With `accrual`, the debit after earlier charges.',
  }),
  accrual: z
    .object({
      exactCost: exact('The cost of the call without rounding, in minor units.'),
      paidBefore: exact('The part that earlier calls paid beyond their cost, in minor units.'),
      paidAfter: exact('The part that is left for the next calls, in minor units. Always less than one.'),
      sentence: z.string().meta({
        examples: [
          'This call cost exactly CFA0.037. CFA0.412 was already paid by earlier calls, so nothing was debited.',
        ],
      }),
    })
    .nullable()
    .meta({
      description:
        'Set if the charge accumulates exactly with other charges instead of being rounded up by itself.',
    }),
  steps: z.array(z.string()).meta({ description: 'The calculation step by step.' }),
  recomputed: z.boolean().meta({
    description: 'Whether the calculation, repeated for this reply, gives the charged amount.',
  }),
})

export const EntryExplanation = z.object({
  entry: LedgerEntry,
  explanation: z.object({
    kind: z.enum(['metered', 'topup', 'refund', 'adjustment', 'subscription', 'reversal', 'trial']),
    summary: z.string().meta({ examples: ['1,204 tokens on the open lane at ₦900.00 per million: ₦1.09.'] }),
    metered: Metered.nullable(),
    hold: z
      .object({
        id: z.string(),
        reservedMinor: minorOut,
        includedMinor: minorOut.meta({
          description: 'The part that was reserved from your plan’s allowance.',
        }),
        reservedAt: timestamp,
        deadline: timestamp,
      })
      .nullable(),
    settlement: z
      .object({
        chargedMinor: minorOut,
        fromIncludedMinor: minorOut,
        fromWalletMinor: minorOut.meta({ description: 'The amount of the ledger entry.' }),
        releasedMinor: minorOut.meta({ description: 'The reserved money that was not used.' }),
        at: timestamp,
      })
      .nullable(),
    payment: z
      .object({
        reference: z.string().meta({ description: 'Look it up at GET /wallet/topups.' }),
        rail: z
          .string()
          .nullable()
          .meta({ description: 'The payment provider. Null if no provider was involved.' }),
        at: timestamp,
      })
      .nullable(),
  }),
  chain: z.object({ seq: count, hash, previousHash: hash }),
})
