import type { Module } from '../platform/module.ts'
import { adminPaymentsRoutes } from './admin/admin-payments-routes.ts'
import { caseRoutes } from './admin/case-routes.ts'
import { railRoutes } from './admin/rail-routes.ts'
import { refundRoutes } from './admin/refund-routes.ts'
import { paymentsTenantData } from './data-export.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { paybillJobs, paybillSchedules } from './paybill/receipts.ts'
import { paybillRoutes } from './paybill/routes.ts'
import { reconciliationJobs, reconciliationSchedules } from './reconciliation/jobs.ts'
import { reconciliationRoutes } from './reconciliation/routes.ts'
import { topupRoutes } from './routes.ts'
import { backfillInvoices, backfillSchedule } from './settle/invoice-backfill.ts'
import { paymentJobs, paymentSchedules } from './settle/sweeper.ts'
import { webhookRoutes } from './settle/webhooks/routes.ts'

export const payments: Module = {
  name: 'payments',
  tables: [
    'payments',
    'payment_events',
    'payment_returns',
    'payment_cases',
    'wallet_refunds',
    'rail_health',
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
    ...railRoutes,
    ...doctorRoutes,
    ...reconciliationRoutes,
    ...webhookRoutes,
    ...paybillRoutes,
  ],
  jobs: [...paymentJobs, ...paybillJobs, ...reconciliationJobs, backfillInvoices],
  schedules: [...paymentSchedules, ...paybillSchedules, ...reconciliationSchedules, backfillSchedule],
  tenantData: paymentsTenantData,
}
