import type { Module } from '../platform/module.ts'
import { removeContent } from './close-jobs.ts'
import { governanceOwned } from './data-export.ts'
import { endRoutes } from './end-routes.ts'
import { moveContent, moveContentSchedule } from './move-jobs.ts'
import { policyRoutes } from './policy-routes.ts'

export const governance: Module = {
  name: 'governance',
  routes: [...policyRoutes, ...endRoutes],
  jobs: [removeContent, moveContent],
  schedules: [moveContentSchedule],
  tenantData: governanceOwned,
}
