// How a payment for a plan or a card stands.
import { type Words, wordsOf } from '../wallet/payment-words.ts'
import type { Standing } from '../wallet/top-up-types.ts'
import type { Subject } from './types.ts'

const DONE = 'It is done, and the invoice is below.'

const PAID_FOR: Readonly<Record<Subject, string>> = {
  checkout: 'Your plan has begun, and its invoice is below.',
  renewal: 'Your plan goes on, and its invoice is below.',
  change: DONE,
  seats: DONE,
  card: 'The amount is in your wallet. If the card can be charged again, it is among your cards now.',
  credit: 'Something else was paid or changed before, so the whole amount is in your wallet.',
  topup: 'The amount is in your wallet.',
}

/** Its invoice says what it was for. */
export function billWordsOf(standing: Standing, amount: string, subject: Subject | undefined): Words {
  switch (standing.status) {
    case 'settled':
      return { title: `${amount} is paid`, text: subject ? PAID_FOR[subject] : 'The payment has arrived.' }
    case 'failed':
      return {
        title: `${amount} was not paid`,
        text: [
          standing.reason ?? 'The provider did not take the payment.',
          'Nothing has changed. Begin again, or use another card.',
        ].join(' '),
      }
    case 'expired':
      return {
        title: `${amount} was not paid in time`,
        text: 'The time for this payment is over. If you have not paid, begin again. If you have paid, check again: money that comes late is still yours.',
      }
    default:
      return wordsOf(standing, amount)
  }
}
