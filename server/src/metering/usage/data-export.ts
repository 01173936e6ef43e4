import type { App } from '../../platform/app.ts'
import type { TenantData } from '../../platform/data-export.ts'
import { byTime } from '../../platform/data-export-readers.ts'
import { eraseRequests } from '../requests/purge.ts'
import { type ExportedRequest, requestsAfter } from '../requests/request-log-sql.ts'
import { type ExportedUsage, usageAfter } from './data-export-sql.ts'

export const meteringData: TenantData<App> = {
  exports: {
    usage: byTime(usageAfter, ({ at, id }: ExportedUsage) => [at, id]),
    requests: byTime(requestsAfter, ({ at, id }: ExportedRequest) => [at, id]),
  },
  tables: ['usage_points', 'request_log'],
  withheld: {
    usage_days: 'daily sums of `usage`',
    quotes: 'quotes that expire after an hour; the real costs are in `ledger`',
  },
  erase: eraseRequests,
}
