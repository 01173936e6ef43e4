// Routes of renewals and of paying open invoices.
import { route } from '../../platform/http/route.ts'
import { payOpenInvoice } from './pay-invoice.ts'
import { runRenewals } from './renewals.ts'
import { EmptyBody, InvoiceParams, PayRequest, PayResult, RunResult } from './schema.ts'

export const renewalRoutes = [
  route('billing.runRenewals', 'POST /internal/billing/run-renewals', {
    summary: 'Charge the due renewals.',
    detail:
      'The service does this every five minutes; this endpoint does it now. A period is charged once, even if several runs overlap. One run takes at most 500 subscriptions or one minute; the next run continues. Without a live key of the card provider no card is charged.',
    access: { machine: 'internal' },
    rate: 'global',
    body: EmptyBody,
    reply: { 200: RunResult },
    timeoutMs: 120_000,
    handle: ({ app, request }) => runRenewals(app, request.gone),
  }),

  route('invoices.pay', 'POST /invoices/{id}/pay', {
    summary: 'Pay an open invoice now.',
    detail:
      'By default the stored cards are charged, the default card first. With `hosted` you get a page of the card provider, and the card that pays there is stored. A payment that waits for your bank is abandoned, unless you have confirmed it. A decline does not count as a scheduled attempt. At most ten declines an hour are allowed.',
    access: { role: 'owner' },
    paid: true,
    rate: 'money',
    idempotency: 'optional',
    audit: true,
    params: InvoiceParams,
    body: PayRequest,
    reply: { 200: PayResult },
    errors: [
      'not_found',
      'invoice_not_open',
      'change_in_progress',
      'no_payment_method',
      'card_declined',
      'card_challenged',
      'insufficient_funds',
      'channel_not_available',
      'payment_refused',
      'limit_reached',
      'too_many_attempts',
      'payments_not_configured',
      'rail_unavailable',
    ],
    timeoutMs: 120_000,
    handle: ({ app, actor, params: { id: invoiceId }, body: { hosted }, request: { address: ip }, once }) =>
      payOpenInvoice(app, actor, { invoiceId, hosted, ip }, once),
  }),
]
