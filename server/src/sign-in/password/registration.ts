// Registration, and confirmation of the address.

import { record } from '../../audit/audit.ts'
import {
  type AccountRef,
  createLink,
  dropLinks,
  dropPassword,
  ensureOwnOrg,
  type LinkRequester,
  lockUser,
  NotSignedIn,
  openAccount,
  peekLink,
  signIn,
  type User,
  updateRegistration,
  useLink,
  userByEmail,
  verifyUser,
} from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import { belongsElsewhere, homeOrg, personalOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Answer, redirect } from '../../platform/http/answer.ts'
import { wantsPage } from '../../platform/http/request/request-info.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { signupsEnabled } from '../../platform/settings/platform-settings.ts'
import { acceptedLanguage, type Language } from '../../platform/texts/language.ts'
import {
  accountExistsMail,
  choosePasswordMail,
  confirmAgainMail,
  passwordDroppedMail,
  verifyMail,
} from '../link/mails.ts'
import { identifyRequester, isRequestingBrowser, mayOpen, orProblemPage } from '../link/open-link.ts'
import { announceVerification } from '../verification.ts'
import { mayMail } from './attempt-limits.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'
import { padTiming } from './timing-pad.ts'

export type RegistrationInput = {
  email: string
  password: string
  currency?: Currency | undefined
  name?: string | undefined
}
type ValidRegistration = {
  email: string
  name: string | null
  currency: Currency
  passwordHash: string
  language: Language
  requester: LinkRequester
}
/** The comparison with the password of an unconfirmed account, made before the transaction. */
type PasswordComparison = { hash: string | null; isSame: boolean }

// Concurrent registrations of an address can change its account between comparison and transaction. After
// this many attempts, the password counts as different, which is safe.
const COMPARISONS_MAX = 3

/** Opens an account, or notifies the owner of the address that one exists. The reply is the same. */
export async function register(app: App, request: RequestInfo, input: RegistrationInput): Promise<void> {
  if (!app.settings.get(signupsEnabled)) throw new ApiError('signups_disabled')
  const email = normaliseEmail(input.email)
  checkPassword(input.password, email)
  await padTiming(() => registerAddress(app, request, email, input))
}

async function registerAddress(
  app: App,
  request: RequestInfo,
  email: string,
  input: RegistrationInput,
): Promise<void> {
  // Hash and compare in every case, so that the time is the same. `repeatRegistration` uses the comparison.
  const passwordHash = await hashPassword(app, input.password)
  let compared = await comparePassword(app, email, input.password)
  const requester = identifyRequester(app, request)
  // After hashing: a call rejected by the full queue must not count as a mail.
  const sendsMail = await mayMail(app, 'register', email, request)
  // Without the mail an account cannot be confirmed, so nothing happens, for known and new addresses.
  if (!sendsMail) return
  const registration: ValidRegistration = {
    email,
    name: input.name ?? null,
    currency: input.currency ?? 'NGN',
    passwordHash,
    language: acceptedLanguage(request.headers['accept-language']),
    requester,
  }
  for (
    let times = 1;
    !(await tryRegister(app, request, registration, compared, times === COMPARISONS_MAX));
    times++
  )
    compared = await comparePassword(app, email, input.password)
}

async function comparePassword(app: App, email: string, password: string): Promise<PasswordComparison> {
  const existing = await userByEmail(app.db.direct, email)
  const hash = existing && !existing.verified ? existing.passwordHash : null
  return { hash, isSame: await verifyPassword(app, hash, password) }
}

/** False when nothing was done because the password changed after the comparison. */
function tryRegister(
  app: App,
  request: RequestInfo,
  registration: ValidRegistration,
  compared: PasswordComparison,
  isLast: boolean,
): Promise<boolean> {
  return app.db.tx('platform', async (tx) => {
    const account = await openAccount(tx, { ...registration, verified: false })
    if (!account) return registerKnownAddress(app, tx, request, registration, compared, isLast)
    const { userId, orgId } = account
    const { token } = await createLink(tx, { kind: 'verify', userId, requester: registration.requester })
    await app.mail.send(tx, verifyMail(app, registration.email, token))
    await record(tx, {
      orgId,
      actor: { kind: 'user', userId, email: registration.email },
      ip: request.address,
      action: 'auth.register',
      target: userId,
    })
    return true
  })
}

/** Takes about as many statements as opening an account does, so that the time does not tell the two apart. */
async function registerKnownAddress(
  app: App,
  tx: Tx,
  request: RequestInfo,
  registration: ValidRegistration,
  compared: PasswordComparison,
  isLast: boolean,
): Promise<boolean> {
  const found = await userByEmail(tx, registration.email)
  assert(found, 'an address that cannot be inserted has an account')
  const user = await lockUser(tx, found.id)
  assert(user, 'accounts are not deleted')
  const wasCompared = user.passwordHash === compared.hash
  if (user.verified) {
    await dropLinks(tx, user.id, ['verify'])
    await app.mail.send(tx, accountExistsMail(app, user.email))
  } else if (user.passwordHash === null || wasCompared || isLast)
    await repeatRegistration(app, tx, user, registration, wasCompared && compared.isSame)
  else return false
  await record(tx, {
    // Not in the audit log of a team that invited the address: it may belong to another person.
    orgId: await personalOrg(tx, user.id),
    actor: { kind: 'system' },
    ip: request.address,
    action: 'auth.register',
    target: user.id,
    metadata: { known: true },
  })
  return true
}

