// Routes of payments by hand at the M-Pesa paybill.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { minorOut, ok, words } from '../../platform/http/shapes.ts'
import type { CaseId } from '../sql/payment-cases.ts'
import { showPaybill } from './accounts.ts'
import { assignReceipt } from './assign.ts'
import {
  authenticatePaybill,
  confirmPayment,
  receiveAnswer,
  receiveTimeout,
  validatePayment,
} from './callbacks.ts'
import { registerUrls } from './register.ts'

const Paybill = z
  .object({
    paybill: z.string().nullable().meta({ description: 'The number of the paybill.' }),
    account: z.string().nullable().meta({
      description: 'The account number of your organisation. Case, spaces and hyphens do not matter.',
    }),
    mode: z.literal('live').nullable(),
  })
  .meta({ id: 'Paybill' })

const RESPONSE_TYPES = ['Completed', 'Cancelled'] as const

const Registration = z.object({
  responseType: z.enum(RESPONSE_TYPES).default('Completed').meta({
    description:
      'While validation does not answer, `Completed` lets payments arrive and `Cancelled` refuses them.',
  }),
})
const Registered = z.object({
  ok: z.boolean().meta({ description: 'Whether M-Pesa accepted the URLs.' }),
  shortcode: z.string(),
  responseType: z.enum(RESPONSE_TYPES),
  host: z.string(),
  detail: z.string(),
})

const CaseParams = z.object({
  id: z.custom<CaseId>((value) => typeof value === 'string' && isId('pcs', value)),
})
const Assignment = z.object({
  orgId: z
    .custom<OrgId>((value) => typeof value === 'string' && isId('org', value))
    .meta({ examples: ['org_01m7gmbak4s8ggdzkbwftjwgfv'] }),
  note: words(500).meta({ description: 'Findings and actions. Stored in the audit log.' }),
})
const Assigned = ok.extend({
  id: z.string(),
  reference: z.string().meta({ description: 'The payment that was created.' }),
  status: z.enum(['pending', 'settled', 'failed', 'expired', 'review']),
  creditedMinor: minorOut,
  balanceMinor: minorOut,
})

const callback = {
  rate: 'webhook',
  access: { rail: 'M-Pesa', proof: authenticatePaybill },
  params: z.object({ token: z.string() }),
  errors: ['unlisted_address', 'malformed_json'],
  reply: { 200: z.object({ ResultCode: z.union([z.string(), z.int()]), ResultDesc: z.string() }) },
} as const
const inquiryCallback = {
  ...callback,
  params: z.object({ token: z.string(), inquiry: z.string().regex(/^[0-9a-f]{40}$/) }),
} as const

export const paybillRoutes = [
  route('wallet.paybill', 'GET /wallet/paybill', {
    summary: 'Show the paybill and your account number, for payments by hand in M-Pesa.',
    detail:
      'The first call creates the account number. All fields are null where your currency has no paybill. A payment is credited when M-Pesa confirms it.',
    access: 'any',
    rate: 'global',
    head: false,
    reply: { 200: Paybill },
    errors: ['org_suspended'],
    handle: ({ app, actor }) => showPaybill(app, actor),
  }),

  route('admin.registerRailUrls', 'POST /admin/rails/daraja/register-urls', {
    summary: 'Register the URLs of this service at M-Pesa for payments by hand.',
    detail: 'A refusal of M-Pesa is a reply with `ok: false`. Each call is recorded in the audit log.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
    rate: 'money',
    audit: true,
    body: Registration,
    reply: { 200: Registered },
    errors: ['not_configured'],
    handle: ({ app, actor, body, request }) => registerUrls(app, actor, body.responseType, request.address),
  }),

  route('admin.paymentCases.assign', 'POST /admin/payment-cases/{id}/assign', {
    summary: 'Assign a payment at the paybill to an organisation, and close its case.',
    detail:
      'A receipt that M-Pesa verified is credited. Any other becomes one under review. Only a super admin can assign to their own organisation.',
    access: { staff: ['billing', 'operator', 'super_admin'] },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: CaseParams,
    body: Assignment,
    reply: { 200: Assigned },
    errors: ['approval_required', 'forbidden', 'already_decided', 'transaction_used', 'not_configured'],
    handle: ({ app, actor, params, body, once, request }) =>
      assignReceipt(app, actor, params.id, body, once, request.address),
  }),

  route('webhooks.paybillValidation', 'POST /webhooks/paybill/{token}/validation', {
    ...callback,
    summary: 'Tell M-Pesa whether a payment by hand has a valid account number and amount.',
    handle: ({ app, request }) => validatePayment(app, request),
  }),

  route('webhooks.paybillConfirmation', 'POST /webhooks/paybill/{token}/confirmation', {
    ...callback,
    summary: 'Receive the confirmation of a payment by hand from M-Pesa.',
    detail: 'A confirmation credits nothing. Its receipt is verified by a status query first.',
    handle: ({ app, request }) => confirmPayment(app, request),
  }),

  route('webhooks.paybillResult', 'POST /webhooks/paybill/{token}/result/{inquiry}', {
    ...inquiryCallback,
    summary: 'Receive the answer of M-Pesa to a status query.',
    detail: 'Only M-Pesa knows the URL of a query. It is used once.',
    handle: ({ app, params, request }) => receiveAnswer(app, params.inquiry, request),
  }),

  route('webhooks.paybillTimeout', 'POST /webhooks/paybill/{token}/timeout/{inquiry}', {
    ...inquiryCallback,
    summary: 'Learn that M-Pesa did not process a status query in time.',
    handle: ({ app, params }) => receiveTimeout(app, params.inquiry),
  }),
]
