// The code that some networks send to a payer, handed on to the provider that asked for it.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { isPush } from '../channel-life.ts'
import { accountOf } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { replaceHandOff } from '../sql/otp-sql.ts'
import * as sql from '../sql/payments.ts'
import { type TopupResult, toResult } from './topup.ts'

/** As long as a payer has: who used all of them up begins another top-up. */
const CODES: AttemptLimit = { name: 'topup.otp', most: 5, withinSeconds: 900 }

/** A code that the network does not take decides nothing, unless the provider says that it ended the payment. */
export async function submitOtp(
  app: App,
  { orgId }: Actor,
  reference: string,
  otp: string,
): Promise<TopupResult> {
  const topup = await app.db.tx(orgId, (tx) => sql.findPayment(tx, orgId, reference))
  if (!topup) throw new ApiError('not_found')
  const rail = accountOf(app, topup)
  if (!rail?.submitOtp || !waitsForCode(topup)) throw new ApiError('code_not_expected')
  const { allowed, retryAfter } = await tryOnce(app, app.db.direct, CODES, reference)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })

  const said = await rail.submitOtp(monitoredClient(app, rail), reference, otp)
  switch (said.outcome) {
    case 'accepted':
      await app.db.tx(orgId, (tx) => replaceHandOff(tx, reference, said.handOff))
      return toResult({ ...topup, handOff: said.handOff })
    case 'known':
      return toResult(topup)
    case 'rejected':
      app.log.warn({ rail: rail.name, reference, detail: said.detail }, 'a code of a payer was refused')
      throw await refusal(app, topup, said.reason)
    case 'unknown':
      app.log.warn({ rail: rail.name, reference, reason: said.reason }, 'a code of a payer got no answer')
      throw new ApiError('rail_unavailable', { reference })
  }
}

/** Where the answer that asks for a code was lost, only the provider knows whether it waits for one. */
const waitsForCode = ({ status, handOff, channel }: sql.Topup): boolean =>
  status === 'pending' && (handOff === null ? isPush(channel) : handOff.otpRequired === true)

async function refusal(app: App, { reference }: sql.Topup, reason: string): Promise<ApiError> {
  const { status } = await reconcilePayment(app, reference, 'verify')
  return status === 'pending'
    ? new ApiError('payment_code_refused', { reference })
    : new ApiError('payment_refused', { reference, reason })
}
