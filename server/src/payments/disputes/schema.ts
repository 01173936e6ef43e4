// Schemas of disputes.
import { z } from 'zod'
import { minorOut, timestamp } from '../../platform/http/shapes.ts'

export const DisputeAnswer = z.enum(['contested', 'accepted'])

export const Dispute = z
  .object({
    id: z.string(),
    reference: z.string().meta({ description: 'The payment.' }),
    providerId: z.string().meta({ description: 'The number of the dispute at the provider.' }),
    orgId: z.string(),
    orgName: z.string(),
    rail: z.string(),
    channel: z.string(),
    currency: z.string(),
    amountMinor: minorOut,
    state: z.enum(['frozen', 'kept', 'taken', 'reversed']).meta({
      description: '`frozen`: undecided; `kept`: won; `taken` and `reversed`: the payer has the money.',
    }),
    openedAt: timestamp,
    decidedAt: timestamp.nullable(),
    dueAt: timestamp.nullable().meta({ description: 'The deadline of the provider for an answer.' }),
    answer: DisputeAnswer.nullable(),
    message: z.string().nullable(),
    answeredAt: timestamp.nullable().meta({ description: 'When the provider confirmed it.' }),
  })
  .meta({ id: 'PaymentDispute' })

export const DisputeEvidence = z
  .object({
    customer: z.object({
      orgId: z.string(),
      orgName: z.string(),
      userId: z.string(),
      name: z.string().nullable(),
      email: z.string(),
    }),
    payment: z.object({
      reference: z.string(),
      channel: z.string(),
      rail: z.string(),
      transactionId: z.string().nullable(),
      currency: z.string(),
      capturedMinor: minorOut,
      createdAt: timestamp,
      settledAt: timestamp,
    }),
    invoice: z.object({ number: z.string(), receiptUrl: z.string() }).nullable(),
    signIns: z
      .array(z.object({ at: timestamp, ip: z.string().nullable(), method: z.string().nullable() }))
      .meta({ description: 'After the payment, newest first, at most 50.' }),
    usage: z
      .array(
        z.object({
          source: z.string(),
          charges: z.int(),
          amountMinor: minorOut,
          firstAt: timestamp,
          lastAt: timestamp,
        }),
      )
      .meta({ description: 'After the payment, by kind of work.' }),
    balanceMinor: minorOut,
    heldMinor: minorOut,
    serviceDetails: z.string().meta({ description: 'The prepared text for the bank.' }),
  })
  .meta({ id: 'DisputeEvidence' })
