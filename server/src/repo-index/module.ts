import type { Module } from '../platform/module.ts'
import { indexTenantData } from './data-export.ts'
import { indexRoutes } from './routes.ts'
import { fillVectors } from './vector-store/fill-vectors.ts'

export const repoIndex: Module = {
  name: 'repo-index',
  tables: ['index_states', 'index_files', 'index_chunks', 'index_calibrations', 'index_histories'],
  routes: indexRoutes,
  jobs: [fillVectors],
  tenantData: indexTenantData,
}
