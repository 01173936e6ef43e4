import type { Module } from '../platform/module.ts'
import { reviewTenantData } from './data-export.ts'
import { sealedConnections } from './installations/connections.ts'
import { reviewJobs, reviewSchedules } from './jobs.ts'
import { reviewRoutes } from './routes.ts'
import { reviewSettings } from './settings.ts'

export const review: Module = {
  name: 'review',
  tables: [
    'review_runs',
    'review_findings',
    'review_corpus',
    'vcs_installations',
    'vcs_deliveries',
    'vcs_pulls',
    'vcs_heads',
  ],
  routes: reviewRoutes,
  jobs: reviewJobs,
  schedules: reviewSchedules,
  settings: [reviewSettings],
  tenantData: reviewTenantData,
  sealed: sealedConnections,
}
