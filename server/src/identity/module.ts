import type { Module } from '../platform/module.ts'
import { identityData } from './data-export.ts'
import { identityRoutes } from './routes.ts'

export const identity: Module = {
  name: 'identity',
  tables: ['users', 'staff', 'sessions', 'api_keys', 'devices', 'links'],
  routes: identityRoutes,
  tenantData: identityData,
}
