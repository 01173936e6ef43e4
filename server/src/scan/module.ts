import type { Module } from '../platform/module.ts'
import { scanTenantData } from './data-export.ts'
import { scanRoutes } from './routes.ts'

export const scan: Module = {
  name: 'scan',
  tables: ['scan_rules'],
  routes: scanRoutes,
  tenantData: scanTenantData,
}
