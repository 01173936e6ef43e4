import type { Module } from '../platform/module.ts'
import {
  maintainPartitions,
  maintainPartitionsSchedule,
  partitionFigures,
  prepareMonths,
} from './partitions/partitions.ts'
import { purgeRequests, purgeRequestsSchedule, retainedRequests } from './requests/purge.ts'
import { startRequestLog } from './requests/request-log.ts'
import { requestRoutes } from './requests/routes.ts'
import { requestLogSettings } from './requests/settings.ts'
import { meteringRoutes } from './routes.ts'
import { pricingSettings } from './settings.ts'
import { deleteOldQuotes, deleteOldQuotesSchedule } from './turns/quotes.ts'
import { meteringData } from './usage/data-export.ts'
import { sealUsage, sealUsageSchedule } from './usage/seal.ts'
import { refreshUsualCosts, refreshUsualCostsSchedule } from './usual-costs/usual-costs.ts'

export const metering: Module = {
  name: 'metering',
  tables: [
    'usage_points',
    'usage_days',
    'usage_seals',
    'quotes',
    'upstream_refusals',
    'request_log',
    'usual_costs',
  ],
  routes: [...meteringRoutes, ...requestRoutes],
  settings: [pricingSettings, requestLogSettings],
  jobs: [deleteOldQuotes, sealUsage, purgeRequests, refreshUsualCosts, maintainPartitions],
  schedules: [
    deleteOldQuotesSchedule,
    sealUsageSchedule,
    purgeRequestsSchedule,
    refreshUsualCostsSchedule,
    maintainPartitionsSchedule,
  ],
  tenantData: meteringData,
  figures: [partitionFigures],
  retained: [retainedRequests],
  async start(app) {
    await prepareMonths(app)
    return startRequestLog(app)
  },
}
