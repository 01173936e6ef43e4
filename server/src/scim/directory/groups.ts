// Groups by SCIM. They are names for roles: the policy of the organisation maps some of them to a role, never to owner.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgToken } from '../../platform/http/actor.ts'
import { parseFilter } from '../protocol/filter.ts'
import { listOf, type Page, problem } from '../protocol/messages.ts'
import { type Change, changesOf, isObject, type Operation, textOf } from '../protocol/patch.ts'
import type { GroupBody } from '../protocol/schema.ts'
import type { ChangeRequest } from '../protocol/version.ts'
import { requireGroupVersion, toResource, toResources } from './group-resource.ts'
import * as sql from './groups-sql.ts'
import { applyRoles, lockProvisioning, type ProvisioningChange } from './roles.ts'

const GROUPS_MAX = 1_000
const CHANGED_MEMBERS_MAX = 5_000

type GroupState = { displayName: string; externalId: string | null; members: Set<string> }

export function listGroups(
  app: App,
  { orgId }: OrgToken,
  { filter, excludedAttributes }: { filter?: string | undefined; excludedAttributes?: string | undefined },
  page: Page,
) {
  const wanted = parseFilter(filter, ['id', 'displayName', 'externalId', 'members.value'])
  return app.db.tx(orgId, async (tx) => {
    const total = await sql.countGroups(tx, orgId, wanted)
    const groups = page.count === 0 ? [] : await sql.listGroups(tx, orgId, wanted, page)
    const resources = await toResources(app, tx, orgId, groups, excludedAttributes)
    return listOf(resources, total, page.startIndex)
  })
}

export function getGroup(app: App, { orgId }: OrgToken, id: string, excludedAttributes: string | undefined) {
  return app.db.tx(orgId, async (tx) => {
    const group = await requireGroup(tx, orgId, id)
    return toResource(app, tx, orgId, group, excludedAttributes)
  })
}

export function createGroup(app: App, token: OrgToken, body: GroupBody, ip: string) {
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, ip)
    if ((await sql.countGroups(tx, token.orgId)) >= GROUPS_MAX)
      throw new ApiError('limit_reached', {
        error: `The organisation has ${GROUPS_MAX} groups, the maximum.`,
      })
    const { displayName, externalId, members } = stateOf(body)
    const group = { id: newId('grp'), displayName, externalId, createdAt: tx.now, updatedAt: tx.now }
    if (!(await sql.insertGroup(tx, token.orgId, group))) throw nameTaken()
    await saveMembers(provisioning, group, new Set(), members)
    await audit(provisioning, 'scim.groups.create', group, { members: members.size })
    return toResource(app, tx, token.orgId, group)
  })
}

export const replaceGroup = (
  app: App,
  token: OrgToken,
  id: string,
  body: GroupBody,
  request: ChangeRequest,
) => changeGroup(app, token, id, request, () => stateOf(body))

export const patchGroup = (
  app: App,
  token: OrgToken,
  id: string,
  operations: readonly Operation[],
  request: ChangeRequest,
) => changeGroup(app, token, id, request, (before) => patched(before, operations))

export function deleteGroup(app: App, token: OrgToken, id: string, request: ChangeRequest): Promise<string> {
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, request.address)
    const group = await requireGroup(tx, token.orgId, id)
    await requireGroupVersion(app, tx, token, group, request)
    const members = await sql.membersOf(tx, token.orgId, [group.id])
    await sql.deleteGroup(tx, token.orgId, group.id)
    await applyRoles(
      provisioning,
      members.map(({ userId }) => userId),
      [group.displayName],
    )
    await audit(provisioning, 'scim.groups.delete', group)
    return ''
  })
}

