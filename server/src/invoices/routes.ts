// Routes of invoices, their printable documents and the billing details.
import { isId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { raw, route } from '../platform/http/route.ts'
import { putDetails, readDetails } from './details.ts'
import { exportInvoices, getInvoice, listInvoices } from './list.ts'
import { creditNotePage, invoicePage } from './receipt/receipt.ts'
import {
  BillingDetails,
  BillingDetailsEdit,
  DocumentParams,
  Invoice,
  InvoicesPage,
  InvoicesQuery,
  ReceiptQuery,
  StaffInvoicesQuery,
} from './schema.ts'

const PAGE = raw('text/html; charset=utf-8', 'An HTML page for A4 paper, without scripts.')

const PDF = { 'application/pdf': 'With `format=pdf`: a file for A4 paper.' }

export const invoiceRoutes = [
  route('invoices.list', 'GET /invoices', {
    summary: 'List the invoices of your organisation, newest first.',
    detail:
      'Each payment has an invoice: top-ups, subscriptions, seats and renewals. `Accept: text/csv` returns a file of up to 10 000 rows; `X-Next-Cursor` continues a longer list.',
    access: 'any',
    rate: 'global',
    query: InvoicesQuery,
    reply: { 200: InvoicesPage },
    also: { 'text/csv': 'The invoices, up to 10 000.' },
    async handle({ app, actor, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listInvoices(app, actor.orgId, query, request.language)
      const { csv, nextCursor } = await exportInvoices(app, actor.orgId, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="invoices.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('invoices.get', 'GET /invoices/{id}', {
    summary: 'Show an invoice with its credit notes.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    reply: { 200: Invoice },
    errors: ['not_found'],
    handle: ({ app, actor, params, request }) => getInvoice(app, actor.orgId, params.id, request.language),
  }),

  route('invoices.receipt', 'GET /invoices/{id}/receipt', {
    summary: 'Show an invoice as a printable page or a PDF file.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    query: ReceiptQuery,
    reply: { 200: PAGE },
    also: PDF,
    errors: ['not_found', 'busy'],
    handle: ({ app, actor, params, query, request }) =>
      invoicePage(app, actor.orgId, params.id, {
        isFile: query.download,
        isPdf: query.format === 'pdf',
        language: query.lang ?? request.language,
      }),
  }),

  route('creditNotes.receipt', 'GET /credit-notes/{id}/receipt', {
    summary: 'Show a credit note as a printable page or a PDF file.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    query: ReceiptQuery,
    reply: { 200: PAGE },
    also: PDF,
    errors: ['not_found', 'busy'],
    handle: ({ app, actor, params, query, request }) =>
      creditNotePage(app, actor.orgId, params.id, {
        isFile: query.download,
        isPdf: query.format === 'pdf',
        language: query.lang ?? request.language,
      }),
  }),

  route('billing.details.get', 'GET /billing/details', {
    summary: 'Show the buyer details on your invoices.',
    access: 'any',
    rate: 'global',
    reply: { 200: BillingDetails },
    handle: ({ app, actor, request }) => readDetails(app, actor.orgId, request.language),
  }),

  route('billing.details.set', 'PUT /billing/details', {
    summary: 'Set the buyer details on your invoices.',
    detail:
      'An omitted field stays unchanged; null clears it. Changes apply to the next invoice: issued invoices are never rewritten. The country decides which tax your payments contain, not their price.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: BillingDetailsEdit,
    reply: { 200: BillingDetails },
    handle: ({ app, actor, body, request }) => putDetails(app, actor, body, request),
  }),

  route('admin.invoices.list', 'GET /admin/invoices', {
    summary: 'List the invoices of one organisation for staff, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: StaffInvoicesQuery,
    reply: { 200: InvoicesPage },
    handle: ({ app, query }) => listForStaff(app, query),
  }),
]

/** An unknown organisation has no invoices. */
async function listForStaff(
  app: App,
  { orgId, ...search }: Parameters<typeof listInvoices>[2] & { orgId: string },
) {
  return isId('org', orgId) ? listInvoices(app, orgId, search) : { invoices: [], nextCursor: null }
}
