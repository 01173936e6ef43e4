import type { Module } from '../platform/module.ts'
import { adminPaymentsRoutes } from './admin/admin-payments-routes.ts'
import { caseRoutes } from './admin/case-routes.ts'
import { railRoutes } from './admin/rail-routes.ts'
import { refundRoutes } from './admin/refund-routes.ts'
import { railRoutingRoutes } from './admin/route-routes.ts'
import { paymentsTenantData } from './data-export.ts'
import { doctorRoutes } from './doctor/routes.ts'
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
    'payment_attempts',
    'payment_events',
    'payment_returns',
    'payment_cases',
    'wallet_refunds',
    'rail_health',
    'rail_routes',
    'reconciliations',
    'reconciliation_items',
  ],
  routes: [
    ...topupRoutes,
    ...refundRoutes,
    ...adminPaymentsRoutes,
    ...caseRoutes,
    ...railRoutes,
    ...railRoutingRoutes,
    ...doctorRoutes,
    ...reconciliationRoutes,
    ...webhookRoutes,
  ],
  jobs: [...paymentJobs, ...reconciliationJobs, backfillInvoices],
  schedules: [...paymentSchedules, ...reconciliationSchedules, backfillSchedule],
  tenantData: paymentsTenantData,
}
