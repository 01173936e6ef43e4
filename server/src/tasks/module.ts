import type { Module } from '../platform/module.ts'
import { tasksTenantData } from './data-export.ts'
import { taskJobs, taskSchedules } from './jobs.ts'
import { taskRoutes } from './routes.ts'

export const tasks: Module = {
  name: 'tasks',
  tables: [
    'tasks',
    'task_turns',
    'task_steps',
    'task_base_files',
    'task_changes',
    'task_pull_requests',
    'task_clients',
  ],
  routes: taskRoutes,
  jobs: taskJobs,
  schedules: taskSchedules,
  tenantData: tasksTenantData,
}
