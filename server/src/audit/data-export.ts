import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { bySeq } from '../platform/data-export-readers.ts'
import { entriesAfter } from './data-export-sql.ts'

export const auditTenantData: TenantData<App> = {
  exports: { audit: bySeq(entriesAfter) },
  tables: ['audit_entries'],
  withheld: { audit_heads: 'the last entry of the chain says the same' },
}
