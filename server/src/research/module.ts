import type { Module } from '../platform/module.ts'
import { researchJobs, researchSchedules } from './jobs.ts'
import { researchOwned } from './owned.ts'
import { researchRoutes } from './routes.ts'
import { researchSettings } from './settings.ts'

export const research: Module = {
  name: 'research',
  routes: researchRoutes,
  jobs: researchJobs,
  schedules: researchSchedules,
  settings: [researchSettings],
  owned: researchOwned,
}
