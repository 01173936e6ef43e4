import type { Module } from '../platform/module.ts'
import { ssoJobs, ssoSchedules } from './jobs.ts'
import { ssoOwned } from './owned.ts'
import { ssoRoutes } from './routes.ts'

export const sso: Module = {
  name: 'sso',
  routes: ssoRoutes,
  jobs: ssoJobs,
  schedules: ssoSchedules,
  owned: ssoOwned,
}
