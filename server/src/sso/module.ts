import type { Module } from '../platform/module.ts'
import { ssoJobs, ssoSchedules } from './jobs.ts'
import { ssoRoutes } from './routes.ts'

export const sso: Module = { name: 'sso', routes: ssoRoutes, jobs: ssoJobs, schedules: ssoSchedules }
