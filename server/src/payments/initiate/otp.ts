// Submits the one-time code that some mobile networks send to a payer.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Language } from '../../platform/texts/language.ts'
import { isPush } from '../channels.ts'
import { accountOf } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { findPayment, type Payment, replaceHandOff } from '../sql/payments.ts'
import { type TopupResult, toResult } from './topup.ts'

/** The window is the lifetime of a push payment: after the last attempt the payer starts a new top-up. */
const CODE_ATTEMPTS: AttemptLimit = { name: 'topup.otp', most: 5, withinSeconds: 900 }

/** A rejected code leaves the payment pending, unless the provider ended it. */
export async function submitOtp(
  app: App,
  { orgId }: Actor,
  reference: string,
  otp: string,
  language: Language,
): Promise<TopupResult> {
  const topup = await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))
  if (!topup) throw new ApiError('not_found')
  const rail = accountOf(app, topup)
  if (!rail?.submitOtp || !expectsCode(topup)) throw new ApiError('code_not_expected')
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, CODE_ATTEMPTS, reference)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })

  const result = await rail.submitOtp(monitoredClient(app, rail), reference, otp)
  switch (result.outcome) {
    case 'accepted':
      await app.db.tx(orgId, (tx) => replaceHandOff(tx, reference, result.handOff))
      return toResult({ ...topup, handOff: result.handOff }, language)
    case 'known':
      return toResult(topup, language)
    case 'rejected':
      app.log.warn({ rail: rail.name, reference, detail: result.detail }, 'payments.otp.rejected')
      throw await rejection(app, topup, result.reason)
    case 'unknown':
      app.log.warn({ rail: rail.name, reference, reason: result.reason }, 'payments.otp.unknown')
      throw new ApiError('rail_unavailable', { reference })
  }
}

/** Without a stored hand-off the provider's answer was lost, so a push payment may expect a code. */
const expectsCode = ({ status, handOff, channel }: Payment): boolean =>
  status === 'pending' && (handOff === null ? isPush(channel) : handOff.otpRequired === true)

async function rejection(app: App, { reference }: Payment, reason: string): Promise<ApiError> {
  const { status } = await reconcilePayment(app, reference, 'verify')
  return status === 'pending'
    ? new ApiError('payment_code_refused', { reference })
    : new ApiError('payment_refused', { reference, reason })
}
