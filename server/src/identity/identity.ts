// Public API of identity: users, sessions, API keys and authentication of requests.
import { assert } from '../kernel/assert.ts'
import { normaliseEmail } from '../kernel/email.ts'
import type { App } from '../platform/app.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { acceptedLanguage } from '../platform/texts/language.ts'
import { type AccountRef, openAccount } from './accounts/accounts.ts'
import { NotSignedIn, signIn } from './sessions/sessions.ts'
import * as sql from './sql.ts'

export {
  type AccountRef,
  ensureOwnOrg,
  openAccount,
  openAccountWithoutOrg,
  openPersonalOrg,
  updateRegistration,
} from './accounts/accounts.ts'
export {
  allStaff,
  deleteStaff,
  insertStaff,
  type StaffMember,
  setStaffRole,
  staffEmails,
} from './accounts/staff-sql.ts'
export { isInAllowList } from './allowed-addresses.ts'
export { generateKey, parseKey } from './keys/key-format.ts'
export { createKey, revokeKeys } from './keys/keys.ts'
export { isLiveKey } from './keys/keys-sql.ts'
export {
  createLink,
  dropLinks,
  type LinkKind,
  type LinkRequester,
  type MailedLink,
  peekLink,
  sweepLinks,
  useLink,
} from './links/links.ts'
export { gate } from './principal.ts'
export { reloadActor } from './reload-actor.ts'
export { type Device, identifyDevice, readDeviceCookie } from './sessions/device-cookie.ts'
export {
  endGithubSessions,
  endGithubSessionsOf,
  endSessions,
  endSessionsIn,
  endSsoSessions,
  forgetSecondFactors,
  logout,
  NotSignedIn,
  recordSecondFactor,
  requireOpenSession,
  requireRecentSignIn,
  resealCookie,
  rotateSession,
  signIn,
} from './sessions/sessions.ts'
export {
  findOpenSession,
  isKnownDevice,
  isManagedBySso,
  moveSession,
  type SignInMethod,
  sweepSessions,
} from './sessions/sessions-sql.ts'
export {
  countUsers,
  dropPassword,
  languageByEmail,
  languageById,
  lockUser,
  rehashPassword,
  releaseUnverifiedEmail,
  setEmail,
  setMfaEnabled,
  setPassword,
  type User,
  userByEmail,
  userById,
  verifyUser,
} from './sql.ts'

/** Signs a person in by address alone. Exists for development; its route is not found elsewhere. */
export async function devLogin(app: App, email: string, request: RequestInfo): Promise<AccountRef> {
  const account = await signIn(app, request, async (tx) => {
    await openAccount(tx, {
      email,
      verified: true,
      language: acceptedLanguage(request.headers['accept-language']),
    })
    const user = await sql.userByEmail(tx, normaliseEmail(email))
    assert(user, 'an address that cannot be inserted has an account')
    return { user, method: 'dev' }
  })
  assert(!(account instanceof NotSignedIn), 'there is nothing else to find out')
  return account
}
