// Users by SCIM: an active user is a member of the organisation. The account belongs to its person and is never changed.
import { isDeepStrictEqual } from 'node:util'
import { record } from '../../audit/audit.ts'
import { openAccountWithoutOrg, userByEmail, userById } from '../../identity/identity.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgToken } from '../../platform/http/actor.ts'
import { domainOfEmail, lockVerifiedDomain } from '../../sso/sso.ts'
import { endMembership, memberById, startMembership } from '../../teams/teams.ts'
import { parseFilter } from '../protocol/filter.ts'
import { listOf, metaOf, type Page, problem, USER_SCHEMA } from '../protocol/messages.ts'
import type { Operation } from '../protocol/patch.ts'
import type { UserBody } from '../protocol/schema.ts'
import { type ChangeRequest, requireVersion, versionOf } from '../protocol/version.ts'
import { lockProvisioning, type ProvisioningChange, roleOfNewMember } from './roles.ts'
import { addressesOf, patchedState, stateOf, type UserState } from './user-edit.ts'
import * as sql from './users-sql.ts'

export function listUsers(app: App, { orgId }: OrgToken, filter: string | undefined, page: Page) {
  const wanted = parseFilter(filter, ['id', 'userName', 'externalId', 'emails.value'])
  return app.db.tx(orgId, async (tx) => {
    const total = await sql.countUsers(tx, orgId, wanted)
    const users = page.count === 0 ? [] : await sql.listUsers(tx, orgId, wanted, page)
    return listOf(
      users.map((user) => toResource(app, user)),
      total,
      page.startIndex,
    )
  })
}

export function getUser(app: App, { orgId }: OrgToken, id: string) {
  return app.db.tx(orgId, async (tx) => toResource(app, await requireUser(tx, orgId, id)))
}

/** A second call for the same user, also a concurrent one, finds the first one and is refused as a duplicate. */
export function createUser(app: App, token: OrgToken, body: UserBody, ip: string) {
  const state = stateOf(body, true)
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, ip)
    const email = await requireOwnAddress(tx, token, addressesOf(body))
    const { formattedName, displayName } = state
    await openAccountWithoutOrg(tx, { email, verified: false, name: displayName ?? formattedName })
    const { id } = present(await userByEmail(tx, email), 'an address that cannot be inserted has an account')
    if (await sql.findUser(tx, token.orgId, id)) throw duplicate()
    await requireFreeName(tx, token, state.userName, id)
    await start(provisioning, id)
    const user = await save(provisioning, { ...state, userId: id, email })
    if (state.active) return toResource(app, user)
    await end(provisioning, id)
    return toResource(app, await requireUser(tx, token.orgId, id))
  })
}

export const replaceUser = (app: App, token: OrgToken, id: string, body: UserBody, request: ChangeRequest) =>
  changeUser(app, token, id, request, (before) => stateOf(body, before.active))

export const patchUser = (
  app: App,
  token: OrgToken,
  id: string,
  operations: readonly Operation[],
  request: ChangeRequest,
) => changeUser(app, token, id, request, (before) => patchedState(before, operations))

/** Ends the membership and forgets the user. The account and its other organisations stay. */
export function deleteUser(app: App, token: OrgToken, id: string, request: ChangeRequest): Promise<string> {
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, request.address)
    const user = await requireUser(tx, token.orgId, id)
    requireVersion(request, toResource(app, user))
    if (user.active) await end(provisioning, user.userId)
    await sql.forgetUser(tx, token.orgId, user.userId)
    await audit(provisioning, 'scim.users.delete', user)
    return ''
  })
}

