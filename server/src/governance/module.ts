import type { Module } from '../platform/module.ts'
import { removeContentJob } from './close-org.ts'
import { moveContentJob, moveContentSchedule } from './content-moves.ts'
import { governanceTenantData } from './data-export.ts'
import { ipAllowListRoutes } from './ip-allow-list/ip-allow-list-routes.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { policyRoutes } from './policy/policy-routes.ts'

export const governance: Module = {
  name: 'governance',
  routes: [...policyRoutes, ...lifecycleRoutes, ...ipAllowListRoutes],
  jobs: [removeContentJob, moveContentJob],
  schedules: [moveContentSchedule],
  tenantData: governanceTenantData,
}
