// Staff routes of payments.
import { route } from '../../platform/http/route.ts'
import { listPayments, reconcileNow, resolvePayment, showPayment } from './admin-payments.ts'
import {
  CheckedNow,
  NoBody,
  PaymentDetail,
  PaymentParams,
  PaymentsPage,
  PaymentsQuery,
  Resolution,
  Resolved,
} from './admin-payments-schema.ts'

const ROLES = ['billing', 'operator', 'super_admin'] as const

export const adminPaymentsRoutes = [
  route('admin.payments.list', 'GET /admin/payments', {
    summary: 'List payments of all organisations, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: PaymentsQuery,
    reply: { 200: PaymentsPage },
    handle: ({ app, query }) => listPayments(app, query),
  }),

  route('admin.payments.get', 'GET /admin/payments/{reference}', {
    summary: 'Get one payment with its webhook events.',
    access: { staff: 'any' },
    rate: 'global',
    params: PaymentParams,
    reply: { 200: PaymentDetail },
    handle: ({ app, params }) => showPayment(app, params.reference),
  }),

  route('admin.payments.resolve', 'POST /admin/payments/{reference}/resolve', {
    summary: 'Credit or reject a payment that is under review.',
    detail: 'Only a super admin can decide about their own organisation.',
    access: { staff: ROLES },
    stepUp: true,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: PaymentParams,
    body: Resolution,
    reply: { 200: Resolved },
    errors: [
      'approval_required',
      'already_decided',
      'forbidden',
      'payment_not_in_review',
      'transaction_used',
      'wallet_full',
    ],
    handle: ({ app, actor, params, body, once, request }) =>
      resolvePayment(app, actor, params.reference, body, once, request.address),
  }),

  route('admin.payments.check', 'POST /admin/payments/{reference}/check', {
    summary: 'Reconcile a payment with its provider now.',
    access: { staff: ROLES },
    rate: 'money',
    audit: true,
    params: PaymentParams,
    body: NoBody,
    reply: { 200: CheckedNow },
    handle: ({ app, actor, params, request }) => reconcileNow(app, actor, params.reference, request.address),
  }),
]
