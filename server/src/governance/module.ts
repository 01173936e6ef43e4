import type { Module } from '../platform/module.ts'
import { removeContentJob } from './close-jobs.ts'
import { governanceTenantData } from './data-export.ts'
import { lifecycleRoutes } from './end-routes.ts'
import { moveContentJob, moveContentSchedule } from './move-jobs.ts'
import { policyRoutes } from './policy-routes.ts'

export const governance: Module = {
  name: 'governance',
  routes: [...policyRoutes, ...lifecycleRoutes],
  jobs: [removeContentJob, moveContentJob],
  schedules: [moveContentSchedule],
  tenantData: governanceTenantData,
}
