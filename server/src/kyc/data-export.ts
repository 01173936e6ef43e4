import type { Owned } from '../platform/data-export.ts'
import { findExportedRecord } from './sql.ts'

export const kycData: Owned = {
  facts: { kyc: async (_app, tx, org) => (await findExportedRecord(tx, org)) ?? null },
  tables: ['kyc_records'],
}
