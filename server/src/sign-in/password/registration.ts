// Opening an account: register, and confirm that the address is yours.

import { record } from '../../audit/audit.ts'
import {
  createLink,
  dropLinks,
  dropPassword,
  ensureOwnOrg,
  type LinkRequester,
  lockUser,
  openAccount,
  peekLink,
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
import {
  accountExistsMail,
  choosePasswordMail,
  confirmAgainMail,
  passwordDroppedMail,
  verifyMail,
} from '../link/mails.ts'
import { identifyRequester, mayOpen, orProblemPage, requireConfirmation } from '../link/open-link.ts'
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
  asker: LinkRequester
}
/** How the password compares with that of an account that nobody has confirmed, as it was before the transaction. */
type PasswordComparison = { hash: string | null; isSame: boolean }

// Registrations of one address at the same moment meet each other's account. Whoever has not met it in the same state
// after so many looks is treated as one with another password, which is safe.
const COMPARISONS_MAX = 3

/** Opens an account, or tells the owner of the address that there is one. The caller learns nothing of which it was. */
export async function register(app: App, request: RequestInfo, wanted: RegistrationInput): Promise<void> {
  if (!app.settings.get(signupsEnabled)) throw new ApiError('signups_disabled')
  const email = normaliseEmail(wanted.email)
  checkPassword(wanted.password, email)
  await padTiming(() => registerAddress(app, request, email, wanted))
}

async function registerAddress(
  app: App,
  request: RequestInfo,
  email: string,
  wanted: RegistrationInput,
): Promise<void> {
  // Both in every case, so that the time is the same: see `renew` for what the comparison is good for.
  const passwordHash = await hashPassword(app, wanted.password)
  let compared = await comparePassword(app, email, wanted.password)
  const asker = identifyRequester(app, request)
  // Not before: who is turned away because too many passwords wait has caused no mail.
  const sendsMail = await mayMail(app, 'register', email, request)
  // An account that nobody can confirm is of use to nobody: without the mail nothing happens, in both cases.
  if (!sendsMail) return
  const registration: ValidRegistration = {
    email,
    name: wanted.name ?? null,
    currency: wanted.currency ?? 'NGN',
    passwordHash,
    asker,
  }
  for (
    let times = 1;
    !(await tryRegister(app, request, registration, compared, times === COMPARISONS_MAX));
    times++
  )
    compared = await comparePassword(app, email, wanted.password)
}

async function comparePassword(app: App, email: string, password: string): Promise<PasswordComparison> {
  const met = await userByEmail(app.db.direct, email)
  const hash = met && !met.verified ? met.passwordHash : null
  return { hash, isSame: await verifyPassword(app, hash, password) }
}

/** False when nothing was done, because the account has another password by now than was compared. */
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
    const { token } = await createLink(tx, { kind: 'verify', userId, asker: registration.asker })
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
    // Not in the record of a team that has only invited them: somebody else's address may be the one that is kept.
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
 * An address that was registered before and that nobody has confirmed. One of the two may be a stranger who waits for
 * the owner to confirm an account whose password the stranger knows, and either may have been first. So a password is
 * kept only while it is the only one: with a second one neither counts, the link that was sent before is dead, and the
 * next one lets whoever reads the mail choose. The same password again is the same person, whose mail got lost.
 */
async function repeatRegistration(
  app: App,
  tx: Tx,
  user: User,
  registration: ValidRegistration,
  isSame: boolean,
): Promise<void> {
  const { name, currency, asker } = registration
  await updateRegistration(tx, user.id, { name, currency, orgName: name || user.email })
  if (isSame) {
    const { token } = await createLink(tx, { kind: 'verify', userId: user.id, asker })
    return app.mail.send(tx, confirmAgainMail(app, user.email, token))
  }
  await dropPassword(tx, user.id)
  await dropLinks(tx, user.id, ['verify'])
  const { token } = await createLink(tx, { kind: 'reset', userId: user.id })
  await app.mail.send(tx, choosePasswordMail(app, user.email, token))
}

/** Confirms an address by a token that somebody has sent on purpose. */
export async function verifyAddress(app: App, request: RequestInfo, token: string): Promise<void> {
  await app.db.tx('platform', async (tx) => {
    const link = await useLink(tx, ['verify'], token)
    if (!link) throw new ApiError('link_invalid')
    const { user } = link
    await confirmAddress(app, tx, user, 'its own link')
    await record(tx, {
      orgId: await homeOrg(tx, user.id),
      actor: { kind: 'user', userId: user.id, email: user.email },
      ip: request.address,
      action: 'auth.verify',
      target: user.id,
    })
  })
}

/**
 * Somebody has shown that they read the mails to an address. That does not show that they chose the password: a stranger
 * may have registered it and now waits for them to come in another way, or for a team to bring them in. Then it goes.
 * So does every other mail that could still set a password or open the account, and nobody begins in a stranger's team.
 */
export async function confirmAddress(
  app: App,
  tx: Tx,
  user: User,
  by: 'its own link' | 'another way',
): Promise<void> {
  await verifyUser(tx, user.id)
  await dropLinks(tx, user.id, ['verify', 'reset', 'magic', 'invitation'])
  await ensureOwnOrg(tx, user)
  if (user.passwordHash === null) return
  if (by === 'its own link' && !(await belongsElsewhere(tx, user.id))) return
  await dropPassword(tx, user.id)
  await app.mail.send(tx, passwordDroppedMail(app, user.email))
}

/** The link in the mail was opened. */
export function openVerification(app: App, request: RequestInfo, token: string) {
  return orProblemPage(request, async (): Promise<Answer | { ok: true } | { ok: false; confirm: true }> => {
    const link = await peekLink(app.db.direct, ['verify'], token, app.clock.now())
    if (!link) throw new ApiError('link_invalid')
    if (!mayOpen(request, link)) return requireConfirmation(request, token, 'verify')
    await verifyAddress(app, request, token)
    return wantsPage(request) ? redirect('/app') : { ok: true }
  })
}
