// The code that some networks send to a payer, handed on to the provider that asked for it.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../platform/attempts/attempts.ts'
import type { Actor } from '../platform/http/actor.ts'
import { openLine } from './rails/line.ts'
import type { PaystackRail } from './rails/paystack.ts'
import type { OpenRail } from './rails/rail.ts'
import { openRail } from './rails.ts'
import * as sql from './sql.ts'
import { type TopupResult, toResult } from './topup.ts'

const CODES: AttemptLimit = { name: 'topup.code', most: 5, withinSeconds: 900 }

/** A wrong code decides nothing: the payment waits for another until its time is over. */
export async function submitCode(
  app: App,
  { orgId }: Actor,
  reference: string,
  code: string,
): Promise<TopupResult> {
  const topup = await app.db.tx(orgId, (tx) => sql.topupOf(tx, orgId, reference))
  if (!topup) throw new ApiError('not_found')
  const rail = openRail(app, topup.rail)
  if (topup.status !== 'pending' || !rail || !takesCodes(rail, topup)) throw new ApiError('code_not_expected')
  const { allowed, retryAfter } = await tryOnce(app, app.db.direct, CODES, reference)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })

  const said = await rail.submitOtp(openLine(app), reference, code)
  if (said.outcome === 'rejected') throw new ApiError('payment_refused', { reference, reason: said.reason })
  if (said.outcome === 'unknown') throw new ApiError('rail_unavailable', { reference })
  return toResult({ ...topup, handOff: said.outcome === 'accepted' ? said.handOff : topup.handOff })
}

const takesCodes = (rail: OpenRail, { channel }: sql.Topup): rail is PaystackRail =>
  'submitOtp' in rail && (channel === 'telecel_cash' || channel === 'airteltigo')
