// The public API of invoices. Callers issue, pay, void and credit them in the transaction of the payment.
export { issueCreditNote } from './credit-note.ts'
export {
  type CreditNoteId,
  type InvoiceId,
  type InvoiceLine,
  linesIn,
  type NewCreditNote,
  type NewInvoice,
} from './document.ts'
export { activeAuthority, authorities, einvoiceProblems } from './einvoices/authorities.ts'
export { invoiceChecks } from './invariants.ts'
export { issueInvoice, payInvoice, voidInvoice } from './issue.ts'
export { creditNoteUrl, receiptUrl } from './receipt/links.ts'
export { findInvoice, invoiceStatus } from './sql.ts'
