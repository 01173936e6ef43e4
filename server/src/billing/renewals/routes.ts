// Renewals: the machine's own door, and the customer's way to pay what is open.
import { route } from '../../platform/http/route.ts'
import { payOpenInvoice } from './pay-invoice.ts'
import { runRenewals } from './renewals.ts'
import { EmptyBody, InvoiceParams, PayRequest, PayResult, RunResult } from './schema.ts'

export const renewalRoutes = [
  route('billing.runRenewals', 'POST /internal/billing/run-renewals', {
    summary: 'Charge the renewals that are due.',
    detail:
      'The service does so by itself every five minutes; this does it now. However often and wherever it runs, a period is charged once. One run takes at most 500 subscriptions or a minute, and the next goes on. Without a live key of the card provider nothing is charged.',
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
      "Without `hosted` the stored cards are charged, the default one first. With it you get the card provider's page, and the card that pays there is stored. A payment that waits for your bank is given up for it, unless you have confirmed it. A decline here costs none of the tries that come by themselves; ten declines within an hour are the most.",
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
