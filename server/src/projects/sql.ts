// SQL of projects and their members.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { OrgRole } from '../platform/http/actor.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ProjectId = Id<'prj'>
export type ProjectAccess = 'viewer' | 'editor'

export type Project = {
  id: ProjectId
  name: string
  /** The access of the caller. */
  access: ProjectAccess
  createdBy: string
  createdAt: Date
}

/** Which projects a user can see. */
export type ProjectVisibility = {
  readonly orgId: OrgId
  readonly userId: UserId
  /** Owners and admins see every project of their organisation, as editors. */
  readonly seesAll: boolean
  /** Grants from before the last time that the user joined are void. Null: not a member of the organisation. */
  readonly since: Date | null
}

/** Projects that the user can see, newest first, starting at the cursor. */
export function listProjects(
  tx: Tx,
  { orgId, userId, seesAll, since }: ProjectVisibility,
  { before, limit }: { before: TimeCursor; limit: number },
) {
  return tx.content.rows<Project>`
    select p.id, p.name, case when ${seesAll}::boolean then 'editor' else m.access end as access, p.created_by as "createdBy",
           p.created_at as "createdAt"
    from projects p
    left join project_members m on m.project_id = p.id and m.user_id = ${userId} and m.added_at >= ${since}::timestamptz
    where p.org_id = ${orgId} and (${seesAll}::boolean or m.user_id is not null)
      and (p.created_at, p.id) < (${before.at}, ${before.id})
    order by p.created_at desc, p.id desc limit ${limit}`
}

/** Those of `ids` that the user can see. */
export function findProjects(
  tx: Tx,
  { orgId, userId, seesAll, since }: ProjectVisibility,
  ids: readonly string[],
): Promise<Project[]> {
  return tx.content.rows<Project>`
    select p.id, p.name, case when ${seesAll}::boolean then 'editor' else m.access end as access, p.created_by as "createdBy",
           p.created_at as "createdAt"
    from projects p
    left join project_members m on m.project_id = p.id and m.user_id = ${userId} and m.added_at >= ${since}::timestamptz
    where p.id = any(${ids}::text[]) and p.org_id = ${orgId} and (${seesAll}::boolean or m.user_id is not null)`
}

/** Locks the project and its members until the transaction ends. */
export async function lockProject(tx: Tx, org: OrgId, id: ProjectId): Promise<void> {
  await tx.content.maybe`select id from projects where id = ${id} and org_id = ${org} for update`
}

export async function countProjects(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.content.one<{ n: number }>`
    select count(*)::int as n from projects where org_id = ${org}`
  return n
}

export async function insertProject(
  tx: Tx,
  org: OrgId,
  { id, name, createdBy }: Pick<Project, 'id' | 'name' | 'createdBy'>,
): Promise<void> {
  await tx.content.rows`
    insert into projects (id, org_id, name, created_by, created_at) values (${id}, ${org}, ${name}, ${createdBy}, ${tx.now})`
}

export async function renameProject(tx: Tx, id: ProjectId, name: string): Promise<void> {
  await tx.content.rows`update projects set name = ${name} where id = ${id}`
}

export type ProjectMemberRow = { userId: UserId; access: ProjectAccess; addedAt: Date }

/** All members, oldest first. Some may have left the organisation. */
export function listProjectMembers(tx: Tx, project: ProjectId) {
  return tx.content.rows<ProjectMemberRow>`
    select user_id as "userId", access, added_at as "addedAt" from project_members
    where project_id = ${project} order by added_at, user_id`
}

export async function upsertProjectMember(
  tx: Tx,
  { orgId, project, addedBy }: { orgId: OrgId; project: ProjectId; addedBy: string },
  { userId, access, addedAt }: ProjectMemberRow,
): Promise<void> {
  await tx.content.rows`
    insert into project_members (project_id, user_id, org_id, access, added_by, added_at)
    values (${project}, ${userId}, ${orgId}, ${access}, ${addedBy}, ${addedAt})
    on conflict (project_id, user_id) do update set access = excluded.access, added_by = excluded.added_by,
                                                    added_at = excluded.added_at`
}

export async function deleteProjectMembers(
  tx: Tx,
  project: ProjectId,
  users: readonly string[],
): Promise<void> {
  await tx.content.rows`
    delete from project_members where project_id = ${project} and user_id = any(${users}::text[])`
}

export type OrgMemberRow = { userId: UserId; email: string; name: string | null; role: OrgRole; since: Date }

/** Those of `users` who are members of the organisation, and since when. */
export function listOrgMembers(tx: Tx, org: OrgId, users: readonly string[]) {
  return tx.rows<OrgMemberRow>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.created_at as since
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} and m.user_id = any(${users}::text[])`
}
