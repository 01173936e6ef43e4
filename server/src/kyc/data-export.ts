import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { findExportedRecord } from './sql.ts'

export const kycData: TenantData<App> = {
  facts: { kyc: async (_app, tx, org) => (await findExportedRecord(tx, org)) ?? null },
  tables: ['kyc_records'],
}
