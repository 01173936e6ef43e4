// Schemas of refunds to the payer.
import { z } from 'zod'
import { minorOut, timestamp } from '../../platform/http/shapes.ts'

export const SourceRefundState = z.enum(['requested', 'sent', 'unclear', 'done', 'failed']).meta({
  description:
    '`unclear`: staff look into it; `done`: the payer has the money; `failed`: the wallet has it again.',
})

export const SourceRefund = z
  .object({
    id: z.string(),
    amountMinor: minorOut,
    reason: z.string(),
    state: SourceRefundState,
    providerId: z.string().nullable().meta({ description: 'The number of the refund at the provider.' }),
    detail: z.string().nullable().meta({ description: 'The last message of the provider.' }),
    createdAt: timestamp,
    sentAt: timestamp.nullable(),
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'SourceRefund' })
