import type { Owned } from '../platform/owned.ts'
import { bySeq } from '../platform/owned-readers.ts'
import { entriesAfter } from './owned-sql.ts'

export const auditOwned: Owned = {
  exports: { audit: bySeq(entriesAfter) },
  tables: ['audit_entries'],
  withheld: { audit_heads: 'the last entry of the chain says the same' },
}
