// Texts for the status of a payment, and what to do.
import { msg, t } from '../../../i18n/t.ts'
import { kindOf, type PaymentStatus, type Status } from '../top-up/top-up-types.ts'

export const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  pending: msg('Waiting'),
  settled: msg('Paid'),
  failed: msg('Failed'),
  expired: msg('Expired'),
  review: msg('Being checked'),
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
        text: t('The payment has arrived. You can spend it now.'),
      }
    case 'pending':
      return {
        title: t('Waiting for {amount}', { amount }),
        text:
          mode === 'mock'
            ? t('This payment is not decided yet.')
            : t(
                'Your payment has not arrived yet. Some ways to pay take a few minutes. You may close this page: we keep watching, and mail you when it is here.',
              ),
      }
    case 'failed':
      return {
        title: t('{amount} was not paid', { amount }),
        text: [
          reasonOf(payment),
          t('Nothing was added to your wallet. Top up again, or choose another way to pay.'),
        ].join(' '),
      }
    case 'expired':
      return {
        title: t('{amount} was not paid in time', { amount }),
        text:
          kindOf(channel) === 'push'
            ? t(
                'Nobody answered on the phone in time. Mostly the phone was off or without signal, another session was open on it, or its SIM is too old for such prompts. If you have paid, check again: money that comes late is still yours.',
              )
            : t(
                'The time for this payment is over. If you have not paid, top up again. If you have paid, check again: money that comes late is still yours.',
              ),
      }
    case 'review':
      return {
        title: t('We are checking your payment of {amount}', { amount }),
        text: [
          reason ?? t('What arrived is not what was asked for.'),
          t('A person looks at it. Do not pay again; if you write to us, name the reference.'),
        ].join(' '),
      }
  }
}

/** Texts for responses of phone networks, by the message of the service. */
const PHONE_RESPONSES: readonly (readonly [said: RegExp, words: string])[] = [
  [
    /cancelled or not answered|declined on the mock page/,
    msg('You cancelled on the phone, or did not answer.'),
  ],
  [/not enough money/, msg('There is not enough money in your mobile money account.')],
  [
    /Another .* request is open/,
    msg('Another request is open on this phone. Close it, wait two minutes, then send again.'),
  ],
  [/request on the phone expired/, msg('The request on the phone ran out before it was answered.')],
  [
    /could not be reached/,
    msg('Your phone could not be reached. See that it is on and has signal, then send again.'),
  ],
  [/PIN was wrong/, msg('The PIN was wrong. Send again and enter it with care: a few wrong ones lock it.')],
]

function reasonOf({ reason, channel }: PaymentStatus): string {
  if (reason === null) return t('The provider did not take the payment.')
  const words = kindOf(channel) === 'push' && PHONE_RESPONSES.find(([said]) => said.test(reason))?.[1]
  return words ? t(words) : reason
}

/** Finished payments need no further check; after a failure money may still arrive. */
export const canCheckAgain = (status: Status): boolean => status !== 'settled' && status !== 'review'
