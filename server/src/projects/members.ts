// Who is in a project besides the owners and admins of the organisation: shown, taken in, changed, let go.
import { record } from '../audit/audit.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId, UserId } from '../kernel/ids.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, hasRole } from '../platform/http/actor.ts'
import { requireProjectEditor } from './access.ts'
import { MEMBERS_MAX } from './limits.ts'
import * as sql from './sql.ts'

export type ProjectMember = {
  userId: UserId
  email: string
  name: string | null
  access: sql.Access
  addedAt: Date
}

/** One change of a project at a time, by an editor: what `work` reads stays true until it has committed. */
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

/** Those who count: whoever left the organisation since they were added does not, also if they came back. */
export async function membersOf(tx: Tx, org: OrgId, project: sql.ProjectId): Promise<ProjectMember[]> {
  return current(tx, org, await sql.entriesOf(tx, project))
}

async function current(tx: Tx, org: OrgId, entries: readonly sql.Entry[]): Promise<ProjectMember[]> {
  const found = await sql.colleagues(
    tx,
    org,
    entries.map(({ userId }) => userId),
  )
  const byId = new Map(found.map((colleague) => [colleague.userId, colleague]))
  return entries.flatMap((entry) => {
    const colleague = byId.get(entry.userId)
    return colleague && entry.addedAt >= colleague.since ? [shown(colleague, entry)] : []
  })
}

const shown = ({ userId, email, name, role }: sql.Colleague, entry: sql.Entry): ProjectMember => ({
  userId,
  email,
  name,
  access: hasRole(role, 'admin') ? 'editor' : entry.access,
  addedAt: entry.addedAt,
})

/** The instant of what they are given now: never before they joined, however little the clocks of replicas differ. */
export async function joinedNow(tx: Tx, org: OrgId, user: UserId): Promise<Date> {
  const since = (await findMembership(tx, org, user))?.joinedAt ?? null
  return since !== null && since > tx.now ? since : tx.now
}

type Wanted = { project: sql.ProjectId; userId: string; access: sql.Access }

/** Takes a member of the organisation into the project, or changes what they may do there. */
export function putMember(app: App, actor: Actor, { project, userId, access }: Wanted, ip: string) {
  const { orgId } = actor
  return changeProject(app, actor, project, async (tx) => {
    const [colleague] = await sql.colleagues(tx, orgId, [userId])
    if (!colleague)
      throw new ApiError('not_found', { error: 'Nobody with this id is a member of the organisation.' })
    const entries = await keepCurrent(tx, orgId, project)
    const before = entries.find((entry) => entry.userId === userId)
    if (before?.access === access) return { ok: true as const, member: shown(colleague, before) }
    if (!before && entries.length >= MEMBERS_MAX)
      throw new ApiError('limit_reached', {
        error: `The project has ${MEMBERS_MAX} members, which is the most; remove one first.`,
      })
    const addedAt = before?.addedAt ?? (await joinedNow(tx, orgId, colleague.userId))
    const entry = { userId: colleague.userId, access, addedAt }
    await sql.putEntry(tx, { orgId, project, addedBy: actor.userId }, entry)
    const metadata = { userId, from: before?.access ?? null, to: access }
    await record(tx, { orgId, actor, ip, action: 'projects.members.put', target: project, metadata })
    return { ok: true as const, member: shown(colleague, entry) }
  })
}

export function removeMember(app: App, actor: Actor, project: sql.ProjectId, userId: string, ip: string) {
  const { orgId } = actor
  return changeProject(app, actor, project, async (tx) => {
    const before = (await keepCurrent(tx, orgId, project)).find((entry) => entry.userId === userId)
    if (!before) throw new ApiError('not_found', { error: 'Nobody with this id is a member of the project.' })
    await sql.deleteEntries(tx, project, [userId])
    const metadata = { userId, access: before.access }
    await record(tx, { orgId, actor, ip, action: 'projects.members.remove', target: project, metadata })
    return { ok: true as const }
  })
}

/** What is left after those who do not count any more are removed for good. */
async function keepCurrent(tx: Tx, org: OrgId, project: sql.ProjectId): Promise<sql.Entry[]> {
  const entries = await sql.entriesOf(tx, project)
  const counting = new Set((await current(tx, org, entries)).map(({ userId }) => userId))
  const gone = entries.filter(({ userId }) => !counting.has(userId))
  if (gone.length > 0)
    await sql.deleteEntries(
      tx,
      project,
      gone.map(({ userId }) => userId),
    )
  return entries.filter(({ userId }) => counting.has(userId))
}
