import type { App } from '../../platform/app.ts'
import type { TenantData } from '../../platform/data-export.ts'
import { byTime } from '../../platform/data-export-readers.ts'
import { type ExportedUsage, usageAfter } from './data-export-sql.ts'

export const meteringData: TenantData<App> = {
  exports: { usage: byTime(usageAfter, ({ at, id }: ExportedUsage) => [at, id]) },
  tables: ['usage_points'],
  withheld: {
    usage_days: 'sums of what is in `usage`',
    quotes: 'what was said that work would cost, for an hour; what it did cost is in `ledger`',
  },
}
