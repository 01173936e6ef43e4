import type { Module } from '../platform/module.ts'
import { invoicesTenantData } from './data-export.ts'
import { invoiceRoutes } from './routes.ts'

export const invoices: Module = {
  name: 'invoices',
  tables: ['billing_details', 'document_counters', 'invoices', 'credit_notes'],
  routes: invoiceRoutes,
  tenantData: invoicesTenantData,
}
