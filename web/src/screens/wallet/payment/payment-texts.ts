// Texts for the status of a payment, and what to do.
import { msg, t } from '../../../i18n/t.ts'
import { kindOf, type PaymentStatus, type Status } from '../top-up/top-up-types.ts'

export const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  pending: msg('Waiting'),
  settled: msg('Paid'),
  failed: msg('Failed'),
  expired: msg('Expired'),
  review: msg('Under review'),
}
export const STATUS_CHIPS: Readonly<Record<Status, string>> = {
  pending: '',
  settled: 'ok',
  failed: 'bad',
  expired: 'bad',
  review: 'warn',
}

export type StatusTexts = { title: string; text: string }

export function statusTexts(payment: PaymentStatus, amount: string): StatusTexts {
  const { status, reason, mode, channel } = payment
  switch (status) {
    case 'settled':
      return {
        title: t('{amount} is in your wallet', { amount }),
        text: t('Your payment has arrived.'),
      }
    case 'pending':
      return {
        title: t('Waiting for {amount}', { amount }),
        text:
          mode === 'mock'
            ? t('Your payment is pending.')
            : t(
                'Your payment has not arrived yet. Some methods take a few minutes. You can close this page: we will email you.',
              ),
      }
    case 'failed':
      return {
        title: t('{amount} was not paid', { amount }),
        text: [
          reasonOf(payment),
          t('Nothing was added to your wallet. Top up again or choose another payment method.'),
        ].join(' '),
      }
    case 'expired':
      return {
        title: t('{amount} was not paid in time', { amount }),
        text:
          kindOf(channel) === 'push'
            ? t(
                'The phone did not answer in time. It may be off or without signal, busy with another session, or have an old SIM. If you have paid, check again: late payments still count.',
              )
            : t(
                'This payment has expired. If you have not paid, top up again. If you have paid, check again: late payments still count.',
              ),
      }
    case 'review':
      return {
        title: t('We are checking your payment of {amount}', { amount }),
        text: [
          reason ?? t('The amount received differs from the amount requested.'),
          t('Our team is checking it. Do not pay again. If you contact us, give the reference.'),
        ].join(' '),
      }
  }
}

const reasonOf = ({ reason }: PaymentStatus): string => reason ?? t('The provider rejected the payment.')

/** Finished payments need no further check; after a failure money may still arrive. */
export const canCheckAgain = (status: Status): boolean => status !== 'settled' && status !== 'review'
