// Shapes of what staff see of payments and decide about them.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { minor, minorOut, ok, pageQuery, timestamp, words } from '../../platform/http/shapes.ts'

const status = z.enum(['pending', 'settled', 'failed', 'expired', 'review'])

export const AdminPayment = z
  .object({
    reference: z.string(),
    orgId: z.string(),
    orgName: z.string(),
    userId: z.string(),
    channel: z.string(),
    rail: z.string(),
    account: z
      .string()
      .nullable()
      .meta({ description: 'Which of the provider’s accounts took it: its country.' }),
    mode: z.enum(['live', 'mock']),
    status,
    reason: z.string().nullable(),
    amountMinor: minorOut,
    saidMinor: minorOut
      .nullable()
      .meta({ description: 'What the provider said came, for what is or was under review.' }),
    capturedMinor: minorOut,
    refundedMinor: minorOut,
    returnedMinor: minorOut.meta({ description: 'What the provider gave back to the payer in part.' }),
    disputedMinor: minorOut.meta({ description: 'What the payer disputes and the bank has not decided.' }),
    repeatOf: z
      .string()
      .nullable()
      .meta({ description: 'The payment under whose reference the payer paid once more.' }),
    currency: z.string(),
    email: z.string(),
    providerRef: z.string().nullable(),
    transactionId: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
    settledAt: timestamp.nullable(),
    reversedAt: timestamp.nullable(),
    decidedAt: timestamp.nullable().meta({ description: 'When staff decided a review.' }),
    nextCheckAt: timestamp.nullable().meta({ description: 'When the provider is asked again.' }),
    checks: z.int(),
    events: z.int().meta({ description: 'Messages of the provider about it.' }),
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
  verdict: z.string().nullable().meta({ description: 'What came of it; null until it was worked on.' }),
  times: z.int().meta({ description: 'How often the same message came.' }),
  sourceIp: z.string(),
  raw: z.string().meta({ description: 'As it came, with phone numbers masked.' }),
  receivedAt: timestamp,
  processedAt: timestamp.nullable(),
})

export const PaymentDetail = z.object({
  payment: AdminPayment,
  phone: z.string().nullable().meta({ description: 'Masked.' }),
  events: z.array(PaymentEvent).meta({ description: 'The newest first, at most 100.' }),
})

export const Resolution = z.object({
  decision: z.enum(['credit', 'reject']).meta({
    description:
      '`credit` adds `amountMinor`; where that is left out, what the provider said came, else what was expected.',
  }),
  amountMinor: minor(1n).optional().meta({
    description:
      'With `credit`: what really came, in the currency of the payment; at most what the provider said. More than that is an adjustment.',
  }),
  note: words(500).meta({ description: 'Why: kept in the audit log.' }),
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
    .meta({ description: 'What the provider said; `unknown` when it gave no usable answer.' }),
})
