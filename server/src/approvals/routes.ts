// Routes of approvals.
import { z } from 'zod'
import { isId } from '../kernel/ids.ts'
import { route } from '../platform/http/route.ts'
import { minorOut, ok, pageQuery, timestamp, words } from '../platform/http/shapes.ts'
import { APPROVERS } from './approver-mail.ts'
import { decideApproval, listApprovals } from './decide.ts'
import type { ApprovalId } from './sql.ts'

const Approval = z
  .object({
    id: z.string(),
    kind: z.string().meta({ description: 'The operation, such as `wallet.refund`.' }),
    orgId: z.string(),
    orgName: z.string(),
    reference: z.string().nullable().meta({ description: 'The payment.' }),
    amountMinor: minorOut,
    currency: z.string(),
    reason: z.string(),
    requestedBy: z.string(),
    requestedAt: timestamp,
    expiresAt: timestamp,
    state: z.enum(['pending', 'approved', 'rejected', 'void', 'expired']).meta({
      description: '`void`: the requester lost or changed the tier before the approval.',
    }),
    decidedBy: z.string().nullable(),
    decidedAt: timestamp.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Approval' })

const ApprovalsQuery = z.object({ status: z.enum(['pending', 'all']).default('pending'), ...pageQuery() })
const ApprovalParams = z.object({
  id: z.custom<ApprovalId>((value) => typeof value === 'string' && isId('apr', value)),
})

export const approvalRoutes = [
  route('admin.approvals.list', 'GET /admin/approvals', {
    summary: 'List money actions that wait for a second member of staff, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: ApprovalsQuery,
    reply: { 200: z.object({ approvals: z.array(Approval), nextCursor: z.string().nullable() }) },
    handle: ({ app, query }) => listApprovals(app, query),
  }),

  route('admin.approvals.decide', 'POST /admin/approvals/{id}/decide', {
    summary: 'Approve or reject a money action of another member of staff.',
    detail:
      'An approved action is executed at once, with all its checks. If one fails, the request stays open. Requesters can only withdraw theirs, by rejecting it.',
    access: { staff: APPROVERS },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: ApprovalParams,
    body: z.object({ decision: z.enum(['approve', 'reject']), note: words(500).optional() }),
    reply: { 200: ok.extend({ id: z.string(), state: z.enum(['approved', 'rejected', 'void']) }) },
    errors: [
      'forbidden',
      'already_decided',
      'payment_not_in_review',
      'payment_not_settled',
      'refund_exceeds_balance',
      'refund_exceeds_captured',
      'refund_in_progress',
      'refund_not_supported',
      'transaction_used',
      'wallet_full',
      'invalid_fields',
      'dispute_answer_refused',
      'not_configured',
    ],
    handle: ({ app, actor, params, body, once, request }) =>
      decideApproval(app, actor, params.id, body, once, request.address),
  }),
]
