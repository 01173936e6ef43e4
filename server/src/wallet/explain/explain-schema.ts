// The shape of an explanation.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { minorOut, timestamp } from '../../platform/http/shapes.ts'
import type { EntryId } from '../ledger/postings.ts'
import { LedgerEntry } from '../schema.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [1204] } })
const part = z.int().nullable().meta({ description: 'Null where the model did not say.' })
const exact = (description: string) => z.string().meta({ description, examples: ['108.36'] })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal; empty before the first movement.' })

export const EntryParams = z.object({
  id: z.custom<EntryId>((value) => typeof value === 'string' && isId('led', value)),
})

const Metered = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  tokens: count,
  billedTokens: count.meta({ description: 'Fewer than `tokens` where more was used than was reserved.' }),
  promptTokens: part,
  outputTokens: part,
  cachedTokens: part.meta({ description: 'Part of the prompt. Null where the model did not say.' }),
  reasoningTokens: part.meta({ description: 'Part of the output. Null where the model did not say.' }),
  priceKoboPer1m: count.meta({ description: 'As it was when the money was reserved.' }),
  rateCard: z.string(),
  rate: z
    .object({ numerator: z.string(), denominator: z.string() })
    .meta({ description: 'Minor units of your currency for one kobo.' }),
  exactKobo: exact('What the billed tokens are worth, without rounding.'),
  runBeforeMinor: minorOut.meta({ description: 'What the run had cost before this turn, rounded up.' }),
  runAfterMinor: minorOut.meta({ description: 'What it had cost after it, rounded up.' }),
  costMinor: minorOut.meta({ description: 'The difference: over a run there is one rounding.' }),
  steps: z.array(z.string()).meta({ description: 'The calculation in words, to be followed by hand.' }),
  recomputed: z.boolean().meta({
    description: 'Whether the calculation, done anew for this answer, gives what was charged.',
  }),
})

export const EntryExplanation = z.object({
  entry: LedgerEntry,
  explanation: z.object({
    kind: z.enum(['metered', 'topup', 'refund', 'adjustment', 'subscription', 'reversal']),
    summary: z.string().meta({ examples: ['1,204 tokens on the open lane at ₦900.00 per million: ₦1.09.'] }),
    metered: Metered.nullable(),
    hold: z
      .object({
        id: z.string(),
        reservedMinor: minorOut,
        includedMinor: minorOut.meta({ description: 'The part that was reserved of your plan’s allowance.' }),
        reservedAt: timestamp,
        deadline: timestamp,
      })
      .nullable(),
    settlement: z
      .object({
        chargedMinor: minorOut,
        fromIncludedMinor: minorOut,
        fromWalletMinor: minorOut.meta({ description: 'The amount of the entry.' }),
        releasedMinor: minorOut.meta({ description: 'What was reserved and not used.' }),
        at: timestamp,
      })
      .nullable(),
    payment: z
      .object({
        reference: z.string().meta({ description: 'Look it up at GET /wallet/topups.' }),
        rail: z.string().nullable().meta({ description: 'Null where the money did not come from a rail.' }),
        at: timestamp,
      })
      .nullable(),
  }),
  chain: z.object({ seq: count, hash, previousHash: hash }),
})
