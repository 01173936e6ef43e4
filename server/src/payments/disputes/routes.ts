// Routes of the dispute desk.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { line, ok, pageQuery, words } from '../../platform/http/shapes.ts'
import { answerDispute } from './answer.ts'
import { listDisputes, showDispute } from './desk.ts'
import { Dispute, DisputeAnswer, DisputeEvidence } from './schema.ts'
import type { DisputeId } from './sql.ts'

const ROLES = ['billing', 'operator', 'super_admin'] as const

const DisputeParams = z.object({
  id: z.custom<DisputeId>((value) => typeof value === 'string' && isId('dsp', value)),
})
const Answered = ok.extend({ id: z.string(), answer: DisputeAnswer })
const message = words(1000).meta({ description: 'Sent to the provider, and stored in the audit log.' })

export const disputeRoutes = [
  route('admin.disputes.list', 'GET /admin/disputes', {
    summary: 'List disputes of payers with their banks: undecided ones by deadline.',
    access: { staff: 'any' },
    rate: 'global',
    query: z.object({
      status: z.enum(['open', 'decided']).default('open'),
      ...pageQuery(),
    }),
    reply: { 200: z.object({ disputes: z.array(Dispute), nextCursor: z.string().nullable() }) },
    handle: ({ app, query }) => listDisputes(app, query),
  }),

  route('admin.disputes.get', 'GET /admin/disputes/{id}', {
    summary: 'Get one dispute with the evidence from our records.',
    access: { staff: 'any' },
    rate: 'global',
    params: DisputeParams,
    reply: {
      200: z.object({
        dispute: Dispute,
        evidence: DisputeEvidence,
        answerObstacle: z.string().nullable().meta({ description: 'Why it cannot be answered here.' }),
      }),
    },
    handle: ({ app, params }) => showDispute(app, params.id),
  }),

  route('admin.disputes.contest', 'POST /admin/disputes/{id}/evidence', {
    summary: 'Contest a dispute: send the evidence to the provider.',
    access: { staff: ROLES },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: DisputeParams,
    body: z.object({
      message,
      serviceDetails: z.string().trim().min(1).max(5000).optional().meta({
        description: 'The purchase and its use. Default: `evidence.serviceDetails`.',
      }),
      customerPhone: line(30).optional().meta({ description: 'Paystack asks for it where it is known.' }),
    }),
    reply: { 200: Answered },
    errors: ['forbidden', 'already_decided', 'dispute_answer_refused', 'rail_unavailable'],
    handle: ({ app, actor, params, body, once, request }) =>
      answerDispute(app, actor, params.id, { kind: 'contested', ...body }, once, request.address),
  }),

  route('admin.disputes.accept', 'POST /admin/disputes/{id}/accept', {
    summary: 'Accept a dispute: the payer gets the disputed amount back.',
    detail: 'The frozen money is debited when the provider confirms the refund.',
    access: { staff: ROLES },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: DisputeParams,
    body: z.object({ message }),
    reply: { 200: Answered },
    errors: [
      'approval_required',
      'forbidden',
      'already_decided',
      'dispute_answer_refused',
      'rail_unavailable',
    ],
    handle: ({ app, actor, params, body, once, request }) =>
      answerDispute(app, actor, params.id, { kind: 'accepted', ...body }, once, request.address),
  }),
]
