// Routes of payment cases.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { minorOut, ok, pageQuery, timestamp, words } from '../../platform/http/shapes.ts'
import type { CaseId } from '../sql/payment-cases.ts'
import { listCases, resolveCase } from './cases.ts'

const PaymentCase = z
  .object({
    id: z.string(),
    kind: z
      .enum([
        'shortfall',
        'dispute',
        'unclear_return',
        'unread_message',
        'reconciliation',
        'refund',
        'paybill',
      ])
      .meta({
        description:
          '`shortfall`: returned money could not be taken from the wallet; `dispute`: the payer’s bank has not decided; `unclear_return`: the provider does not say how much it returned; `unread_message`: a webhook about a return names no known payment; `reconciliation`: the provider’s list differs from our payments; `refund`: the provider does not finish a refund to the payer; `paybill`: a payment by hand in M-Pesa was not credited.',
      }),
    orgId: z.string().nullable(),
    reference: z.string().nullable().meta({ description: 'The payment.' }),
    amountMinor: minorOut.nullable().meta({ description: 'The missing or disputed amount.' }),
    currency: z.string().nullable(),
    summary: z.string(),
    evidence: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'Of a reconciliation: the difference, the provider’s item and our payment. Of the paybill: the receipt.',
    }),
    openedAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolvedBy: z
      .string()
      .nullable()
      .meta({ description: 'Null where the provider’s decision closed the case.' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'PaymentCase' })

const CasesQuery = z.object({
  status: z.enum(['open', 'resolved']).optional(),
  reference: z
    .string()
    .regex(/^[a-z0-9]{8,32}$/)
    .optional(),
  ...pageQuery(),
})
const CaseParams = z.object({
  id: z.custom<CaseId>((value) => typeof value === 'string' && isId('pcs', value)),
})

export const caseRoutes = [
  route('admin.paymentCases.list', 'GET /admin/payment-cases', {
    summary: 'List refunds, disputes and webhooks that need attention, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: CasesQuery,
    reply: { 200: z.object({ cases: z.array(PaymentCase), nextCursor: z.string().nullable() }) },
    handle: ({ app, query }) => listCases(app, query),
  }),

  route('admin.paymentCases.resolve', 'POST /admin/payment-cases/{id}/resolve', {
    summary: 'Close a case with a note.',
    detail:
      'A case is closed once. Only a super admin can close a case of an organisation that they belong to.',
    access: { staff: ['billing', 'operator', 'super_admin'] },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: CaseParams,
    body: z.object({
      note: words(500).meta({ description: 'Findings and actions. Stored in the audit log.' }),
    }),
    reply: { 200: ok.extend({ id: z.string() }) },
    errors: ['forbidden', 'already_decided'],
    handle: ({ actor, params, body, once, request }) =>
      resolveCase(actor, params.id, body.note, once, request.address),
  }),
]
