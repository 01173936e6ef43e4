import type { Module } from '../platform/module.ts'
import { meteringRoutes } from './routes.ts'
import { pricingSettings } from './settings.ts'
import { deleteOldQuotes, deleteOldQuotesSchedule } from './turns/quotes.ts'
import { meteringData } from './usage/data-export.ts'
import { sealUsage, sealUsageSchedule } from './usage/seal.ts'

export const metering: Module = {
  name: 'metering',
  tables: ['usage_points', 'usage_days', 'usage_seals', 'quotes', 'upstream_refusals'],
  routes: meteringRoutes,
  settings: [pricingSettings],
  jobs: [deleteOldQuotes, sealUsage],
  schedules: [deleteOldQuotesSchedule, sealUsageSchedule],
  tenantData: meteringData,
}
