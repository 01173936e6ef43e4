import type { Module } from '../platform/module.ts'
import { invoiceJobs, invoiceSchedules } from './jobs.ts'
import { invoicesOwned } from './owned.ts'
import { invoiceRoutes } from './routes.ts'

export const invoices: Module = {
  name: 'invoices',
  tables: ['billing_details', 'document_counters', 'invoices', 'credit_notes'],
  routes: invoiceRoutes,
  jobs: invoiceJobs,
  schedules: invoiceSchedules,
  owned: invoicesOwned,
}
