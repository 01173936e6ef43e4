// Files generated for an organisation. A file in a project is visible to those who see the project; a file without a
// project is visible to the whole organisation.
import { record } from '../audit/audit.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, hasRole } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { LATEST_CURSOR, listVisibleProjectIds, readProjectAccess, requireProject } from './access.ts'
import type { AttachmentFilter, AttachmentId, StoredAttachment } from './attachments-sql.ts'
import * as sql from './attachments-sql.ts'
import { enqueueErase } from './erase-files.ts'

export type Attachment = Omit<StoredAttachment, 'bytes' | 'storageKey'> & { bytes: number; url: string }

export type NewAttachment = {
  readonly id?: AttachmentId
  readonly orgId: OrgId
  /** Null: visible to the whole organisation. */
  readonly projectId: string | null
  /** The id of the resource that generated it, such as a research run. */
  readonly origin: string
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  readonly sha256: string
  readonly storageKey: string
  readonly createdBy: string
}

export const attachmentUrl = (id: string): string => `/attachments/${id}`

/** Attaches files whose content is already in storage. Call `scheduleOrphanCleanup` before storing the content. */
export async function insertAttachments(tx: Tx, files: readonly NewAttachment[]): Promise<Attachment[]> {
  const kept: Attachment[] = []
  for (const { orgId, storageKey, id = newId('att', tx.now.getTime()), ...file } of files) {
    const made = { ...file, id, kind: 'generated' as const }
    await sql.insertAttachment(tx, orgId, { ...made, storageKey })
    kept.push({ ...made, url: attachmentUrl(id), createdAt: tx.now })
  }
  return kept
}

export async function readAttachmentPage(tx: Tx, org: OrgId, among: AttachmentFilter) {
  const rows = await sql.listAttachments(tx, org, { ...among, limit: among.limit + 1 })
  const { items, nextCursor } = toPage(rows, among.limit, ({ createdAt, id }) => [createdAt, id])
  return { attachments: items.map(toAttachment), nextCursor }
}

function toAttachment({ storageKey: _, ...file }: StoredAttachment): Attachment {
  return { ...file, bytes: Number(file.bytes), url: attachmentUrl(file.id) }
}

type AttachmentListQuery = { limit: number; cursor?: string | undefined; projectId?: string | undefined }

export function listAttachments(app: App, actor: Actor, { limit, cursor, projectId }: AttachmentListQuery) {
  return app.db.tx(actor.orgId, async (tx) => {
    const before = cursor === undefined ? LATEST_CURSOR : decodeTimeCursor(cursor)
    if (projectId !== undefined) await requireProject(tx, actor, projectId)
    const projects = projectId === undefined ? await listVisibleProjectIds(tx, actor) : [projectId]
    return readAttachmentPage(tx, actor.orgId, {
      projects,
      withLoose: projectId === undefined,
      before,
      limit,
    })
  })
}

type VisibleAttachment = { file: StoredAttachment; isEditor: boolean }

/** Returns a file that the caller can see, and whether the caller may change it. */
export async function requireAttachment(tx: Tx, actor: Actor, id: AttachmentId): Promise<VisibleAttachment> {
  const file = await sql.findAttachment(tx, actor.orgId, id)
  if (!file) throw new ApiError('not_found')
  const { projectId, createdBy } = file
  const isOwn = createdBy === actor.userId || hasRole(actor.role, 'admin')
  if (projectId === null) return { file, isEditor: isOwn }
  const access = (await readProjectAccess(tx, actor, [projectId])).get(projectId)
  if (access === undefined) throw new ApiError('not_found')
  return { file, isEditor: isOwn || access === 'editor' }
}

/** Deletes the row now; a job deletes the content. */
export function deleteAttachment(app: App, actor: Actor, id: AttachmentId, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const { file, isEditor } = await requireAttachment(tx, actor, id)
    if (!isEditor)
      throw new ApiError('project_editor_only', {
        error:
          'Only the user who created this file, an editor of its project, an owner or an admin can delete it.',
      })
    if (!(await sql.deleteAttachment(tx, orgId, id))) throw new ApiError('not_found')
    await enqueueErase(tx, orgId, file.storageKey)
    const { origin, projectId } = file
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'attachments.delete',
      target: id,
      metadata: { origin, projectId },
    })
    return { ok: true as const }
  })
}
