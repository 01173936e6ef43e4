// Members of a project. Owners and admins of the organisation have access without being members.
import { record } from '../audit/audit.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId, UserId } from '../kernel/ids.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, hasRole } from '../platform/http/actor.ts'
import { requireProjectEditor } from './access.ts'
import * as sql from './sql.ts'

/** Per project. Members who left the organisation do not count. */
const MEMBERS_MAX = 100

export type ProjectMember = {
  userId: UserId
  email: string
  name: string | null
  access: sql.ProjectAccess
  addedAt: Date
}

/** Serializes changes to a project and requires an editor. Data that `work` reads cannot change before it commits. */
export function changeProject<T>(
  app: App,
  actor: Actor,
  id: sql.ProjectId,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return app.db.tx(actor.orgId, async (tx) => {
    await sql.lockProject(tx, actor.orgId, id)
    await requireProjectEditor(tx, actor, id)
    return work(tx)
  })
}

/** Excludes members who have left the organisation since they were added, even if they rejoined. */
export async function readProjectMembers(
  tx: Tx,
  org: OrgId,
  project: sql.ProjectId,
): Promise<ProjectMember[]> {
  return toCurrentMembers(tx, org, await sql.listProjectMembers(tx, project))
}

async function toCurrentMembers(
  tx: Tx,
  org: OrgId,
  entries: readonly sql.ProjectMemberRow[],
): Promise<ProjectMember[]> {
  const found = await sql.listOrgMembers(
    tx,
    org,
    entries.map(({ userId }) => userId),
  )
  const byId = new Map(found.map((colleague) => [colleague.userId, colleague]))
  return entries.flatMap((entry) => {
    const colleague = byId.get(entry.userId)
    return colleague && entry.addedAt >= colleague.since ? [toProjectMember(colleague, entry)] : []
  })
}

const toProjectMember = (
  { userId, email, name, role }: sql.OrgMemberRow,
  entry: sql.ProjectMemberRow,
): ProjectMember => ({
  userId,
  email,
  name,
  access: hasRole(role, 'admin') ? 'editor' : entry.access,
  addedAt: entry.addedAt,
})

/** The time of a new grant. It is never before the user joined, even if the clocks of replicas differ. */
export async function readGrantTime(tx: Tx, org: OrgId, user: UserId): Promise<Date> {
  const since = (await findMembership(tx, org, user))?.joinedAt ?? null
  return since !== null && since > tx.now ? since : tx.now
}

type MemberChange = { project: sql.ProjectId; userId: string; access: sql.ProjectAccess }

/** Adds an organisation member to the project, or changes their access. */
export function putMember(app: App, actor: Actor, { project, userId, access }: MemberChange, ip: string) {
  const { orgId } = actor
  return changeProject(app, actor, project, async (tx) => {
    const [colleague] = await sql.listOrgMembers(tx, orgId, [userId])
    if (!colleague)
      throw new ApiError('not_found', {
        error: 'This user is not a member of the organisation. Invite them first.',
      })
    const entries = await removeStaleMembers(tx, orgId, project)
    const before = entries.find((entry) => entry.userId === userId)
    if (before?.access === access) return { ok: true as const, member: toProjectMember(colleague, before) }
    if (!before && entries.length >= MEMBERS_MAX)
      throw new ApiError('limit_reached', {
        error: `The project has reached the limit of ${MEMBERS_MAX} members. Remove one first.`,
      })
    const addedAt = before?.addedAt ?? (await readGrantTime(tx, orgId, colleague.userId))
    const entry = { userId: colleague.userId, access, addedAt }
    await sql.upsertProjectMember(tx, { orgId, project, addedBy: actor.userId }, entry)
    const metadata = { userId, from: before?.access ?? null, to: access }
    await record(tx, { orgId, actor, ip, action: 'projects.members.put', target: project, metadata })
    return { ok: true as const, member: toProjectMember(colleague, entry) }
  })
}

export function removeMember(app: App, actor: Actor, project: sql.ProjectId, userId: string, ip: string) {
  const { orgId } = actor
  return changeProject(app, actor, project, async (tx) => {
    const before = (await removeStaleMembers(tx, orgId, project)).find((entry) => entry.userId === userId)
    if (!before) throw new ApiError('not_found', { error: 'This user is not a member of the project.' })
    await sql.deleteProjectMembers(tx, project, [userId])
    const metadata = { userId, access: before.access }
    await record(tx, { orgId, actor, ip, action: 'projects.members.remove', target: project, metadata })
    return { ok: true as const }
  })
}

/** Deletes members who left the organisation, and returns the others. */
async function removeStaleMembers(
  tx: Tx,
  org: OrgId,
  project: sql.ProjectId,
): Promise<sql.ProjectMemberRow[]> {
  const entries = await sql.listProjectMembers(tx, project)
  const counting = new Set((await toCurrentMembers(tx, org, entries)).map(({ userId }) => userId))
  const gone = entries.filter(({ userId }) => !counting.has(userId))
  if (gone.length > 0)
    await sql.deleteProjectMembers(
      tx,
      project,
      gone.map(({ userId }) => userId),
    )
  return entries.filter(({ userId }) => counting.has(userId))
}
