// Schemas of the staff routes of payments.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { minor, minorOut, ok, pageQuery, timestamp, words } from '../../platform/http/shapes.ts'
import { SourceRefund } from '../refunds/schema.ts'
import { ATTEMPT_OUTCOMES } from '../sql/payment-attempts.ts'

const status = z.enum(['pending', 'settled', 'failed', 'expired', 'review'])

export const AdminPayment = z
  .object({
    reference: z.string(),
    orgId: z.string(),
    orgName: z.string(),
    userId: z.string(),
    channel: z.string(),
    rail: z.string(),
    account: z.string().nullable().meta({ description: 'The provider account, by country.' }),
    mode: z.enum(['live', 'mock']),
    status,
    reason: z.string().nullable(),
    amountMinor: minorOut,
    saidMinor: minorOut.nullable().meta({
      description: 'The amount that the provider reported, for payments that are or were under review.',
    }),
    capturedMinor: minorOut,
    refundedMinor: minorOut,
    returnedMinor: minorOut.meta({
      description: 'The amount that the provider returned to the payer in part.',
    }),
    refundingMinor: minorOut.meta({
      description: 'The amount of a refund to the payer that the provider has not decided.',
    }),
    disputedMinor: minorOut.meta({ description: 'The disputed amount that the bank has not decided.' }),
    repeatOf: z
      .string()
      .nullable()
      .meta({ description: 'The payment whose reference the payer paid a second time.' }),
    currency: z.string(),
    email: z.string(),
    providerRef: z.string().nullable(),
    transactionId: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
    settledAt: timestamp.nullable(),
    reversedAt: timestamp.nullable(),
    decidedAt: timestamp.nullable().meta({ description: 'When staff decided a review.' }),
    nextCheckAt: timestamp.nullable().meta({ description: 'The next check with the provider.' }),
    checks: z.int(),
    events: z.int().meta({ description: 'The number of webhook events.' }),
  })
  .meta({ id: 'AdminPayment' })

export const PaymentsQuery = z.object({
  status: status.optional(),
  orgId: z
    .custom<OrgId>((value) => typeof value === 'string' && isId('org', value), {
      error: 'must be the id of an organisation',
    })
    .meta({ wire: { type: 'string' } })
    .optional(),
  ...pageQuery(),
})
export const PaymentsPage = z.object({ payments: z.array(AdminPayment), nextCursor: z.string().nullable() })

export const PaymentParams = z.object({ reference: z.string().regex(/^[a-z0-9]{8,32}$/) })

const PaymentEvent = z.object({
  id: z.string(),
  kind: z.string(),
  verdict: z.string().nullable().meta({ description: 'The result; null until the event is processed.' }),
  times: z.int().meta({ description: 'How often the same event arrived.' }),
  sourceIp: z.string(),
  raw: z.string().meta({ description: 'The received body, with phone numbers masked.' }),
  receivedAt: timestamp,
  processedAt: timestamp.nullable(),
})

const PaymentAttempt = z.object({
  position: z.int(),
  rail: z.string(),
  account: z.string(),
  outcome: z.enum(ATTEMPT_OUTCOMES).meta({
    description:
      '`started`: no answer yet; `refused`: the account cannot take it; `rejected`: the payment cannot be taken; `unsent`: it never reached the provider; `known`: the provider had it already; `unknown`: the provider may have it.',
  }),
  providerRef: z.string().nullable(),
  detail: z.string().nullable().meta({ description: 'The provider’s code and message.' }),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
})

export const PaymentDetail = z.object({
  payment: AdminPayment,
  phone: z.string().nullable().meta({ description: 'Masked.' }),
  attempts: z
    .array(PaymentAttempt)
    .meta({ description: 'The accounts that were asked to collect it, in their order.' }),
  sourceRefunds: z.array(SourceRefund).meta({ description: 'Refunds to the payer, oldest first.' }),
  refundObstacle: z
    .string()
    .nullable()
    .meta({ description: 'Why the payment cannot be refunded to the payer here; null if it can.' }),
  events: z.array(PaymentEvent).meta({ description: 'Newest first, at most 100.' }),
})

export const Resolution = z.object({
  decision: z.enum(['credit', 'reject']).meta({
    description:
      '`credit` adds `amountMinor`. Default: the amount that the provider reported, else the expected amount.',
  }),
  amountMinor: minor(1n).optional().meta({
    description:
      'With `credit`: the amount received, in the currency of the payment. At most the amount that the provider reported; credit more as an adjustment.',
  }),
  note: words(500).meta({ description: 'The reason. Stored in the audit log.' }),
})

export const Resolved = z.object({
  ok: z.literal(true),
  reference: z.string(),
  status,
  creditedMinor: minorOut,
  balanceMinor: minorOut,
})

export const NoBody = z.object({})
export const CheckedNow = ok.extend({
  reference: z.string(),
  status,
  creditedMinor: minorOut,
  balanceMinor: minorOut,
  answer: z
    .enum(['paid', 'pending', 'failed', 'reversed', 'unknown'])
    .meta({ description: 'The provider’s status; `unknown` when it gave no usable answer.' }),
})
