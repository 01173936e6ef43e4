import type { Owned } from '../platform/owned.ts'
import { submitted } from './owned-sql.ts'

export const kycOwned: Owned = {
  facts: { kyc: async (_app, tx, org) => (await submitted(tx, org)) ?? null },
  tables: ['kyc_records'],
}
