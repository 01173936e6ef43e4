import type { Module } from '../platform/module.ts'
import { rotationJobs, rotationSchedules } from './rotation/reseal-job.ts'
import { operatorRoutes } from './routes.ts'

export const operators: Module = {
  name: 'operators',
  tables: ['staff_invites', 'secret_rotations'],
  routes: operatorRoutes,
  jobs: rotationJobs,
  schedules: rotationSchedules,
}
