import type { Module } from '../platform/module.ts'
import { approvalRoutes } from './routes.ts'
import { approvalSettings } from './settings.ts'

export const approvals: Module = {
  name: 'approvals',
  tables: ['approvals'],
  routes: approvalRoutes,
  settings: [approvalSettings],
  tenantData: { withheld: { approvals: 'requests of staff; their results are in the refunds' } },
}
