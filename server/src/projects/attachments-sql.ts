// SQL of attachments. Their content is in object storage.
import type { Id, OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type AttachmentId = Id<'att'>

export type StoredAttachment = {
  id: AttachmentId
  kind: 'generated'
  projectId: string | null
  origin: string
  name: string
  contentType: string
  bytes: bigint
  sha256: string
  storageKey: string
  createdBy: string
  createdAt: Date
}

/** Selects files of these projects or of all; `withLoose` adds files without a project. */
export type AttachmentFilter = {
  readonly projects: 'all' | readonly string[]
  readonly withLoose: boolean
  readonly before: TimeCursor
  readonly limit: number
}

/** Newest first, starting at the cursor. */
export function listAttachments(
  tx: Tx,
  org: OrgId,
  { projects, withLoose, before, limit }: AttachmentFilter,
) {
  const [inAll, ids] = projects === 'all' ? [true, []] : [false, projects]
  return tx.content.rows<StoredAttachment>`
    select id, kind, project_id as "projectId", origin, name, content_type as "contentType", bytes, sha256,
           storage_key as "storageKey", created_by as "createdBy", created_at as "createdAt"
    from attachments
    where org_id = ${org} and (created_at, id) < (${before.at}, ${before.id})
      and case when project_id is null then ${withLoose}::boolean
               else ${inAll}::boolean or project_id = any(${ids}::text[]) end
    order by created_at desc, id desc limit ${limit}`
}

export function findAttachment(tx: Tx, org: OrgId, id: AttachmentId) {
  return tx.content.maybe<StoredAttachment>`
    select id, kind, project_id as "projectId", origin, name, content_type as "contentType", bytes, sha256,
           storage_key as "storageKey", created_by as "createdBy", created_at as "createdAt"
    from attachments where id = ${id} and org_id = ${org}`
}

export async function insertAttachment(
  tx: Tx,
  org: OrgId,
  file: Omit<StoredAttachment, 'bytes' | 'createdAt'> & { bytes: number },
): Promise<void> {
  const { id, kind, projectId, origin, name, contentType, bytes, sha256, storageKey, createdBy } = file
  await tx.content.rows`
    insert into attachments (id, org_id, kind, project_id, origin, name, content_type, bytes, sha256, storage_key, created_by,
                             created_at)
    values (${id}, ${org}, ${kind}, ${projectId}, ${origin}, ${name}, ${contentType}, ${bytes}, ${sha256}, ${storageKey},
            ${createdBy}, ${tx.now})`
}

/** False if another caller deleted it first. */
export async function deleteAttachment(tx: Tx, org: OrgId, id: AttachmentId): Promise<boolean> {
  const deleted = await tx.content.maybe`
    delete from attachments where org_id = ${org} and id = ${id} returning id`
  return deleted !== undefined
}

/** Whether an attachment uses this storage key. */
export async function isStorageKeyUsed(tx: Tx, org: OrgId, storageKey: string): Promise<boolean> {
  const { found } = await tx.content.one<{ found: boolean }>`
    select exists (select from attachments where org_id = ${org} and storage_key = ${storageKey}) as found`
  return found
}

/** Storage keys of all files of an organisation, oldest first. */
export function listStorageKeysAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<{ id: AttachmentId; createdAt: Date; storageKey: string }>`
    select id, created_at as "createdAt", storage_key as "storageKey" from attachments
    where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

/** The content of all files in the placement of the transaction, in the order of their ids. */
export function listStoredContent(tx: Tx, after: string, limit: number) {
  return tx.content.rows<{
    id: AttachmentId
    orgId: OrgId
    storageKey: string
    bytes: bigint
    sha256: string
  }>`
    select id, org_id as "orgId", storage_key as "storageKey", bytes, sha256 from attachments
    where id > ${after} order by id limit ${limit}`
}
