import type { Module } from '../platform/module.ts'
import { adminPaymentsRoutes } from './admin/admin-payments-routes.ts'
import { paymentApprovals } from './admin/approved-actions.ts'
import { caseRoutes } from './admin/case-routes.ts'
import { railRoutes } from './admin/rail-routes.ts'
import { refundRoutes } from './admin/refund-routes.ts'
import { railRoutingRoutes } from './admin/route-routes.ts'
import { paymentsTenantData } from './data-export.ts'
import { disputeJobs, disputeSchedules } from './disputes/jobs.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { paymentFigures, paymentProviderFigures } from './figures.ts'
import { sealedPhones } from './initiate/phones.ts'
import { paybillJobs, paybillSchedules } from './paybill/receipts.ts'
import { paybillRoutes } from './paybill/routes.ts'
import { reconciliationJobs, reconciliationSchedules } from './reconciliation/jobs.ts'
import { reconciliationRoutes } from './reconciliation/routes.ts'
import { refundJobs, refundSchedules } from './refunds/jobs.ts'
import { sourceRefundRoutes } from './refunds/routes.ts'
import { topupRoutes } from './routes.ts'
import { backfillInvoices, backfillSchedule } from './settle/invoice-backfill.ts'
import { paymentJobs, paymentSchedules, retainedPaymentEvents } from './settle/sweeper.ts'
import { webhookRoutes } from './settle/webhooks/routes.ts'

export const payments: Module = {
  name: 'payments',
  tables: [
    'payments',
    'payment_attempts',
    'payment_events',
    'payment_returns',
    'payment_cases',
    'wallet_refunds',
    'source_refunds',
    'payment_disputes',
    'rail_health',
    'rail_routes',
    'reconciliations',
    'reconciliation_items',
    'paybill_accounts',
    'paybill_receipts',
  ],
  routes: [
    ...topupRoutes,
    ...refundRoutes,
    ...adminPaymentsRoutes,
    ...caseRoutes,
    ...sourceRefundRoutes,
    ...disputeRoutes,
    ...railRoutes,
    ...railRoutingRoutes,
    ...doctorRoutes,
    ...reconciliationRoutes,
    ...webhookRoutes,
    ...paybillRoutes,
  ],
  jobs: [
    ...paymentJobs,
    ...paybillJobs,
    ...reconciliationJobs,
    ...refundJobs,
    ...disputeJobs,
    backfillInvoices,
  ],
  schedules: [
    ...paymentSchedules,
    ...paybillSchedules,
    ...reconciliationSchedules,
    ...refundSchedules,
    ...disputeSchedules,
    backfillSchedule,
  ],
  figures: [paymentFigures, paymentProviderFigures],
  retained: [retainedPaymentEvents],
  tenantData: paymentsTenantData,
  approvalHandlers: paymentApprovals,
  sealed: [sealedPhones],
}
