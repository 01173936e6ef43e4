import type { Module } from '../platform/module.ts'
import { projectsTenantData } from './data-export.ts'
import { eraseFilesJob } from './erase-files.ts'
import { projectsRoutes } from './routes.ts'
import { attachmentObjects } from './stored-objects.ts'

export const projects: Module = {
  name: 'projects',
  tables: ['projects', 'project_members', 'attachments'],
  routes: projectsRoutes,
  jobs: [eraseFilesJob],
  tenantData: projectsTenantData,
  storedObjects: attachmentObjects,
}
