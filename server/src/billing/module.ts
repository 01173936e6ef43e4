import type { Module } from '../platform/module.ts'
import { cardPurpose } from './card-purpose.ts'
import { cardRoutes } from './card-routes.ts'
import { compRoutes } from './comp-routes.ts'
import { billingOwned } from './data-export.ts'
import { billingJobs, billingSchedules } from './jobs.ts'
import { leadRoutes } from './lead-routes.ts'
import { billPurpose } from './paid.ts'
import { planRoutes } from './plan-routes.ts'
import { renewalRoutes } from './renewal-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

export const billing: Module = {
  name: 'billing',
  tables: ['cards', 'subscriptions', 'bills', 'previews', 'comps', 'leads'],
  routes: [
    ...planRoutes,
    ...subscriptionRoutes,
    ...cardRoutes,
    ...renewalRoutes,
    ...compRoutes,
    ...leadRoutes,
  ],
  jobs: billingJobs,
  schedules: billingSchedules,
  paymentHandlers: { card: cardPurpose, bill: billPurpose },
  tenantData: billingOwned,
}
