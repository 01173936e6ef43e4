import type { TenantData } from '../platform/data-export.ts'
import { bySeq } from '../platform/data-export-readers.ts'
import { billingDetails, creditNotesAfter, invoicesAfter } from './data-export-sql.ts'

export const invoicesOwned: TenantData = {
  facts: { billingDetails: async (_app, tx, org) => (await billingDetails(tx, org)) ?? null },
  exports: { invoices: bySeq(invoicesAfter), creditNotes: bySeq(creditNotesAfter) },
  tables: ['billing_details', 'invoices', 'credit_notes'],
  withheld: { document_counters: 'the last number is on the last paper' },
}
