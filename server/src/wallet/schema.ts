// Request and response schemas of the wallet routes.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import {
  minor,
  minorOut,
  orgIdQuery,
  pageQuery,
  queryInteger,
  queryTime,
  timestamp,
} from '../platform/http/shapes.ts'

const SEQ_MAX = 1_000_000_000_000_000 - 1
const THRESHOLD_MAX = 100_000_000_000n
const SOURCES = [
  'topup',
  'agent',
  'chat',
  'index',
  'research',
  'review',
  'gateway',
  'refund',
  'adjustment',
  'subscription',
  'trial',
] as const

const currency = z.enum(currencies)
const whole = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal; empty before the first posting.' })

export const Wallet = z
  .object({
    balanceMinor: minorOut.meta({ description: 'The balance of the wallet, including held money.' }),
    heldMinor: minorOut.meta({ description: 'The part of the balance that running work has reserved.' }),
    availableMinor: minorOut.meta({
      description: 'The money that new work can use: the balance without `heldMinor`.',
    }),
    currency,
    includedRemainingMinor: minorOut.meta({
      description: 'The remaining allowance of your plan. It is spent before the balance.',
    }),
    trialMinor: minorOut.meta({
      description:
        'The part of the balance that is trial credit. It pays for work before your own money, and for nothing else. It cannot be withdrawn.',
    }),
    trialExpiresAt: timestamp.nullable().meta({ description: 'Null without trial credit.' }),
  })
  .meta({ id: 'Wallet' })

export const LedgerEntry = z
  .object({
    id: z.string(),
    type: z.enum(['credit', 'debit']),
    amountMinor: minorOut.meta({ description: 'Never negative. `type` tells credit from debit.' }),
    source: z.enum(SOURCES),
    ref: z.string().meta({ description: 'The payment, run or message that caused the entry.' }),
    balanceAfterMinor: minorOut,
    createdAt: timestamp,
  })
  .meta({ id: 'LedgerEntry' })

export const LedgerQuery = z.object({
  orgId: orgIdQuery,
  source: z.enum(SOURCES).optional(),
  type: z.enum(['credit', 'debit']).optional(),
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Exclusive.' }),
  ...pageQuery(),
})

export const LedgerPage = z.object({ entries: z.array(LedgerEntry), nextCursor: z.string().nullable() })

export const ProofQuery = z.object({
  from: queryInteger(1, SEQ_MAX)
    .optional()
    .meta({ description: 'Check the postings up to this number instead of the newest.' }),
})

export const Proof = z.object({
  currency,
  balanceMinor: minorOut,
  heldMinor: minorOut,
  includedRemainingMinor: minorOut,
  movements: whole.meta({ description: 'The number of postings.' }),
  sums: z
    .object({ creditsMinor: minorOut, debitsMinor: minorOut, netMinor: minorOut })
    .meta({ description: 'The sums of all postings. The net is the balance.' }),
  matches: z.boolean().meta({
    description: 'Whether balance, held and included money equal the sums of postings and open holds.',
  }),
  holdsOpen: whole,
  heldByHoldsMinor: minorOut,
  head: z.object({ seq: whole, hash }).meta({
    description: 'The end of the hash chain. Keep it to prove later that nothing before it was changed.',
  }),
  transparencyName: z.string().nullable().meta({
    description:
      'The name of this chain in the transparency log. Others cannot tell that it is yours. Null where the log is off.',
  }),
  checked: z.object({
    fromSeq: whole,
    toSeq: whole,
    intact: z.boolean(),
    brokenAt: whole.nullable().meta({ description: 'The first posting that is missing or was changed.' }),
    olderFrom: whole
      .nullable()
      .meta({ description: 'Pass it as `from` to check the postings before these.' }),
  }),
})

export const MovementsQuery = z.object({
  after: queryInteger(0, SEQ_MAX)
    .default(0)
    .meta({ description: 'The number of the last posting you have.' }),
  limit: queryInteger(1, 1000).default(200),
})

export const MovementsPage = z.object({
  movements: z.array(
    z.object({
      seq: whole,
      id: z.string(),
      kind: z.string(),
      freeMinor: minorOut,
      heldMinor: minorOut,
      includedMinor: minorOut,
      includedHeldMinor: minorOut,
      revenueMinor: minorOut,
      allowanceMinor: minorOut,
      account: z.string().nullable(),
      accountMinor: minorOut,
      source: z.string(),
      ref: z.string(),
      balanceAfterMinor: minorOut,
      cause: z.string().nullable(),
      holdId: z.string().nullable(),
      createdAt: timestamp,
      createdAtMicros: whole.meta({ description: 'Microseconds since 1970, as used in the hash.' }),
      hash,
    }),
  ),
  nextAfter: whole.nullable(),
})

export const WalletSettingsReply = z.object({
  lowBalanceThresholdMinor: minorOut.meta({
    description: 'Owners and admins get one email when the balance falls below it.',
  }),
  currency,
})

export const WalletSettingsEdit = z.object({ lowBalanceThresholdMinor: minor(0n, THRESHOLD_MAX) })
