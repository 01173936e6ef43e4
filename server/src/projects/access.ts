// Who may see a project, and who may write to it. Decided here and nowhere else: a project exists for its members and for the
// owners and admins of the organisation. Somebody who leaves the organisation loses what they had, also when they come back.

import { ApiError } from '../kernel/errors.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, hasRole } from '../platform/http/actor.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import {
  findProjects,
  listProjects,
  type Project,
  type ProjectAccess,
  type ProjectVisibility,
} from './sql.ts'

/** Per organisation. */
export const PROJECTS_MAX = 200

/** Who asks: all that these rules need to know of a caller. */
export type ProjectCaller = Pick<Actor, 'orgId' | 'userId' | 'role'>

// Lists that go back in time begin here.
export const LATEST_CURSOR: TimeCursor = { at: new Date('9999-12-31T23:59:59.999Z'), id: '' }

export async function readVisibility(
  tx: Tx,
  { orgId, userId, role }: ProjectCaller,
): Promise<ProjectVisibility> {
  const seesAll = hasRole(role, 'admin')
  const membership = seesAll ? undefined : await findMembership(tx, orgId, userId)
  return { orgId, userId, seesAll, since: membership?.joinedAt ?? null }
}

/** What they may do with each of these projects. One that they do not see is left out. */
export async function readProjectAccess(
  tx: Tx,
  actor: ProjectCaller,
  projectIds: readonly string[],
): Promise<Map<string, ProjectAccess>> {
  if (projectIds.length === 0) return new Map()
  const seen = await findProjects(tx, await readVisibility(tx, actor), projectIds)
  return new Map(seen.map(({ id, access }) => [id, access]))
}

/** The projects that they see. Of the things of an organisation they see those in them, and those in none. */
export async function listVisibleProjectIds(tx: Tx, actor: ProjectCaller): Promise<'all' | string[]> {
  const sight = await readVisibility(tx, actor)
  if (sight.seesAll) return 'all'
  const seen = await listProjects(tx, sight, { before: LATEST_CURSOR, limit: PROJECTS_MAX })
  return seen.map(({ id }) => id)
}

export async function requireProject(tx: Tx, actor: ProjectCaller, projectId: string): Promise<Project> {
  const [project] = await findProjects(tx, await readVisibility(tx, actor), [projectId])
  if (!project)
    throw new ApiError('not_found', { error: 'There is no such project, or it is not yours to see.' })
  return project
}

/** For what is written from elsewhere: whoever may not write hears only that, also of a project that they do not see. */
export async function requireEditorAccess(tx: Tx, actor: ProjectCaller, projectId: string): Promise<void> {
  if ((await readProjectAccess(tx, actor, [projectId])).get(projectId) !== 'editor')
    throw new ApiError('project_editor_only')
}

/** Refuses with 404 whom the project does not exist for, and with 403 who may only look at it. */
export async function requireProjectEditor(tx: Tx, actor: ProjectCaller, projectId: string): Promise<void> {
  const { access } = await requireProject(tx, actor, projectId)
  if (access !== 'editor') throw new ApiError('project_editor_only')
}
