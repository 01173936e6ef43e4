import type { Module } from '../platform/module.ts'
import { hooksTenantData } from './data-export.ts'
import { hookFigures } from './deliveries/figures.ts'
import { sealedHookSecrets } from './endpoints/signature.ts'
import { hookJobs, hookSchedules, retainedEvents } from './jobs.ts'
import { hookRoutes } from './routes.ts'

export const hooks: Module = {
  name: 'hooks',
  tables: ['hook_endpoints', 'hook_events', 'hook_deliveries'],
  routes: hookRoutes,
  jobs: hookJobs,
  schedules: hookSchedules,
  figures: [hookFigures],
  retained: [retainedEvents],
  tenantData: hooksTenantData,
  sealed: sealedHookSecrets,
}
