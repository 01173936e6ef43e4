// Request and reply shapes of the verification of businesses.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { email, line, pageQuery, queryTime, text, timestamp } from '../platform/http/shapes.ts'

const status = z.enum(['unsubmitted', 'pending', 'verified', 'rejected'])

export const SubmitBody = z.object({
  businessName: line(200),
  registrationNumber: line(100, 0).optional(),
  contactEmail: email.optional().meta({ description: 'Is told the outcome, besides the owners.' }),
  documentRef: line(500, 0)
    .optional()
    .meta({ description: 'Where the documents can be found: a reference, not the documents themselves.' }),
})

export const SubmitReply = z.object({ ok: z.literal(true), status: z.literal('pending') })

export const KycRecord = z
  .object({
    orgId: z.string(),
    orgName: z.string(),
    businessName: z.string(),
    registrationNumber: z.string().meta({ description: 'Empty when none was given, as are the next two.' }),
    contactEmail: z.string(),
    documentRef: z.string(),
    reviewerNotes: z.string().meta({ description: 'What the reviewer wrote; empty until then.' }),
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
  notes: text(2000, 0).optional().meta({ description: 'For the organisation to read.' }),
  submittedAt: queryTime.optional().meta({
    description:
      'That of the record you looked at: what was submitted anew since then is not reviewed unseen.',
  }),
})

export const ReviewReply = z.object({ ok: z.literal(true), record: KycRecord })
