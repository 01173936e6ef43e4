// Texts for payments of plans and cards.
import type { Invoice } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'
import { type StatusTexts, statusTexts } from '../wallet/payment/payment-texts.ts'
import type { PaymentStatus } from '../wallet/top-up/top-up-types.ts'

const DONE = msg('It is done, and its invoice is among your invoices.')

const PAID_FOR: Readonly<Record<Invoice['subject'], string>> = {
  checkout: msg('Your plan has begun, and its invoice is among your invoices.'),
  renewal: msg('Your plan goes on, and its invoice is among your invoices.'),
  change: DONE,
  seats: DONE,
  card: msg('The amount is in your wallet. If the card can be charged again, it is among your cards now.'),
  credit: msg('Something else was paid or changed before, so the whole amount is in your wallet.'),
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
          standing.reason ?? t('The provider did not take the payment.'),
          t('Nothing has changed. Begin again, or use another card.'),
        ].join(' '),
      }
    case 'expired':
      return {
        title: t('{amount} was not paid in time', { amount }),
        text: t(
          'The time for this payment is over. If you have not paid, begin again. If you have paid, check again: money that comes late is still yours.',
        ),
      }
    default:
      return statusTexts(standing, amount)
  }
}
