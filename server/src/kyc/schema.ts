// Request and reply schemas of business verification.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { email, line, pageQuery, queryTime, text, timestamp } from '../platform/http/shapes.ts'

const status = z.enum(['unsubmitted', 'pending', 'verified', 'rejected'])

export const SubmitBody = z.object({
  businessName: line(200),
  registrationNumber: line(100, 0).optional(),
  contactEmail: email.optional().meta({ description: 'Receives the decision by mail, as the owners do.' }),
  documentRef: line(500, 0)
    .optional()
    .meta({ description: 'A reference to the documents, not the documents themselves.' }),
})

export const SubmitReply = z.object({ ok: z.literal(true), status: z.literal('pending') })

export const KycRecord = z
  .object({
    orgId: z.string(),
    orgName: z.string(),
    businessName: z.string(),
    registrationNumber: z.string().meta({
      description: 'Empty when not submitted. The same applies to `contactEmail` and `documentRef`.',
    }),
    contactEmail: z.string(),
    documentRef: z.string(),
    reviewerNotes: z.string().meta({ description: 'Notes of the reviewer. Empty before the review.' }),
    status,
    submittedAt: timestamp,
    reviewedAt: timestamp.nullable(),
  })
  .meta({ id: 'KycRecord' })

export const OwnKyc = z.object({ status, record: KycRecord.nullable() })

export const KycQuery = z.object({
  status: z.enum(['pending', 'verified', 'rejected', 'all']).default('all'),
  ...pageQuery(),
})

export const KycPage = z.object({ records: z.array(KycRecord), nextCursor: z.string().nullable() })

export const ReviewParams = z.object({
  orgId: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})

export const ReviewBody = z.object({
  status: z.enum(['verified', 'rejected']),
  notes: text(2000, 0).optional().meta({ description: 'The organisation can read these notes.' }),
  submittedAt: queryTime.optional().meta({
    description:
      'The `submittedAt` of the record you read. The review fails if the organisation has submitted again since.',
  }),
})

export const ReviewReply = z.object({ ok: z.literal(true), record: KycRecord })
