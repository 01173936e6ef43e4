import type { Module } from '../platform/module.ts'
import { meteringOwned } from './owned.ts'
import { forgetQuotes, forgetQuotesSchedule } from './quotes.ts'
import { meteringRoutes } from './routes.ts'
import { sealUsage, sealUsageSchedule } from './seal.ts'
import { inferenceSettings, pricingSettings } from './settings.ts'

export const metering: Module = {
  name: 'metering',
  routes: meteringRoutes,
  settings: [pricingSettings, inferenceSettings],
  jobs: [forgetQuotes, sealUsage],
  schedules: [forgetQuotesSchedule, sealUsageSchedule],
  owned: meteringOwned,
}
