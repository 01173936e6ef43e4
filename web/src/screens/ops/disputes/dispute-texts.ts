// Texts about disputes in the console.
import type { PaymentDispute } from '@cowrie/sdk'
import { msg } from '../../../i18n/t.ts'

type Status = 'unanswered' | 'sending' | 'contested' | 'accepted' | 'won' | 'lost'

export const DISPUTE_TEXTS: Readonly<Record<Status, readonly [words: string, chip: string]>> = {
  unanswered: [msg('Needs an answer'), 'chip warn'],
  sending: [msg('Answer not confirmed'), 'chip warn'],
  contested: [msg('Contested'), 'chip'],
  accepted: [msg('Accepted'), 'chip'],
  won: [msg('Won'), 'chip ok'],
  lost: [msg('Lost'), 'chip bad'],
}

export function disputeStatusOf({ state, answer, answeredAt }: PaymentDispute): Status {
  if (state === 'kept') return 'won'
  if (state !== 'frozen') return 'lost'
  if (answer === null) return 'unanswered'
  return answeredAt === null ? 'sending' : answer
}
