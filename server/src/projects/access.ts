// The only place that decides read and write access to projects. A project is visible to its members and to the owners and
// admins of the organisation. A user who leaves the organisation loses all access, also after a return.

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

/** The fields of a caller that the access rules need. */
export type ProjectCaller = Pick<Actor, 'orgId' | 'userId' | 'role'>

// Lists in descending time start from this cursor.
export const LATEST_CURSOR: TimeCursor = { at: new Date('9999-12-31T23:59:59.999Z'), id: '' }

export async function readVisibility(
  tx: Tx,
  { orgId, userId, role }: ProjectCaller,
): Promise<ProjectVisibility> {
  const seesAll = hasRole(role, 'admin')
  const membership = seesAll ? undefined : await findMembership(tx, orgId, userId)
  return { orgId, userId, seesAll, since: membership?.joinedAt ?? null }
}

/** Returns the caller's access to each of these projects. Projects that the caller cannot see are left out. */
export async function readProjectAccess(
  tx: Tx,
  actor: ProjectCaller,
  projectIds: readonly string[],
): Promise<Map<string, ProjectAccess>> {
  if (projectIds.length === 0) return new Map()
  const seen = await findProjects(tx, await readVisibility(tx, actor), projectIds)
  return new Map(seen.map(({ id, access }) => [id, access]))
}

/**
 * Lists the projects that the caller can see. Items of an organisation are visible if they are in one of these or in
 * no project.
 */
export async function listVisibleProjectIds(tx: Tx, actor: ProjectCaller): Promise<'all' | string[]> {
  const sight = await readVisibility(tx, actor)
  if (sight.seesAll) return 'all'
  const seen = await listProjects(tx, sight, { before: LATEST_CURSOR, limit: PROJECTS_MAX })
  return seen.map(({ id }) => id)
}

export async function requireProject(tx: Tx, actor: ProjectCaller, projectId: string): Promise<Project> {
  const [project] = await findProjects(tx, await readVisibility(tx, actor), [projectId])
  if (!project)
    throw new ApiError('not_found', { error: 'The project does not exist, or you cannot see it.' })
  return project
}

/** For writes from other modules. Callers without write access get 403, even for a project that they cannot see. */
export async function requireEditorAccess(tx: Tx, actor: ProjectCaller, projectId: string): Promise<void> {
  if ((await readProjectAccess(tx, actor, [projectId])).get(projectId) !== 'editor')
    throw new ApiError('project_editor_only')
}

/** Throws 404 if the caller cannot see the project, and 403 if the caller may only view it. */
export async function requireProjectEditor(tx: Tx, actor: ProjectCaller, projectId: string): Promise<void> {
  const { access } = await requireProject(tx, actor, projectId)
  if (access !== 'editor') throw new ApiError('project_editor_only')
}
