// Projects group the files of an organisation and limit who sees them.
import { record } from '../audit/audit.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { LATEST_CURSOR, PROJECTS_MAX, readVisibility, requireProject } from './access.ts'
import { readAttachmentPage } from './attachments.ts'
import { changeProject, readGrantTime, readProjectMembers } from './members.ts'
import { SHOWN_FILES } from './schema.ts'
import * as sql from './sql.ts'

export {
  listVisibleProjectIds,
  type ProjectCaller,
  readProjectAccess,
  requireEditorAccess,
  requireProject,
  requireProjectEditor,
} from './access.ts'
export {
  type Attachment,
  attachmentUrl,
  insertAttachments,
  type NewAttachment,
} from './attachments.ts'
export { scheduleOrphanCleanup } from './erase-files.ts'
export { projectFilter } from './schema.ts'
export type { ProjectAccess, ProjectId } from './sql.ts'

export function listProjects(app: App, actor: Actor, query: { limit: number; cursor?: string | undefined }) {
  return app.db.tx(actor.orgId, async (tx) => {
    const before = query.cursor === undefined ? LATEST_CURSOR : decodeTimeCursor(query.cursor)
    const rows = await sql.listProjects(tx, await readVisibility(tx, actor), {
      before,
      limit: query.limit + 1,
    })
    const { items, nextCursor } = toPage(rows, query.limit, ({ createdAt, id }) => [createdAt, id])
    return { projects: items, nextCursor }
  })
}

/** Any member may create a project and becomes its first editor. */
export function createProject(app: App, actor: Actor, name: string, ip: string) {
  const { orgId, userId } = actor
  return app.db.tx(orgId, async (tx) => {
    // Without the lock, two concurrent requests could both take the last free place.
    await tx.lock(`projects of ${orgId}`)
    if ((await sql.countProjects(tx, orgId)) >= PROJECTS_MAX)
      throw new ApiError('limit_reached', {
        error: `The organisation has reached the limit of ${PROJECTS_MAX} projects.`,
      })
    const id = newId('prj')
    await sql.insertProject(tx, orgId, { id, name, createdBy: userId })
    const addedAt = await readGrantTime(tx, orgId, userId)
    await sql.upsertProjectMember(
      tx,
      { orgId, project: id, addedBy: userId },
      { userId, access: 'editor', addedAt },
    )
    // The name is customer content, so the audit entry leaves it out.
    await record(tx, { orgId, actor, ip, action: 'projects.create', target: id })
    return requireProject(tx, actor, id)
  })
}

/** Returns a project with its members and its newest files. */
export function readProject(app: App, actor: Actor, id: sql.ProjectId) {
  return app.db.tx(actor.orgId, async (tx) => {
    const project = await requireProject(tx, actor, id)
    const members = await readProjectMembers(tx, actor.orgId, id)
    const { attachments, nextCursor } = await readAttachmentPage(tx, actor.orgId, {
      projects: [id],
      withLoose: false,
      before: LATEST_CURSOR,
      limit: SHOWN_FILES,
    })
    return { ...project, members, attachments, attachmentsCursor: nextCursor }
  })
}

export function renameProject(app: App, actor: Actor, id: sql.ProjectId, name: string, ip: string) {
  return changeProject(app, actor, id, async (tx) => {
    const before = await requireProject(tx, actor, id)
    if (name === before.name) return before
    await sql.renameProject(tx, id, name)
    await record(tx, { orgId: actor.orgId, actor, ip, action: 'projects.rename', target: id })
    return { ...before, name }
  })
}
