import type { Module } from '../platform/module.ts'
import { eraseBytes } from './erase.ts'
import { projectsOwned } from './owned.ts'
import { projectsRoutes } from './routes.ts'

export const projects: Module = {
  name: 'projects',
  routes: projectsRoutes,
  jobs: [eraseBytes],
  owned: projectsOwned,
}
