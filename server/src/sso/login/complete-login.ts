// Completes a sign-in after the identity provider has authenticated the user: finds or creates the account,
// the membership and the role.

import { record } from '../../audit/audit.ts'
import {
  type AccountRef,
  dropLinks,
  dropPassword,
  endSessions,
  lockUser,
  NotSignedIn,
  openAccountWithoutOrg,
  signIn,
  type User,
  userByEmail,
  userById,
  verifyUser,
} from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import {
  countMembers,
  findMembership,
  findOrg,
  insertMembership,
  lockOrg,
  setMemberRole,
} from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgRole } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { email as addressShape, line } from '../../platform/http/shapes.ts'
import { acceptedLanguage } from '../../platform/texts/language.ts'
import { domainOfEmail } from '../domain-names.ts'
import { roleByGroups } from '../group-roles.ts'
import type { IdpConnection } from '../sql.ts'
import { lockUnchangedConnection, lockVerifiedDomain } from '../sql.ts'
import type { LoginFlow } from './flows-sql.ts'
import * as sql from './flows-sql.ts'

/** Verified claims of a provider about a user. */
export type SsoClaims = {
  issuer: string
  /** The permanent identifier of the user at the issuer; never a transient one. */
  subject: string
  email: string | null
  /** Null when the provider does not send it. */
  emailVerified: boolean | null
  name: string | null
  groups: readonly string[]
}

/** The reason goes to the log; the caller gets only the code. */
type LoginDenial = { code: 'sso_failed' | 'seats_exceeded'; reason: string }
type LoginAttempt = { tx: Tx; request: RequestInfo; connection: IdpConnection; claims: SsoClaims }

/**
 * Signs the user in. `consume` consumes the flow in the same transaction, and it stays consumed after a
 * denial. Throws `sso_failed`, or `seats_exceeded` when the organisation has no free seat.
 */
export async function completeLogin(
  app: App,
  request: RequestInfo,
  connection: IdpConnection,
  claims: SsoClaims,
  consume: (tx: Tx) => Promise<LoginFlow | null>,
): Promise<{ account: AccountRef; next: string }> {
  let next = ''
  const account = await signIn<LoginDenial>(app, request, async (tx) => {
    // Lock order: the connection before its flows, as a deletion does.
    const isInUse = await lockUnchangedConnection(tx, connection)
    const flow = await consume(tx)
    if (!isInUse || flow?.connectionId !== connection.id)
      return deny('the sign-in or the connection is not what it was')
    next = flow.next
    const user = await resolveUser({ tx, request, connection, claims })
    if (user instanceof NotSignedIn) return user
    return { user, method: connection.type, orgId: connection.orgId, ssoOrgId: connection.orgId }
  })
  if (!(account instanceof NotSignedIn)) return { account, next }
  const { code, reason } = account.outcome
  app.log.warn({ connectionId: connection.id, orgId: connection.orgId, reason }, 'sso.login.denied')
  throw new ApiError(code)
}

/** Runs every check before the first write. */
async function resolveUser(attempt: LoginAttempt): Promise<User | NotSignedIn<LoginDenial>> {
  const { tx, connection, claims } = attempt
  if (!isValidSubject(claims.issuer) || !isValidSubject(claims.subject)) return deny('the subject is no name')
  const identity = { connectionId: connection.id, issuer: claims.issuer, subject: claims.subject }
  const known = await findLinkedUser(tx, identity, connection.orgId)
  const email = known?.email ?? toEmail(claims)
  if (!email) return deny('the provider names no address, or does not vouch for it')
  // A provider is trusted only for addresses of verified domains of its organisation.
  if (!(await lockVerifiedDomain(tx, connection.orgId, domainOfEmail(email))))
    return deny('the address is of a domain that the organisation has not verified')

  const existing = known ?? (await userByEmail(tx, email))
  if (!known && existing && (await sql.hasIdentity(tx, identity, existing.id)))
    return deny('the account with the address belongs to another subject')
  const role = existing ? ((await findMembership(tx, connection.orgId, existing.id))?.role ?? null) : null
  // Otherwise a sign-in would undo the deactivation.
  if (!role && existing && (await sql.isDeactivated(tx, connection.orgId, existing.id)))
    return deny('the directory service has deactivated the user')
  const org = role ? await findOrg(tx, connection.orgId) : await lockOrg(tx, connection.orgId)
  assert(org, 'a connection belongs to an organisation')
  if (!role && (await countMembers(tx, connection.orgId)) >= org.seatAllotment)
    return deny('all seats are taken', 'seats_exceeded')

  const user = known ? await lockUser(tx, known.id) : await linkAccount(attempt, identity, email, existing)
  // A second sign-in finds the new account.
  if (!user) return deny('the address got an account this very moment')
  // Groups that the directory service has provisioned count too, also where the provider sends none.
  const provisioned = await sql.provisionedGroups(tx, connection.orgId, user.id)
  const wanted = roleByGroups(org.groupRoleMap, [...claims.groups, ...provisioned])
  if (!role) await addMember(attempt, user, wanted ?? 'member')
  else if (wanted && role !== 'owner' && role !== wanted) await changeRole(attempt, user, role, wanted)
  return user
}

