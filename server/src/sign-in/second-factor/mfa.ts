// Two-step sign-in: enrolment, deactivation and recovery codes.
import {
  endSessions,
  forgetSecondFactors,
  lockUser,
  recordSecondFactor,
  requireRecentSignIn,
  setMfaEnabled,
} from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { qrSvg } from '../../platform/qr.ts'
import { completeSecurityChange } from '../security-change.ts'
import { dropChallenges } from './challenge.ts'
import { checkSecondFactor, type SecondFactor, secretContext } from './check-code.ts'
import * as sql from './mfa-sql.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { requireFactorOfStaff } from './step-up.ts'
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts'

// A pending secret expires, so that a later user of an open session cannot guess its code.
const ENROLMENT_LIFETIME = { minutes: 15 }

export async function getMfaStatus(app: App, actor: Actor) {
  return { enabled: actor.mfaEnabled, ...(await sql.countFactors(app.db.direct, actor.userId)) }
}

/**
 * Creates a secret for an authenticator app. It has no effect until `confirmEnrolment`; a new call replaces
 * it.
 */
export async function startEnrolment(app: App, actor: Actor) {
  requireRecentSignIn(app, actor)
  await requireFactorOfStaff(app, actor)
  const secret = newTotpSecret()
  const sealed = app.secrets.seal(secret, secretContext(actor.userId))
  const isPending = await app.db.tx('platform', (tx) => sql.putPendingSecret(tx, actor.userId, sealed))
  if (!isPending) throw new ApiError('mfa_already_enabled')
  const url = otpauthUrl(secret, actor.email)
  return { secret, otpauthUrl: url, qrSvg: qrSvg(url) }
}

/** Turns two-step sign-in on with a first code and ends every other session. */
export async function confirmEnrolment(
  app: App,
  actor: Actor,
  request: RequestInfo,
  code: string,
): Promise<string[]> {
  const { userId } = actor
  await requireFactorOfStaff(app, actor)
  return app.db.tx('platform', async (tx) => {
    if ((await lockUser(tx, userId))?.mfaEnabled) throw new ApiError('mfa_already_enabled')
    await requireFirstCode(app, tx, userId, code)
    await sql.confirmSecret(tx, userId)
    const codes = await issueRecoveryCodes(tx, userId)
    await setMfaEnabled(tx, userId, true)
    await endSessions(tx, userId, actor.sessionId)
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.mfa.verify',
      target: userId,
      metadata: {},
      subject: 'Two-step sign-in is on',
      message:
        'From now on, signing in to your Cowrie account asks for a code of your authenticator app. All other sessions were ended.',
    })
    await recordSecondFactor(tx, actor)
    return codes
  })
}

export const disableMfa = (app: App, actor: Actor, request: RequestInfo, code: string): Promise<void> =>
  withCode(app, actor, code, async (tx, factor) => {
    await sql.deleteSecret(tx, actor.userId)
    await sql.deleteRecoveryCodes(tx, actor.userId)
    await setMfaEnabled(tx, actor.userId, false)
    await forgetSecondFactors(tx, actor.userId)
    await dropChallenges(tx, actor.userId)
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.mfa.disable',
      target: actor.userId,
      metadata: { shown: factor },
      subject: 'Two-step sign-in is off',
      message:
        'Signing in to your Cowrie account no longer asks for a code. Its recovery codes do not work any more.',
    })
  })

/** For an account that its owner recovers: an authenticator app that was added since would lock the owner out. */
export async function removeMfaSince(tx: Tx, userId: UserId, since: Date): Promise<void> {
  if (!(await sql.deleteSecretSince(tx, userId, since))) return
  await sql.deleteRecoveryCodes(tx, userId)
  await setMfaEnabled(tx, userId, false)
}

export const replaceRecoveryCodes = (
  app: App,
  actor: Actor,
  request: RequestInfo,
  code: string,
): Promise<string[]> =>
  withCode(app, actor, code, async (tx, factor) => {
    const codes = await issueRecoveryCodes(tx, actor.userId)
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.mfa.recoveryCodes',
      target: actor.userId,
      metadata: { shown: factor },
      subject: 'Your recovery codes were replaced',
      message: 'Your Cowrie account has new recovery codes. The earlier ones do not work any more.',
    })
    return codes
  })

/** Runs a change that needs the second factor in addition to the session. */
async function withCode<T>(
  app: App,
  { userId }: Actor,
  code: string,
  change: (tx: Tx, factor: SecondFactor) => Promise<T>,
): Promise<T> {
  const outcome = await app.db.tx('platform', async (tx) => {
    if (!(await lockUser(tx, userId))?.mfaEnabled) throw new ApiError('mfa_not_enabled')
    const factor = await checkSecondFactor(app, tx, userId, code)
    return factor instanceof ApiError ? factor : { done: await change(tx, factor) }
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome.done
}

async function requireFirstCode(app: App, tx: Tx, userId: UserId, code: string): Promise<void> {
  const pending = await sql.findPendingSecret(tx, userId, before(tx.now, ENROLMENT_LIFETIME))
  if (!pending)
    throw new ApiError('mfa_not_enabled', {
      error: 'No setup of two-step sign-in was started in the last 15 minutes. Start again.',
    })
  if (stepOfCode(app.secrets.open(pending.sealed, secretContext(userId)), code, tx.now) === null)
    throw new ApiError('wrong_code')
}

async function issueRecoveryCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => {
    const hash = recoveryCodeHash(userId, code)
    assert(hash, 'a code that we made is one')
    return hash
  })
  await sql.replaceRecoveryCodes(tx, userId, hashes)
  return codes
}
