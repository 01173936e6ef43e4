// Sign-in with a passkey. The authenticator verifies the user itself, so a passkey replaces both factors.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import {
  type AccountRef,
  identifyDevice,
  NotSignedIn,
  readDeviceCookie,
  signIn,
  userById,
} from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { consumePasskeyChallenge, createPasskeyChallenge } from './challenge.ts'
import * as sql from './sql.ts'
import { RejectedCredential, requestOptions, toRelyingParty, verifyAssertion } from './webauthn.ts'

/** Needs no address: the user picks a passkey, which identifies the account. Only this browser can answer. */
export async function getSignInOptions(app: App, request: RequestInfo) {
  const device = identifyDevice(app.config, request)
  if (device.cookie) request.setCookie(device.cookie)
  const challenge = await createPasskeyChallenge(app, { userId: null, browser: device.hash })
  return requestOptions(toRelyingParty(app.config), challenge)
}

export async function signInWithPasskey(
  app: App,
  request: RequestInfo,
  response: AuthenticationResponseJSON,
): Promise<AccountRef> {
  const browser = readDeviceCookie(request)
  const verified = await verifyResponse(app, browser && { userId: null, browser }, response)
  if (verified instanceof RejectedCredential) throw toRefusal(app, request, verified)
  const account = await signIn(app, request, async (tx) => {
    // Checked again here: another replica may have recorded a later use.
    if (!(await sql.usePasskey(tx, verified.id, verified)))
      return new NotSignedIn(new RejectedCredential(NOT_USABLE))
    const user = await userById(tx, verified.userId)
    assert(user, 'a passkey belongs to an account')
    return { user, method: 'passkey' }
  })
  if (account instanceof NotSignedIn) throw toRefusal(app, request, account.outcome)
  return account
}

/**
 * Verifies a passkey of a signed-in user. Returns the function that records its use, which returns the refusal of one that
 * may be cloned.
 */
export async function verifyPasskeyOf(
  app: App,
  { userId }: Actor,
  request: RequestInfo,
  response: AuthenticationResponseJSON,
): Promise<(tx: Tx) => Promise<'passkey' | ApiError>> {
  const verified = await verifyResponse(app, { userId, browser: null }, response)
  if (verified instanceof RejectedCredential) throw toRefusal(app, request, verified)
  if (verified.userId !== userId)
    throw toRefusal(app, request, new RejectedCredential('it belongs to another account'))
  return async (tx) =>
    (await sql.usePasskey(tx, verified.id, verified))
      ? 'passkey'
      : toRefusal(app, request, new RejectedCredential(NOT_USABLE))
}

const NOT_USABLE = 'it was removed, or its counter did not go forward'

async function verifyResponse(
  app: App,
  requester: sql.PasskeyRequester | null,
  response: AuthenticationResponseJSON,
) {
  const { clientDataJSON, userHandle } = response.response
  const challenge = requester && (await consumePasskeyChallenge(app, requester, clientDataJSON))
  if (!challenge)
    return new RejectedCredential('its challenge is not ours, of another browser, too old or used')

  const credentialId = new Uint8Array(Buffer.from(response.id, 'base64url'))
  const passkey = await sql.findCredential(app.db.direct, credentialId)
  if (!passkey) return new RejectedCredential('the credential is unknown')
  if (Buffer.from(userHandle ?? '', 'base64url').toString() !== passkey.userId)
    return new RejectedCredential('it names another account than the one it was added to')

  const checked = await verifyAssertion(toRelyingParty(app.config), response, challenge, {
    ...passkey,
    credentialId,
  })
  return checked instanceof RejectedCredential
    ? checked
    : { ...checked, id: passkey.id, userId: passkey.userId }
}

/** One error for every reason, so that it does not reveal which credentials exist. The log has the reason. */
function toRefusal(app: App, request: RequestInfo, { reason }: RejectedCredential): ApiError {
  app.log.info({ requestId: request.id, address: request.address, reason }, 'sign_in.passkey.rejected')
  return new ApiError('passkey_refused')
}
