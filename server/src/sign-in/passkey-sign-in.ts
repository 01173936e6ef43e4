// Signing in with a passkey. The authenticator has checked the person itself, so it stands for both factors.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type AccountRef, identifyDevice, NotSignedIn, readDeviceCookie, signIn, userById } from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { makeChallenge, takeChallenge } from './passkey-challenge.ts'
import * as sql from './passkeys-sql.ts'
import { checkAssertion, NotAccepted, requestOptions, siteOf } from './webauthn.ts'

/** Asks for no name: the person picks a passkey, and it says whose it is. Only this browser can answer. */
export async function optionsToSignIn(app: App, request: RequestInfo) {
  const device = identifyDevice(app.config, request)
  if (device.cookie) request.setCookie(device.cookie)
  const challenge = await makeChallenge(app, { userId: null, browser: device.hash })
  return requestOptions(siteOf(app.config), challenge)
}

export async function signInWithPasskey(
  app: App,
  request: RequestInfo,
  response: AuthenticationResponseJSON,
): Promise<AccountRef> {
  const shown = await check(app, request, response)
  if (shown instanceof NotAccepted) throw refuse(app, request, shown)
  const entered = await signIn(app, request, async (tx) => {
    // Looked at above and again here: another replica may have taken a later use in between.
    if (!(await sql.usePasskey(tx, shown.id, shown)))
      return new NotSignedIn(new NotAccepted('it was removed, or its counter did not go forward'))
    const user = await userById(tx, shown.userId)
    assert(user, 'a passkey belongs to an account')
    return { user, method: 'passkey' }
  })
  if (entered instanceof NotSignedIn) throw refuse(app, request, entered.outcome)
  return entered
}

async function check(app: App, request: RequestInfo, response: AuthenticationResponseJSON) {
  const browser = readDeviceCookie(request)
  const { clientDataJSON, userHandle } = response.response
  const challenge = browser && (await takeChallenge(app, { userId: null, browser }, clientDataJSON))
  if (!challenge) return new NotAccepted('its challenge is not ours, of another browser, too old or used')

  const credentialId = new Uint8Array(Buffer.from(response.id, 'base64url'))
  const passkey = await sql.findCredential(app.db.direct, credentialId)
  if (!passkey) return new NotAccepted('the credential is unknown')
  if (Buffer.from(userHandle ?? '', 'base64url').toString() !== passkey.userId)
    return new NotAccepted('it names another account than the one it was added to')

  const checked = await checkAssertion(siteOf(app.config), response, challenge, { ...passkey, credentialId })
  return checked instanceof NotAccepted ? checked : { ...checked, id: passkey.id, userId: passkey.userId }
}

/** One answer for everything, so that nobody learns which credentials exist; the log knows the reason. */
function refuse(app: App, request: RequestInfo, { reason }: NotAccepted): ApiError {
  app.log.info({ requestId: request.id, address: request.address, reason }, 'sign_in.passkey.rejected')
  return new ApiError('passkey_refused')
}
