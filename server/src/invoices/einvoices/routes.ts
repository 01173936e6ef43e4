// Staff routes of the registration of invoices with a tax authority.
import { z } from 'zod'
import { isId } from '../../kernel/ids.ts'
import { currencies } from '../../kernel/money.ts'
import { route } from '../../platform/http/route.ts'
import { minorOut, ok, pageQuery, timestamp } from '../../platform/http/shapes.ts'
import { listEInvoices, retryEInvoice } from './admin.ts'
import { STATES, type SubmissionId } from './sql.ts'

const EInvoice = z
  .object({
    id: z.string(),
    orgId: z.string(),
    orgName: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    number: z.string(),
    receiptUrl: z.string(),
    currency: z.enum(currencies),
    totalMinor: minorOut,
    authority: z.string().meta({ examples: ['firs'] }),
    state: z.enum(STATES).meta({
      description:
        '`waiting`: not sent yet; `sent`: sent, without a final answer; `rejected`: correct the cause and retry; `unclear`: given up, or the authority has another document of this number.',
    }),
    authorityId: z
      .string()
      .nullable()
      .meta({ description: 'The number of the authority, printed on the receipt.' }),
    qr: z.string().nullable().meta({ description: 'The text of the QR code on the receipt.' }),
    attempts: z.int(),
    failure: z.string().nullable().meta({ description: 'Why the last attempt had no result.' }),
    reasons: z.array(z.string()).meta({ description: 'Why the authority rejected it.' }),
    createdAt: timestamp,
    sentAt: timestamp.nullable(),
    dueAt: timestamp.nullable().meta({ description: 'The next attempt.' }),
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'EInvoice' })

const EInvoiceParams = z.object({
  id: z.custom<SubmissionId>((value) => typeof value === 'string' && isId('ein', value)),
})

export const einvoiceRoutes = [
  route('admin.einvoices.list', 'GET /admin/einvoices', {
    summary: 'List the registrations of invoices and credit notes with the tax authority, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: z.object({ state: z.enum(STATES).optional(), ...pageQuery() }),
    reply: { 200: z.object({ einvoices: z.array(EInvoice), nextCursor: z.string().nullable() }) },
    handle: ({ app, query }) => listEInvoices(app, query),
  }),

  route('admin.einvoices.retry', 'POST /admin/einvoices/{id}/retry', {
    summary: 'Send a rejected or unclear document to the tax authority again.',
    detail:
      'Correct the cause first. The numbers of the document never change. An unclear document is looked up before it is sent. Only a super admin can retry a document of an organisation that they belong to.',
    access: { staff: ['billing', 'operator', 'super_admin'] },
    rate: 'money',
    idempotency: 'required',
    audit: true,
    params: EInvoiceParams,
    reply: { 200: ok.extend({ id: z.string() }) },
    errors: ['forbidden', 'already_decided'],
    handle: ({ actor, params, once, request }) => retryEInvoice(actor, params.id, once, request.address),
  }),
]
