// The shapes of the wallet's routes.
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
] as const

const currency = z.enum(currencies)
const whole = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal; empty before the first movement.' })

export const Wallet = z
  .object({
    balanceMinor: minorOut.meta({ description: 'What you own.' }),
    heldMinor: minorOut.meta({ description: 'The part of it that work in progress has reserved.' }),
    availableMinor: minorOut.meta({
      description: 'What is free for new work: the balance without what is held.',
    }),
    currency,
    includedRemainingMinor: minorOut.meta({
      description: 'What your plan still includes; it is spent before the balance.',
    }),
  })
  .meta({ id: 'Wallet' })

export const LedgerEntry = z
  .object({
    id: z.string(),
    type: z.enum(['credit', 'debit']),
    amountMinor: minorOut.meta({ description: 'Never negative; `type` says which way.' }),
    source: z.enum(SOURCES),
    ref: z.string().meta({ description: 'What it was for: a payment, a run, a message.' }),
    balanceAfterMinor: minorOut,
    createdAt: timestamp,
  })
  .meta({ id: 'LedgerEntry' })

export const LedgerQuery = z.object({
  orgId: orgIdQuery,
  source: z.enum(SOURCES).optional(),
  type: z.enum(['credit', 'debit']).optional(),
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Not included.' }),
  ...pageQuery(),
})

export const LedgerPage = z.object({ entries: z.array(LedgerEntry), nextCursor: z.string().nullable() })

export const ProofQuery = z.object({
  from: queryInteger(1, SEQ_MAX)
    .optional()
    .meta({ description: 'Check the movements up to this number instead of the newest.' }),
})

export const Proof = z.object({
  currency,
  balanceMinor: minorOut,
  heldMinor: minorOut,
  includedRemainingMinor: minorOut,
  movements: whole.meta({ description: 'How many there are.' }),
  sums: z
    .object({ creditsMinor: minorOut, debitsMinor: minorOut, netMinor: minorOut })
    .meta({ description: 'Of all movements; the net is the balance.' }),
  matches: z
    .boolean()
    .meta({ description: 'Balance, held and included are what movements and open holds sum up to.' }),
  holdsOpen: whole,
  heldByHoldsMinor: minorOut,
  head: z.object({ seq: whole, hash }).meta({
    description: 'The end of the chain; keep it to prove later that nothing was changed before it.',
  }),
  checked: z.object({
    fromSeq: whole,
    toSeq: whole,
    intact: z.boolean(),
    brokenAt: whole
      .nullable()
      .meta({ description: 'The first movement that is missing or not what was written.' }),
    olderFrom: whole
      .nullable()
      .meta({ description: 'Pass it as `from` to check the movements before these.' }),
  }),
})

export const MovementsQuery = z.object({
  after: queryInteger(0, SEQ_MAX)
    .default(0)
    .meta({ description: 'The number of the last movement you have.' }),
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
      createdAtMicros: whole.meta({ description: 'Microseconds since 1970, as they are hashed.' }),
      hash,
    }),
  ),
  nextAfter: whole.nullable(),
})

export const WalletSettingsReply = z.object({
  lowBalanceThresholdMinor: minorOut.meta({
    description: 'Owners and admins get one mail when the balance falls below it.',
  }),
  currency,
})

export const WalletSettingsEdit = z.object({ lowBalanceThresholdMinor: minor(0n, THRESHOLD_MAX) })
