import type { Module } from '../platform/module.ts'
import { signInJobs, signInSchedules } from './jobs.ts'
import { signInOwned } from './owned.ts'
import { signInRoutes } from './routes.ts'

export const signIn: Module = {
  name: 'sign-in',
  routes: signInRoutes,
  jobs: signInJobs,
  schedules: signInSchedules,
  owned: signInOwned,
}
