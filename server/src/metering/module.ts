import type { Module } from '../platform/module.ts'
import { meteringRoutes } from './routes.ts'
import { inferenceSettings, pricingSettings } from './settings.ts'
import { forgetQuotes, forgetQuotesSchedule } from './turns/quotes.ts'
import { meteringOwned } from './usage/data-export.ts'
import { sealUsage, sealUsageSchedule } from './usage/seal.ts'

export const metering: Module = {
  name: 'metering',
  tables: ['usage_points', 'usage_days', 'usage_seals', 'quotes', 'upstream_refusals'],
  routes: meteringRoutes,
  settings: [pricingSettings, inferenceSettings],
  jobs: [forgetQuotes, sealUsage],
  schedules: [forgetQuotesSchedule, sealUsageSchedule],
  tenantData: meteringOwned,
}