/**
 * Handles a second registration of an unconfirmed address. Either registration may come from a stranger who
 * knows its password and waits for the owner to confirm. So with two different passwords neither is kept: the
 * old link stops working, and a new link lets the reader of the mailbox choose one. The same password again
 * comes from the same user, whose mail got lost.
 */
async function repeatRegistration(
  app: App,
  tx: Tx,
  user: User,
  registration: ValidRegistration,
  isSame: boolean,
): Promise<void> {
  const { name, currency, language, requester } = registration
  await updateRegistration(tx, user.id, { name, currency, language, orgName: name || user.email })
  if (isSame) {
    const { token } = await createLink(tx, { kind: 'verify', userId: user.id, requester })
    return app.mail.send(tx, confirmAgainMail(app, user.email, token))
  }
  await dropPassword(tx, user.id)
  await dropLinks(tx, user.id, ['verify'])
  const { token } = await createLink(tx, { kind: 'reset', userId: user.id })
  await app.mail.send(tx, choosePasswordMail(app, user.email, token))
}

type Verification = { ok: true; signedIn: false } | ({ ok: true; signedIn: true } & AccountRef)
const CONFIRMED: Verification = { ok: true, signedIn: false }

/**
 * Confirms an address with a posted token. The browser that registered is signed in as well. Another browser is not:
 * its user may have been sent the link of a foreign account.
 */
export async function verifyAddress(app: App, request: RequestInfo, token: string): Promise<Verification> {
  const link = await peekLink(app.db.direct, ['verify'], token, app.clock.now())
  if (link && isRequestingBrowser(request, link)) {
    const outcome = await confirmAndSignIn(app, request, token)
    if (outcome) return outcome
  }
  await app.db.tx('platform', (tx) => consumeVerification(app, tx, request, token))
  return CONFIRMED
}

/** Null, and nothing has changed, when the address must use single sign-on. */
async function confirmAndSignIn(app: App, request: RequestInfo, token: string): Promise<Verification | null> {
  try {
    const account = await signIn<Verification>(app, request, async (tx) => {
      const user = await consumeVerification(app, tx, request, token)
      if (user.mfaEnabled) return new NotSignedIn(CONFIRMED)
      return { user: { ...user, verified: true }, method: 'verification' }
    })
    return account instanceof NotSignedIn ? account.outcome : { ok: true, signedIn: true, ...account }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'sso_required') return null
    throw error
  }
}

async function consumeVerification(app: App, tx: Tx, request: RequestInfo, token: string): Promise<User> {
  const link = await useLink(tx, ['verify'], token)
  if (!link) throw new ApiError('link_invalid')
  const { user } = link
  await confirmAddress(app, tx, request, user, 'verification link')
  await record(tx, {
    orgId: await homeOrg(tx, user.id),
    actor: { kind: 'user', userId: user.id, email: user.email },
    ip: request.address,
    action: 'auth.verify',
    target: user.id,
  })
  return user
}

/**
 * Confirms an address. Reading the mailbox does not prove who chose the password: a stranger may have
 * registered the address and waited. In that case the password is removed. All open links stop working, and
 * the user starts in a personal organisation.
 */
export async function confirmAddress(
  app: App,
  tx: Tx,
  request: RequestInfo,
  user: User,
  by: 'verification link' | 'other method',
): Promise<void> {
  await verifyUser(tx, user.id)
  await dropLinks(tx, user.id, ['verify', 'reset', 'magic', 'invitation'])
  await ensureOwnOrg(tx, user)
  await announceVerification(app, tx, request, user)
  if (user.passwordHash === null) return
  if (by === 'verification link' && !(await belongsElsewhere(tx, user.id))) return
  await dropPassword(tx, user.id)
  await app.mail.send(tx, passwordDroppedMail(app, user.email))
}

/**
 * Handles a GET of the link in the mail. In a browser it confirms nothing: browsers load pages ahead. The page posts
 * the token by itself where this browser registered (`own`), and otherwise has a button.
 */
export function openVerification(app: App, request: RequestInfo, token: string) {
  return orProblemPage(request, async (): Promise<Answer | { ok: true } | { ok: false; confirm: true }> => {
    const link = await peekLink(app.db.direct, ['verify'], token, app.clock.now())
    if (!link) throw new ApiError('link_invalid')
    if (wantsPage(request)) {
      const own = isRequestingBrowser(request, link) ? '&own=1' : ''
      return redirect(`/app/sign-in/link#token=${encodeURIComponent(token)}&kind=verify${own}`)
    }
    if (!mayOpen(request, link)) return { ok: false, confirm: true }
    await app.db.tx('platform', (tx) => consumeVerification(app, tx, request, token))
    return { ok: true }
  })
}
