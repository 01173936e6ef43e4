import type { Module } from '../platform/module.ts'
import { automaticTopupRoutes } from './automatic/routes.ts'
import { billPaymentHandler } from './bills/payment-handler.ts'
import { sealedAuthorizations } from './cards/cards.ts'
import { cardPaymentHandler } from './cards/payment-handler.ts'
import { cardRoutes } from './cards/routes.ts'
import { billingTenantData } from './data-export.ts'
import { billingJobs, billingSchedules } from './jobs.ts'
import { leadRoutes } from './leads/routes.ts'
import { compRoutes } from './plans/comp-routes.ts'
import { compApprovals } from './plans/comps.ts'
import { planRoutes } from './plans/routes.ts'
import { renewalRoutes } from './renewals/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'

export const billing: Module = {
  name: 'billing',
  tables: ['cards', 'subscriptions', 'bills', 'previews', 'comps', 'leads', 'automatic_topups'],
  routes: [
    ...planRoutes,
    ...subscriptionRoutes,
    ...cardRoutes,
    ...automaticTopupRoutes,
    ...renewalRoutes,
    ...compRoutes,
    ...leadRoutes,
  ],
  jobs: billingJobs,
  schedules: billingSchedules,
  paymentHandlers: { card: cardPaymentHandler, bill: billPaymentHandler },
  approvalHandlers: compApprovals,
  tenantData: billingTenantData,
  sealed: [sealedAuthorizations],
}
