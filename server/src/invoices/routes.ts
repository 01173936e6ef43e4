// Invoices, their paper, and who they are made out to: the endpoints.
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

const PAGE = raw('text/html; charset=utf-8', 'A page that prints on A4, without scripts.')

export const invoiceRoutes = [
  route('invoices.list', 'GET /invoices', {
    summary: 'Every invoice of your organisation, newest first.',
    detail:
      'Each payment has one: top-ups, subscriptions, seats and renewals. With `Accept: text/csv` they come as a file of up to 10 000 rows; `X-Next-Cursor` says where to go on when there are more.',
    access: 'any',
    rate: 'global',
    query: InvoicesQuery,
    reply: { 200: InvoicesPage },
    also: { 'text/csv': 'The invoices, up to 10 000.' },
    async handle({ app, actor, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listInvoices(app, actor.orgId, query)
      const { csv, nextCursor } = await exportInvoices(app, actor.orgId, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="invoices.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('invoices.get', 'GET /invoices/{id}', {
    summary: 'One invoice with its credit notes.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    reply: { 200: Invoice },
    errors: ['not_found'],
    handle: ({ app, actor, params }) => getInvoice(app, actor.orgId, params.id),
  }),

  route('invoices.receipt', 'GET /invoices/{id}/receipt', {
    summary: 'An invoice as a page to print or keep.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    query: ReceiptQuery,
    reply: { 200: PAGE },
    errors: ['not_found'],
    handle: ({ app, actor, params, query }) => invoicePage(app, actor.orgId, params.id, query.download),
  }),

  route('creditNotes.receipt', 'GET /credit-notes/{id}/receipt', {
    summary: 'A credit note as a page to print or keep.',
    access: 'any',
    rate: 'global',
    params: DocumentParams,
    query: ReceiptQuery,
    reply: { 200: PAGE },
    errors: ['not_found'],
    handle: ({ app, actor, params, query }) => creditNotePage(app, actor.orgId, params.id, query.download),
  }),

  route('billing.details.get', 'GET /billing/details', {
    summary: 'Who your invoices are made out to.',
    access: 'any',
    rate: 'global',
    reply: { 200: BillingDetails },
    handle: ({ app, actor }) => readDetails(app, actor.orgId),
  }),

  route('billing.details.set', 'PUT /billing/details', {
    summary: 'Say who your invoices are made out to.',
    detail:
      'What is left out stays as it is; null clears it. It counts from the next invoice on: what was issued is never rewritten. The country decides which tax your payments contain, not what they cost.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: BillingDetailsEdit,
    reply: { 200: BillingDetails },
    handle: ({ app, actor, body, request }) => putDetails(app, actor, body, request.address),
  }),

  route('admin.invoices.list', 'GET /admin/invoices', {
    summary: 'The invoices of one organisation, for staff, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: StaffInvoicesQuery,
    reply: { 200: InvoicesPage },
    handle: ({ app, query }) => listForStaff(app, query),
  }),
]

/** An organisation that does not exist has no invoices. */
async function listForStaff(
  app: App,
  { orgId, ...search }: Parameters<typeof listInvoices>[2] & { orgId: string },
) {
  return isId('org', orgId) ? listInvoices(app, orgId, search) : { invoices: [], nextCursor: null }
}
