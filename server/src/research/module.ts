import type { Module } from '../platform/module.ts'
import { researchTenantData } from './data-export.ts'
import { researchJobs, researchSchedules } from './jobs.ts'
import { researchRoutes } from './routes.ts'
import { researchSettings } from './settings.ts'

export const research: Module = {
  name: 'research',
  tables: ['research_runs', 'research_steps', 'research_sources', 'research_pages', 'research_findings'],
  routes: researchRoutes,
  jobs: researchJobs,
  schedules: researchSchedules,
  settings: [researchSettings],
  tenantData: researchTenantData,
}
