// What must be true of invoices and credit notes at all times, as checks beside those of the wallet.
import type { InvariantCheck } from '../wallet/wallet.ts'
import * as sql from './invariants-sql.ts'

export const invoiceChecks: readonly InvariantCheck[] = [
  {
    name: 'settled_payments_have_invoices',
    holds:
      'Every settled payment has one invoice of its amount, and every payment on an invoice was settled.',
    find: sql.paymentsAreInvoiced,
  },
  {
    name: 'document_numbers_have_no_gap',
    holds: 'The invoices of an organisation, and its credit notes, are numbered from one without a gap.',
    find: sql.numbersAreWhole,
  },
  {
    name: 'invoices_add_up',
    holds:
      'The lines of an invoice sum to its total, its taxes to its tax, and both documents to what they say.',
    find: sql.documentsAddUp,
  },
  {
    name: 'credit_notes_are_within_their_invoices',
    holds: 'What an invoice was credited is what its notes say, and no more than its total.',
    find: sql.notesStayWithinInvoices,
  },
  {
    name: 'refunds_have_credit_notes',
    holds: 'Every refund and reversal of an invoiced payment has its credit note, and there are no others.',
    find: sql.notesAreRefunds,
  },
]
