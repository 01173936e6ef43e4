// Routes of refunds to the card or phone that paid.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { line, minor, minorOut, ok, timestamp, words } from '../../platform/http/shapes.ts'
import { PaymentParams } from '../admin/admin-payments-schema.ts'
import { decideRefund } from './decide.ts'
import { requestSourceRefund } from './request.ts'
import { SourceRefundState } from './schema.ts'
import type { SourceRefundId } from './sql.ts'

const ROLES = ['billing', 'operator', 'super_admin'] as const

const RefundParams = z.object({
  id: z.custom<SourceRefundId>((value) => typeof value === 'string' && isId('srf', value)),
})

export const sourceRefundRoutes = [
  route('admin.payments.refundToSource', 'POST /admin/payments/{reference}/refund-to-source', {
    summary: 'Return money of a top-up to the card, account or phone that paid.',
    detail:
      'The money is frozen in the wallet until the provider has paid or refused. A payment has one undecided refund at a time; GET /admin/payments/{reference} shows it.',
    access: { staff: ROLES },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: PaymentParams,
    body: z
      .object({
        amountMinor: minor(1n),
        reason: words(500).meta({ description: 'Stored in the audit log, and printed on the credit note.' }),
      })
      .meta({ examples: [{ amountMinor: 50_000, reason: 'Paid twice' }] }),
    reply: {
      200: ok.extend({
        id: z.string(),
        reference: z.string(),
        state: SourceRefundState,
        amountMinor: minorOut,
        requestedAt: timestamp,
      }),
    },
    errors: [
      'approval_required',
      'already_decided',
      'forbidden',
      'payment_not_settled',
      'refund_exceeds_balance',
      'refund_exceeds_captured',
      'refund_in_progress',
      'refund_not_supported',
    ],
    handle: ({ app, actor, params, body, once, request }) =>
      requestSourceRefund(app, actor, params.reference, body, once, request.address),
  }),

  route('admin.payments.decideRefund', 'POST /admin/source-refunds/{id}/decide', {
    summary: 'Decide a refund to the payer that the provider does not decide.',
    detail:
      '`returned` debits the frozen money, `not_returned` releases it. Only an unclear refund can be decided.',
    access: { staff: ROLES },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: RefundParams,
    body: z.object({
      decision: z.enum(['returned', 'not_returned']),
      providerId: line(150)
        .optional()
        .meta({ description: 'The number of the refund at the provider, if it has one.' }),
      note: words(500).meta({ description: 'The finding at the provider. Stored in the audit log.' }),
    }),
    reply: { 200: ok.extend({ id: z.string(), state: SourceRefundState }) },
    errors: ['forbidden', 'already_decided'],
    handle: ({ app, actor, params, body, once, request }) =>
      decideRefund(app, actor, params.id, body, once, request.address),
  }),
]
