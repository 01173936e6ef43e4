import type { Module } from '../platform/module.ts'
import { reviewJobs, reviewSchedules } from './jobs.ts'
import { reviewOwned } from './owned.ts'
import { reviewRoutes } from './routes.ts'
import { reviewSettings } from './settings.ts'
import { vcsRoutes } from './vcs-routes.ts'

export const review: Module = {
  name: 'review',
  routes: [...reviewRoutes, ...vcsRoutes],
  jobs: reviewJobs,
  schedules: reviewSchedules,
  settings: [reviewSettings],
  owned: reviewOwned,
}
