// SQL of the groups of a directory service.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgRole } from '../../platform/http/actor.ts'
import type { Page } from '../protocol/messages.ts'

export type GroupId = Id<'grp'>
export type Group = {
  id: GroupId
  displayName: string
  externalId: string | null
  createdAt: Date
  updatedAt: Date
}
export type GroupMember = { groupId: GroupId; userId: UserId; email: string }
export type GroupFilter = { [name in 'id' | 'displayName' | 'externalId' | 'members.value']?: string }

export function findGroup(tx: Tx, org: OrgId, id: string) {
  return tx.maybe<Group>`
    select id, display_name as "displayName", external_id as "externalId", created_at as "createdAt", updated_at as "updatedAt"
    from scim_groups where org_id = ${org} and id = ${id}`
}

export function listGroups(tx: Tx, org: OrgId, filter: GroupFilter, { startIndex, count }: Page) {
  const { id = null, displayName = null, externalId = null, 'members.value': member = null } = filter
  return tx.rows<Group>`
    select g.id, g.display_name as "displayName", g.external_id as "externalId", g.created_at as "createdAt",
           g.updated_at as "updatedAt"
    from scim_groups g
    where g.org_id = ${org} and (${id}::text is null or g.id = ${id})
      and (${displayName}::text is null or lower(g.display_name) = lower(${displayName}))
      and (${externalId}::text is null or g.external_id = ${externalId})
      and (${member}::text is null or exists (
        select from scim_group_members m where m.group_id = g.id and m.user_id = ${member}))
    order by g.created_at, g.id limit ${count} offset ${startIndex - 1}`
}

export async function countGroups(tx: Tx, org: OrgId, filter: GroupFilter = {}): Promise<number> {
  const { id = null, displayName = null, externalId = null, 'members.value': member = null } = filter
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from scim_groups g
    where g.org_id = ${org} and (${id}::text is null or g.id = ${id})
      and (${displayName}::text is null or lower(g.display_name) = lower(${displayName}))
      and (${externalId}::text is null or g.external_id = ${externalId})
      and (${member}::text is null or exists (
        select from scim_group_members m where m.group_id = g.id and m.user_id = ${member}))`
  return n
}

/** The members of these groups, also deactivated users. */
export function membersOf(tx: Tx, org: OrgId, groups: readonly GroupId[]): Promise<GroupMember[]> {
  return tx.rows<GroupMember>`
    select m.group_id as "groupId", m.user_id as "userId", u.email
    from scim_group_members m join directory_users u on u.org_id = m.org_id and u.user_id = m.user_id
    where m.org_id = ${org} and m.group_id = any(${[...groups]}::text[]) order by m.group_id, m.user_id`
}

/** A digest of the members of each group that has some. */
export async function memberDigests(
  tx: Tx,
  org: OrgId,
  groups: readonly GroupId[],
): Promise<Map<GroupId, string>> {
  const rows = await tx.rows<{ groupId: GroupId; digest: string }>`
    select m.group_id as "groupId", md5(string_agg(m.user_id, ' ' order by m.user_id)) as digest
    from scim_group_members m join directory_users u on u.org_id = m.org_id and u.user_id = m.user_id
    where m.org_id = ${org} and m.group_id = any(${[...groups]}::text[]) group by m.group_id`
  return new Map(rows.map(({ groupId, digest }) => [groupId, digest]))
}

/** Also users that an owner removed since: if they come back, they are in the group again. */
export async function storedMembersOf(tx: Tx, org: OrgId, group: GroupId): Promise<UserId[]> {
  const rows = await tx.rows<{ userId: UserId }>`
    select user_id as "userId" from scim_group_members where org_id = ${org} and group_id = ${group}`
  return rows.map(({ userId }) => userId)
}

/** False when another group has the name. */
export async function insertGroup(tx: Tx, org: OrgId, group: Group): Promise<boolean> {
  const rows = await tx.rows`
    insert into scim_groups (id, org_id, display_name, external_id, created_at, updated_at)
    values (${group.id}, ${org}, ${group.displayName}, ${group.externalId}, ${tx.now}, ${tx.now})
    on conflict (org_id, lower(display_name)) do nothing returning id`
  return rows.length === 1
}

export async function isGroupNameTaken(tx: Tx, org: OrgId, name: string, except: GroupId): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from scim_groups where org_id = ${org} and lower(display_name) = lower(${name}) and id <> ${except}`
  return row !== undefined
}

export async function updateGroup(tx: Tx, org: OrgId, group: Group): Promise<void> {
  await tx.rows`
    update scim_groups set display_name = ${group.displayName}, external_id = ${group.externalId}, updated_at = ${tx.now}
    where org_id = ${org} and id = ${group.id}`
}

export async function deleteGroup(tx: Tx, org: OrgId, id: GroupId): Promise<void> {
  await tx.rows`delete from scim_groups where org_id = ${org} and id = ${id}`
}

/** The users among these that the directory service of the organisation sees. */
export async function knownUsers(tx: Tx, org: OrgId, ids: readonly string[]): Promise<UserId[]> {
  const rows = await tx.rows<{ userId: UserId }>`
    select user_id as "userId" from directory_users where org_id = ${org} and user_id = any(${[...ids]}::text[])`
  return rows.map(({ userId }) => userId)
}

export async function addMembers(
  tx: Tx,
  org: OrgId,
  group: GroupId,
  users: readonly UserId[],
): Promise<void> {
  await tx.rows`
    insert into scim_group_members (org_id, group_id, user_id)
    select ${org}, ${group}, unnest(${[...users]}::text[]) on conflict do nothing`
}

export async function removeMembers(
  tx: Tx,
  org: OrgId,
  group: GroupId,
  users: readonly UserId[],
): Promise<void> {
  await tx.rows`
    delete from scim_group_members
    where org_id = ${org} and group_id = ${group} and user_id = any(${[...users]}::text[])`
}

/** The role and the names of the groups of these members. */
export function groupNamesOf(tx: Tx, org: OrgId, users: readonly UserId[]) {
  return tx.rows<{ userId: UserId; role: OrgRole | null; names: string[] }>`
    select u.user_id as "userId", m.role,
           coalesce((select array_agg(g.name) from directory_user_groups g
                     where g.org_id = ${org} and g.user_id = u.user_id), '{}') as names
    from unnest(${[...users]}::text[]) as u (user_id)
    left join org_members m on m.org_id = ${org} and m.user_id = u.user_id
    order by u.user_id`
}
