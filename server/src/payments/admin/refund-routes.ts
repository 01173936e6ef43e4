// Route of refunds and adjustments.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { line, minor, minorOut, text } from '../../platform/http/shapes.ts'
import { LedgerEntry } from '../../wallet/wallet.ts'
import { refund } from './refund.ts'

const RefundRequest = z
  .object({
    orgId: text(100),
    amountMinor: minor(1n),
    reason: z.string().trim().min(1).max(500).meta({
      description: 'Stored in the audit log of the organisation, and printed on the credit note of a refund.',
    }),
    source: z.enum(['refund', 'adjustment']).default('refund'),
    reference: line(200).optional().meta({
      description: 'The settled payment. Required for a refund, informational for an adjustment.',
    }),
  })
  .meta({
    examples: [{ orgId: 'org_…', amountMinor: 50_000, reason: 'Paid twice', source: 'adjustment' }],
  })

const Refunded = z.object({
  ok: z.literal(true),
  entry: LedgerEntry,
  balanceMinor: minorOut,
  creditNote: z
    .object({ id: z.string(), number: z.string(), receiptUrl: z.string() })
    .nullable()
    .meta({ description: 'The credit note on the invoice of a refunded payment. Null for an adjustment.' }),
})

export const refundRoutes = [
  route('wallet.refund', 'POST /wallet/refund', {
    summary: 'Credit a wallet: refund a payment, or adjust the balance.',
    detail:
      'A refund refers to a settled payment and is limited to its captured amount, net of earlier refunds. An adjustment has no such limit. Only a super admin can credit their own organisation.',
    access: { staff: ['billing', 'operator', 'super_admin'] },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    body: RefundRequest,
    reply: { 200: Refunded },
    errors: [
      'approval_required',
      'already_decided',
      'not_found',
      'forbidden',
      'payment_not_settled',
      'refund_exceeds_captured',
      'wallet_full',
    ],
    handle: ({ app, actor, body, once, request }) => refund(app, actor, body, once, request.address),
  }),
]
