// Addresses of the printable documents.
import type { App } from '../../platform/app.ts'
import type { CreditNoteId, InvoiceId } from '../document.ts'

export const receiptUrl = (app: App, id: InvoiceId): string => `${app.config.baseUrl}/invoices/${id}/receipt`

export const creditNoteUrl = (app: App, id: CreditNoteId): string =>
  `${app.config.baseUrl}/credit-notes/${id}/receipt`
