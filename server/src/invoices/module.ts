import type { Module } from '../platform/module.ts'
import { invoicesTenantData } from './data-export.ts'
import { einvoiceJobs, einvoiceSchedules } from './einvoices/jobs.ts'
import { einvoiceRoutes } from './einvoices/routes.ts'
import { invoiceRoutes } from './routes.ts'

export const invoices: Module = {
  name: 'invoices',
  tables: ['billing_details', 'document_counters', 'invoices', 'credit_notes', 'einvoice_submissions'],
  routes: [...invoiceRoutes, ...einvoiceRoutes],
  jobs: einvoiceJobs,
  schedules: einvoiceSchedules,
  tenantData: invoicesTenantData,
}
