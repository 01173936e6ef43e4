import type { Module } from '../platform/module.ts'
import { agentJobs, agentSchedules } from './jobs.ts'
import { loopRoutes } from './loop/routes.ts'
import { agentTenantData } from './owned.ts'
import { agentRoutes } from './routes.ts'

export const agent: Module = {
  name: 'agent',
  tables: ['agent_runs'],
  routes: [...agentRoutes, ...loopRoutes],
  jobs: agentJobs,
  schedules: agentSchedules,
  owned: agentTenantData,
}