function changeGroup(
  app: App,
  token: OrgToken,
  id: string,
  request: ChangeRequest,
  edit: (before: GroupState) => GroupState,
) {
  return app.db.tx(token.orgId, async (tx) => {
    const provisioning = await lockProvisioning(tx, token, request.address)
    const before = await requireGroup(tx, token.orgId, id)
    await requireGroupVersion(app, tx, token, before, request)
    const had = new Set<string>(await sql.storedMembersOf(tx, token.orgId, before.id))
    const { displayName, externalId, members } = edit({ ...before, members: new Set(had) })
    if (await sql.isGroupNameTaken(tx, token.orgId, displayName, before.id)) throw nameTaken()
    const group = { ...before, displayName, externalId, updatedAt: tx.now }
    await sql.updateGroup(tx, token.orgId, group)
    await saveMembers(provisioning, group, had, members, before.displayName)
    const added = members.difference(had).size
    const removed = had.difference(members).size
    await audit(provisioning, 'scim.groups.change', group, { added, removed })
    return toResource(app, tx, token.orgId, group)
  })
}

async function saveMembers(
  provisioning: ProvisioningChange,
  { id, displayName }: sql.Group,
  had: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  earlierName = displayName,
): Promise<void> {
  const { tx, org } = provisioning
  const added = await requireUsers(tx, org.id, [...wanted.difference(had)])
  const removed = [...had.difference(wanted)] as UserId[]
  if (added.length > 0) await sql.addMembers(tx, org.id, id, added)
  if (removed.length > 0) await sql.removeMembers(tx, org.id, id, removed)
  const isRenamed = displayName !== earlierName
  const affected = isRenamed ? ([...wanted.union(had)] as UserId[]) : [...added, ...removed]
  await applyRoles(provisioning, affected, [displayName, earlierName])
}

async function requireUsers(tx: Tx, org: OrgToken['orgId'], ids: readonly string[]): Promise<UserId[]> {
  if (ids.length > CHANGED_MEMBERS_MAX)
    throw problem('tooMany', `Add at most ${CHANGED_MEMBERS_MAX} members in one request.`)
  const known = ids.length === 0 ? [] : await sql.knownUsers(tx, org, ids)
  if (known.length < ids.length) throw problem('invalidValue', 'A member is no user of the organisation.')
  return known
}

const stateOf = ({ displayName, externalId, members }: GroupBody): GroupState => ({
  displayName: requireName(displayName),
  externalId: textOf(externalId, 'externalId'),
  members: new Set((members ?? []).map(({ value }) => value)),
})

function patched(before: GroupState, operations: readonly Operation[]): GroupState {
  let { displayName, externalId, members } = before
  for (const change of changesOf(operations)) {
    const { op, attribute, value } = change
    if (attribute === 'members') members = patchedMembers(members, change)
    else if (attribute === 'externalid') externalId = op === 'remove' ? null : textOf(value, 'externalId')
    else if (attribute === 'displayname') {
      if (op === 'remove') throw problem('mutability', 'displayName cannot be removed.')
      displayName = requireName(value)
    }
  }
  return { displayName, externalId, members }
}

function patchedMembers(before: Set<string>, { op, selected, value }: Change): Set<string> {
  if (op === 'remove') {
    if (selected !== null) return before.difference(new Set([selected]))
    // Okta names members by a selection, and Entra ID by values. Without either, all are removed.
    return value === undefined || value === null ? new Set() : before.difference(idsIn(value))
  }
  if (selected !== null) throw problem('invalidPath', 'Only remove operations select members.')
  return op === 'add' ? before.union(idsIn(value)) : idsIn(value)
}

function idsIn(value: unknown): Set<string> {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return new Set(
    items.map((item) => {
      const id = isObject(item) ? item.value : item
      if (typeof id !== 'string')
        throw problem('invalidValue', 'A member needs the id of a user as its value.')
      return id
    }),
  )
}

function requireName(value: unknown): string {
  const name = textOf(value, 'displayName')
  if (name === null) throw problem('invalidValue', 'displayName must not be empty.')
  return name
}

async function requireGroup(tx: Tx, org: OrgToken['orgId'], id: string): Promise<sql.Group> {
  const group = await sql.findGroup(tx, org, id)
  if (!group) throw new ApiError('not_found', { error: 'The organisation has no group with this id.' })
  return group
}

const nameTaken = () => new ApiError('name_taken', { error: 'Another group has this displayName.' })

const audit = (
  { tx, org, token, ip }: ProvisioningChange,
  action: string,
  { id, displayName }: sql.Group,
  metadata = {},
) =>
  record(tx, { orgId: org.id, actor: token, ip, action, target: id, metadata: { displayName, ...metadata } })
