// Step-up: the person behind a session shows the second factor again.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { record } from '../../audit/audit.ts'
import { lockUser, recordSecondFactor, rotateSession } from '../../identity/identity.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { requireStepUp, STEP_UP_LIFETIME } from '../../platform/http/access/access.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { createPasskeyChallenge } from '../passkey/challenge.ts'
import { verifyPasskeyOf } from '../passkey/login.ts'
import { requestOptions, toRelyingParty } from '../passkey/webauthn.ts'
import { recordFailure } from '../password/failures.ts'
import { notifyRecoveryCodeUse } from './challenge.ts'
import { checkSecondFactor, type SecondFactor } from './check-code.ts'
import * as sql from './mfa-sql.ts'

export type ShownFactor = { code: string } | { response: AuthenticationResponseJSON }

export async function getStepUpOptions(app: App, actor: Actor) {
  const challenge = await createPasskeyChallenge(app, { userId: actor.userId, browser: null })
  return requestOptions(toRelyingParty(app.config), challenge)
}

/** Records the second factor in the session of the caller, and in no other one. */
export async function stepUp(app: App, actor: Actor, request: RequestInfo, shown: ShownFactor) {
  // A failed passkey throws here: its challenge is already used up.
  const usePasskey = 'response' in shown ? await verifyPasskeyOf(app, actor, request, shown.response) : null
  const outcome = await app.db.tx('platform', async (tx) => {
    const factor = usePasskey
      ? await usePasskey(tx)
      : await useCode(app, tx, actor, request, 'code' in shown ? shown.code : '')
    if (factor instanceof ApiError) return factor
    await rotateSession(app, tx, actor, request)
    await recordSecondFactor(tx, actor)
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip: request.address,
      action: 'auth.stepUp',
      target: actor.sessionId ?? actor.userId,
      metadata: { shown: factor },
    })
    return { ok: true as const, until: after(tx.now, STEP_UP_LIFETIME) }
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/** Returns an error instead of throwing it: the transaction must commit the counted guess. */
async function useCode(
  app: App,
  tx: Tx,
  { userId }: Actor,
  request: RequestInfo,
  code: string,
): Promise<SecondFactor | ApiError> {
  const user = await lockUser(tx, userId)
  if (!user?.mfaEnabled) return new ApiError('mfa_not_enabled')
  const factor = await checkSecondFactor(app, tx, userId, code)
  if (factor instanceof ApiError && factor.code === 'wrong_code')
    await recordFailure(app, tx, user, request, { method: 'step_up', reason: factor.code })
  if (factor === 'recovery_code') await notifyRecoveryCodeUse(app, tx, user)
  return factor
}

/**
 * Adding or removing a factor of a staff account needs one that the account already has: otherwise a stolen password would be
 * enough to replace them and become staff. An identity provider of a customer never adds the first one.
 */
export async function requireFactorOfStaff(app: App, actor: Actor): Promise<void> {
  if (!app.config.staffSecondFactor || actor.heldStaffRole === null) return
  const { passkeys } = await sql.countFactors(app.db.direct, actor.userId)
  if (actor.mfaEnabled || passkeys > 0) requireStepUp(app, actor)
  else if (actor.ssoOrgId !== null)
    throw new ApiError('forbidden', {
      error:
        'Sign in without single sign-on to set up the second factor of a staff account: your password or a mailed link.',
    })
}
