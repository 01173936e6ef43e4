import type { Module } from '../platform/module.ts'
import { eraseBytes } from './erase.ts'
import { projectsOwned } from './owned.ts'
import { projectsRoutes } from './routes.ts'

export const projects: Module = {
  name: 'projects',
  tables: ['projects', 'project_members', 'attachments'],
  routes: projectsRoutes,
  jobs: [eraseBytes],
  owned: projectsOwned,
}
