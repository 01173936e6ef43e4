// Starts top-ups.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { Language } from '../../platform/texts/language.ts'
import { translated } from '../../platform/texts/texts.ts'
import type { HandOff } from '../rails/rail.ts'
import type { Payment } from '../sql/payments.ts'
import { initiate } from './initiate.ts'
import { type TopupInput, validateTopup } from './validate-topup.ts'

export type TopupResult = HandOff &
  Pick<Payment, 'reference' | 'mode' | 'status' | 'channel' | 'amountMinor' | 'currency' | 'expiresAt'>

/** A suspended organisation cannot start top-ups, because it could not spend them. Its pending top-ups still settle. */
export async function startTopup(
  app: App,
  { orgId, userId, email, org }: Actor,
  input: TopupInput,
  once: Once,
  language: Language,
): Promise<CommittedReply<TopupResult>> {
  if (org.suspended) throw new ApiError('org_suspended')
  const payment = await initiate(app, {
    ...validateTopup(app, input, org.currency),
    ...{ reference: referenceOf(once), purpose: 'topup', orgId, userId, billId: null },
    email: input.email ?? email,
    customerName: org.name,
    description: 'Cowrie top-up',
  })
  return once.commit(orgId, async () => toResult(payment, language))
}

/** 28 lowercase letters and digits, the same for every retry. */
const referenceOf = ({ id }: Once): string => `tp${id.slice('idem_'.length)}`

/** Instructions are stored in English, as the rail wrote them, and shown in the language of the payer. */
export function toResult(topup: Payment, language: Language): TopupResult {
  const { reference, mode, status, channel, amountMinor, currency, expiresAt, handOff } = topup
  const { authorizationUrl, ussdCode, displayText, otpRequired } = handOff ?? {}
  return {
    reference,
    mode,
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(ussdCode !== undefined && { ussdCode }),
    ...(displayText !== undefined && { displayText: translated(language, displayText) }),
    ...(otpRequired !== undefined && { otpRequired }),
    status,
    channel,
    amountMinor,
    currency,
    expiresAt,
  }
}
