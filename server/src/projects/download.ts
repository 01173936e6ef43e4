// Downloads the content of a file. Browsers save it and do not render it, because reports contain text from foreign
// web pages.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Answer, answer } from '../platform/http/answer.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import type { StoredObject } from '../platform/storage/storage.ts'
import { requireAttachment } from './attachments.ts'
import type { AttachmentId } from './attachments-sql.ts'

/** Content types that the download announces; all other files are served as application/octet-stream. */
export const SERVED_CONTENT_TYPES: Readonly<Record<string, string>> = {
  'text/markdown': 'A report as Markdown.',
  'text/html': 'A report as an HTML page.',
  'application/json': 'The sources of a report.',
  'application/pdf': 'A report as a PDF file.',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
    'A report as an office document.',
}

const CONTENT_SECURITY_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export async function downloadAttachment(
  app: App,
  actor: Actor,
  id: AttachmentId,
  request: RequestInfo,
): Promise<Answer> {
  const { file } = await app.db.tx(actor.orgId, (tx) => requireAttachment(tx, actor, id))
  const found = await app.storage.get(file.storageKey)
  if (!found) {
    app.log.error({ attachmentId: id, storageKey: file.storageKey }, 'projects.attachment.content_missing')
    throw new ApiError('not_found', {
      error: 'The content of this file is missing. Generate it again or contact support.',
    })
  }
  return answer(200, cancelOnDisconnect(found, request.gone), {
    ...(Object.hasOwn(SERVED_CONTENT_TYPES, mediaTypeOf(file.contentType)) && {
      'content-type': file.contentType,
    }),
    'content-disposition': contentDisposition(file.name),
    'content-length': String(found.bytes),
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': 'private, no-store',
    etag: `"${file.sha256}"`,
  })
}

const mediaTypeOf = (contentType: string): string => contentType.split(';')[0]?.trim() ?? ''

/** Cancels the storage stream if the client disconnects before the first chunk is read. */
function cancelOnDisconnect({ stream }: StoredObject, gone: AbortSignal): AsyncIterable<Uint8Array> {
  // A stream that has a reader cannot be cancelled here; its reader ends it.
  const giveBack = () => void stream.cancel().catch(() => undefined)
  gone.addEventListener('abort', giveBack)
  if (gone.aborted) giveBack()
  return stream
}

/** Gives the name in plain ASCII for every client, and exactly for clients that support RFC 5987. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, '_')
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