const deny = (reason: string, code: LoginDenial['code'] = 'sso_failed') =>
  new NotSignedIn<LoginDenial>({ code, reason })

/**
 * Finds the user of an identity. First sign-ins queue on the organisation, so that concurrent ones do not
 * create two accounts.
 */
async function findLinkedUser(tx: Tx, identity: sql.SsoIdentity, orgId: OrgId): Promise<User | undefined> {
  let id = await sql.findUserByIdentity(tx, identity)
  if (!id) {
    await lockOrg(tx, orgId)
    id = await sql.findUserByIdentity(tx, identity)
  }
  return id ? userById(tx, id) : undefined
}

/** The email address for a first sign-in; null when the provider marks it as unverified. */
function toEmail({ email, emailVerified }: SsoClaims): string | null {
  if (!email || emailVerified === false) return null
  const address = normaliseEmail(email)
  return address.isWellFormed() && addressShape.safeParse(address).success ? address : null
}

/** Links the identity to the account with its address, or to a new account. */
async function linkAccount(
  attempt: LoginAttempt,
  identity: sql.SsoIdentity,
  email: string,
  existing: User | undefined,
): Promise<User | null> {
  const { tx, claims, request } = attempt
  const id =
    existing?.id ??
    (await openAccountWithoutOrg(tx, {
      email,
      verified: true,
      name: toDisplayName(claims),
      language: acceptedLanguage(request.headers['accept-language']),
    }))
  if (!id) return null
  await sql.insertIdentity(tx, identity, id)
  const user = await lockUser(tx, id)
  assert(user, 'an account that was just met exists')
  if (!user.verified) {
    // The account was never confirmed, so a stranger may have set its password, links and sessions.
    await dropPassword(tx, id)
    await dropLinks(tx, id, ['invitation', 'reset', 'magic', 'verify'])
    await endSessions(tx, id)
    await verifyUser(tx, id)
  }
  await recordEvent(attempt, user, 'sso.link', { ...identity, created: !existing })
  return { ...user, verified: true }
}

async function addMember(attempt: LoginAttempt, user: User, role: OrgRole): Promise<void> {
  await insertMembership(attempt.tx, attempt.connection.orgId, user.id, role)
  await recordEvent(attempt, user, 'sso.join', { role })
}

async function changeRole(arrival: LoginAttempt, user: User, from: OrgRole, to: OrgRole): Promise<void> {
  await setMemberRole(arrival.tx, arrival.connection.orgId, user.id, to)
  await recordEvent(arrival, user, 'sso.changeRole', { from, to })
}

async function recordEvent(
  { tx, request, connection }: LoginAttempt,
  user: User,
  action: string,
  metadata: object,
): Promise<void> {
  await record(tx, {
    orgId: connection.orgId,
    actor: { kind: 'user', userId: user.id, email: user.email },
    ip: request.address,
    action,
    target: user.id,
    metadata: { ...metadata, connectionId: connection.id },
  })
}

const NAME_CHARACTERS_MAX = 200
const SUBJECT_CHARACTERS_MAX = 1_000

const isValidSubject = (text: string): boolean =>
  text.length >= 1 && text.length <= SUBJECT_CHARACTERS_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text)

// Line breaks and bidirectional controls could spoof the text around a name.
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** The name as this service accepts it; null for anything else. */
function toDisplayName({ name }: SsoClaims): string | null {
  const plain = (name ?? '').toWellFormed().replaceAll(INVISIBLE_CHARACTERS, ' ').trim()
  const cut = plain.slice(0, NAME_CHARACTERS_MAX)
  // The cut may have split the last character.
  const { success, data } = line(NAME_CHARACTERS_MAX).safeParse(cut.isWellFormed() ? cut : cut.slice(0, -1))
  return success ? data : null
}
