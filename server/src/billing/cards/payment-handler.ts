// Handles the payment of a card check: stores the card and leaves the money in the wallet.

import { issueInvoice } from '../../invoices/invoices.ts'
import type { App } from '../../platform/app.ts'
import type { PaymentHandler } from '../../platform/payment-handler.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import { tryStoreCard } from './cards.ts'
import { cardAddedMail, cardNotStoredMail } from './mails.ts'

export const cardPaymentHandler: PaymentHandler<App> = {
  source: 'topup',

  async lock(tx, { orgId }) {
    await lockOrg(tx, orgId)
  },

  async onSettled(app, tx, payment, details) {
    const { orgId, reference, currency, amountMinor, mode, email } = payment
    const invoice = await issueInvoice(app, tx, {
      ...{ orgId, currency, mode, reference, cause: reference, subject: 'card', status: 'paid' },
      lines: [{ description: 'Card check, added to your wallet', quantity: 1, amountMinor }],
      method: details ? `${details.brand} ending in ${details.last4}` : 'Card',
    })
    const stored = details ? await tryStoreCard(app, tx, payment, details) : { refused: 'not_shown' as const }
    const content =
      'card' in stored
        ? cardAddedMail(app, payment, stored.card)
        : cardNotStoredMail(app, payment, stored.refused)
    await app.mail.send(tx, { to: email, ...content })
    return { keptMinor: amountMinor, invoiceId: invoice.id }
  },

  // The wallet was debited; the stored card stays valid.
  async onReversed() {},
  async onRefunded() {},

  async onFailed(app, tx, { reference, orgId }, reason) {
    tx.afterCommit(() => app.log.info({ reference, orgId, reason }, 'billing.card_check.failed'))
  },
}
