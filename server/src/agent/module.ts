import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTimeAndSize } from '../platform/data-export-readers.ts'
import type { Module } from '../platform/module.ts'
import { type ExportedRun, listRunsAfter } from './history-sql.ts'
import { agentJobs, agentSchedules } from './jobs.ts'
import { loopRoutes } from './loop/routes.ts'
import { agentRoutes } from './routes.ts'

const agentTenantData: TenantData<App> = {
  exports: { agentRuns: byTimeAndSize(listRunsAfter, ({ createdAt, id }: ExportedRun) => [createdAt, id]) },
  tables: ['agent_runs'],
}

export const agent: Module = {
  name: 'agent',
  tables: ['agent_runs'],
  routes: [...agentRoutes, ...loopRoutes],
  jobs: agentJobs,
  schedules: agentSchedules,
  tenantData: agentTenantData,
}
