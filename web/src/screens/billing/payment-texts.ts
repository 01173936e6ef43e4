// Texts for payments of plans and cards.
import type { Invoice } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'
import { type StatusTexts, statusTexts } from '../wallet/payment/payment-texts.ts'
import type { PaymentStatus } from '../wallet/top-up/top-up-types.ts'

const DONE = msg('Done. Find the invoice under Invoices.')

const PAID_FOR: Readonly<Record<Invoice['subject'], string>> = {
  checkout: msg('Your plan has started. Find the invoice under Invoices.'),
  renewal: msg('Your plan continues. Find the invoice under Invoices.'),
  change: DONE,
  seats: DONE,
  card: msg('The amount is in your wallet. A reusable card is now listed under Cards.'),
  credit: msg('Something else was paid or changed first, so the full amount is in your wallet.'),
  topup: msg('The amount is in your wallet.'),
}

/** The invoice tells what the payment is for. */
export function billPaymentTexts(
  standing: PaymentStatus,
  amount: string,
  subject: Invoice['subject'] | undefined,
): StatusTexts {
  switch (standing.status) {
    case 'settled':
      return {
        title: t('{amount} is paid', { amount }),
        text: subject ? t(PAID_FOR[subject]) : t('The payment has arrived.'),
      }
    case 'failed':
      return {
        title: t('{amount} was not paid', { amount }),
        text: [
          standing.reason ?? t('The provider rejected the payment.'),
          t('Nothing has changed. Start again or use another card.'),
        ].join(' '),
      }
    case 'expired':
      return {
        title: t('{amount} was not paid in time', { amount }),
        text: t(
          'This payment has expired. If you have not paid, start again. If you have paid, check again: late payments still count.',
        ),
      }
    default:
      return statusTexts(standing, amount)
  }
}
