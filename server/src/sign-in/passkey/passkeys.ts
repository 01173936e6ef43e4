// Passkeys: add, list and remove.
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import {
  forgetSecondFactors,
  lockUser,
  recordSecondFactor,
  requireRecentSignIn,
  userById,
} from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { withoutAutoLinks } from '../../platform/mail/mail.ts'
import { requireFactorOfStaff } from '../second-factor/step-up.ts'
import { completeSecurityChange } from '../security-change.ts'
import { consumePasskeyChallenge, createPasskeyChallenge } from './challenge.ts'
import * as sql from './sql.ts'
import { creationOptions, RejectedCredential, toRelyingParty, verifyRegistration } from './webauthn.ts'

const PASSKEYS_MAX = 20

export const listPasskeys = (app: App, actor: Actor): Promise<sql.Passkey[]> =>
  sql.listPasskeys(app.db.direct, actor.userId)

export async function getRegistrationOptions(app: App, actor: Actor) {
  requireRecentSignIn(app, actor)
  await requireFactorOfStaff(app, actor)
  const known = await sql.listCredentials(app.db.direct, actor.userId)
  if (known.length >= PASSKEYS_MAX) throw new ApiError('limit_reached')
  const user = await userById(app.db.direct, actor.userId)
  assert(user, 'the caller has an account')
  const challenge = await createPasskeyChallenge(app, { userId: user.id, browser: null })
  return creationOptions(toRelyingParty(app.config), challenge, user, known)
}

/** Adds a passkey. A new sign-in method rotates the session cookie. */
export async function addPasskey(
  app: App,
  actor: Actor,
  request: RequestInfo,
  { name, response }: { name: string; response: RegistrationResponseJSON },
): Promise<sql.Passkey> {
  requireRecentSignIn(app, actor)
  await requireFactorOfStaff(app, actor)
  const requester = { userId: actor.userId, browser: null }
  const challenge = await consumePasskeyChallenge(app, requester, response.response.clientDataJSON)
  const credential = challenge
    ? await verifyRegistration(toRelyingParty(app.config), response, challenge)
    : new RejectedCredential('its challenge is not ours, not theirs, too old or used')
  if (credential instanceof RejectedCredential) {
    app.log.info({ userId: actor.userId, reason: credential.reason }, 'sign_in.passkey.registration_rejected')
    throw new ApiError('passkey_invalid')
  }
  return app.db.tx('platform', async (tx) => {
    await lockUser(tx, actor.userId)
    if ((await sql.countPasskeys(tx, actor.userId)) >= PASSKEYS_MAX) throw new ApiError('limit_reached')
    const passkey = await sql.insertPasskey(tx, {
      ...credential,
      id: newId('pky'),
      userId: actor.userId,
      name,
      transports: response.response.transports ?? [],
    })
    if (!passkey) throw new ApiError('passkey_invalid')
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.passkeys.add',
      target: passkey.id,
      metadata: { name },
      subject: 'A passkey was added to your Cowrie account',
      message: `Your account can now be signed in to with the passkey “${withoutAutoLinks(name)}”, without a password or a code.`,
    })
    await recordSecondFactor(tx, actor)
    return passkey
  })
}

export async function removePasskey(app: App, actor: Actor, request: RequestInfo, id: string): Promise<void> {
  requireRecentSignIn(app, actor)
  await requireFactorOfStaff(app, actor)
  return app.db.tx('platform', async (tx) => {
    const removed = await sql.deletePasskey(tx, actor.userId, id)
    if (!removed) throw new ApiError('not_found')
    await forgetSecondFactors(tx, actor.userId)
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.passkeys.remove',
      target: id,
      metadata: { name: removed.name },
      subject: 'A passkey was removed from your Cowrie account',
      message: `The passkey “${withoutAutoLinks(removed.name)}” no longer opens your account.`,
    })
  })
}
