// How a payment stands, in plain words: what is, and what to do about it.
import type { Standing, Status } from './top-up-types.ts'

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'Waiting',
  settled: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  review: 'Being checked',
}

export type Words = { title: string; text: string }

export function wordsOf({ status, reason, mode }: Standing, amount: string): Words {
  switch (status) {
    case 'settled':
      return { title: `${amount} is in your wallet`, text: 'The payment has arrived. You can spend it now.' }
    case 'pending':
      return {
        title: `Waiting for ${amount}`,
        text:
          mode === 'mock'
            ? 'This payment is not decided yet.'
            : 'Your payment has not arrived yet. Some ways to pay take a few minutes. You may close this page: we keep watching, and mail you when it is here.',
      }
    case 'failed':
      return {
        title: `${amount} was not paid`,
        text: [
          reason ?? 'The provider did not take the payment.',
          'Nothing was added to your wallet. Top up again, or choose another way to pay.',
        ].join(' '),
      }
    case 'expired':
      return {
        title: `${amount} was not paid in time`,
        text: 'The time for this payment is over. If you have not paid, top up again. If you have paid, check again: money that comes late is still yours.',
      }
    case 'review':
      return {
        title: `We are checking your payment of ${amount}`,
        text: [
          reason ?? 'What arrived is not what was asked for.',
          'A person looks at it. Do not pay again; if you write to us, name the reference.',
        ].join(' '),
      }
  }
}

/** A payment that is over for good needs no further question; after a failure money may still come. */
export const mayAskAgain = (status: Status): boolean => status !== 'settled' && status !== 'review'