function changeUser(
  app: App,
  token: OrgToken,
  id: string,
  request: ChangeRequest,
  edit: (before: UserState) => UserState,
) {
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, request.address)
    const before = await requireUser(tx, token.orgId, id)
    requireVersion(request, toResource(app, before))
    const state = stateIn(before)
    const next = edit(state)
    if (isDeepStrictEqual(next, state)) return toResource(app, before)
    if (next.userName !== before.userName) await requireFreeName(tx, token, next.userName, before.userId)
    else if (await sql.isNameStored(tx, token.orgId, next.userName, before.userId)) {
      // A member without a stored name has the address as the name. That must not prevent a deactivation.
      if (next.active) throw duplicate()
      next.userName = before.userId
    }
    let { email } = before
    if (next.active && !before.active) {
      // The person may have changed the address of the account since then.
      const account = present(await userById(tx, before.userId), 'a user has an account')
      email = await requireOwnAddress(tx, token, [account.email])
      await start(provisioning, before.userId)
    }
    const user = await save(provisioning, { ...next, userId: before.userId, email })
    if (next.active || !before.active) return toResource(app, user)
    await end(provisioning, before.userId)
    return toResource(app, await requireUser(tx, token.orgId, id))
  })
}

async function start(provisioning: ProvisioningChange, userId: UserId): Promise<void> {
  const { tx, org } = provisioning
  const role = await roleOfNewMember(provisioning, userId)
  const { email } = await startMembership(tx, org, { userId, role, seatCapMinor: null })
  await audit(provisioning, 'scim.users.add', { userId, email }, { role })
}

/** The same operation as the removal by an owner: it ends sessions and keys, and keeps the last owner. */
async function end({ tx, org, token, ip }: ProvisioningChange, userId: UserId): Promise<void> {
  const member = present(await memberById(tx, org.id, userId), 'an active user is a member')
  await endMembership(tx, org, member, { actor: token, action: 'scim.users.deactivate', ip })
}

async function save(
  provisioning: ProvisioningChange,
  user: UserState & Pick<sql.DirectoryUser, 'userId' | 'email'>,
): Promise<sql.DirectoryUser> {
  const { tx, org } = provisioning
  await sql.saveUser(tx, org.id, user)
  await audit(provisioning, 'scim.users.change', user)
  return requireUser(tx, org.id, user.userId)
}

/** Names and ids of the directory are not recorded, because audit entries are kept. */
const audit = (
  { tx, org, token, ip }: ProvisioningChange,
  action: string,
  { userId, email }: Pick<sql.DirectoryUser, 'userId' | 'email'>,
  metadata: object = {},
) => record(tx, { orgId: org.id, actor: token, ip, action, target: userId, metadata: { email, ...metadata } })

async function requireUser(tx: Tx, org: OrgToken['orgId'], id: string): Promise<sql.DirectoryUser> {
  const user = await sql.findUser(tx, org, id)
  if (!user) throw new ApiError('not_found', { error: 'The organisation has no user with this id.' })
  return user
}

/** The first of the addresses in a domain that the organisation has verified. A lock keeps the domain until the commit. */
async function requireOwnAddress(tx: Tx, { orgId }: OrgToken, addresses: readonly string[]): Promise<string> {
  for (const address of addresses)
    if (await lockVerifiedDomain(tx, orgId, domainOfEmail(address))) return address
  throw problem(
    'invalidValue',
    'No address of the user is in a domain that the organisation has verified for single sign-on.',
  )
}

async function requireFreeName(tx: Tx, { orgId }: OrgToken, userName: string, user: UserId): Promise<void> {
  if (await sql.isNameTaken(tx, orgId, userName, user)) throw duplicate()
}

const duplicate = () =>
  new ApiError('already_member', {
    error: 'The organisation already has a user with this userName or address.',
  })

const stateIn = ({
  userName,
  externalId,
  displayName,
  givenName,
  familyName,
  formattedName,
  active,
}: sql.DirectoryUser): UserState => ({
  userName,
  externalId,
  displayName,
  givenName,
  familyName,
  formattedName,
  active,
})

function toResource(app: App, user: sql.DirectoryUser) {
  const { userId, externalId, userName, displayName, givenName, familyName, formattedName, active, email } =
    user
  const name = given({ givenName, familyName, formatted: formattedName })
  const attributes = {
    userName,
    ...given({ externalId, displayName }),
    ...(Object.keys(name).length > 0 && { name }),
    emails: [{ value: email, type: 'work', primary: true }],
    active,
  }
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...attributes,
    meta: metaOf(app, 'User', { ...user, id: userId }, versionOf(attributes)),
  }
}

/** SCIM omits attributes without a value. */
function given<T extends Record<string, string | null>>(texts: T): { [name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) as {
    [name in keyof T]?: string
  }
}
