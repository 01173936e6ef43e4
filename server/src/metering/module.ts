import type { Module } from '../platform/module.ts'
import { purgeRequests, purgeRequestsSchedule } from './requests/purge.ts'
import { startRequestLog } from './requests/request-log.ts'
import { requestRoutes } from './requests/routes.ts'
import { requestLogSettings } from './requests/settings.ts'
import { meteringRoutes } from './routes.ts'
import { pricingSettings } from './settings.ts'
import { deleteOldQuotes, deleteOldQuotesSchedule } from './turns/quotes.ts'
import { meteringData } from './usage/data-export.ts'
import { sealUsage, sealUsageSchedule } from './usage/seal.ts'

export const metering: Module = {
  name: 'metering',
  tables: ['usage_points', 'usage_days', 'usage_seals', 'quotes', 'upstream_refusals', 'request_log'],
  routes: [...meteringRoutes, ...requestRoutes],
  settings: [pricingSettings, requestLogSettings],
  jobs: [deleteOldQuotes, sealUsage, purgeRequests],
  schedules: [deleteOldQuotesSchedule, sealUsageSchedule, purgeRequestsSchedule],
  tenantData: meteringData,
  start: startRequestLog,
}
