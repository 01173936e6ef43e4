// Registrations as staff see and retry them.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { creditNoteUrl, receiptUrl } from '../receipt/links.ts'
import { enqueueSubmission } from './queue.ts'
import * as sql from './sql.ts'

type Search = { state?: sql.SubmissionState | undefined; limit: number; cursor?: string | undefined }

export async function listEInvoices(app: App, { state, limit, cursor }: Search) {
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) => sql.listSubmissions(tx, state ?? null, before, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return {
    einvoices: items.map(({ invoiceId, creditNoteId, ...row }) => ({
      ...row,
      kind: creditNoteId === null ? ('invoice' as const) : ('credit_note' as const),
      receiptUrl: creditNoteId === null ? receiptUrl(app, invoiceId) : creditNoteUrl(app, creditNoteId),
    })),
    nextCursor,
  }
}

/** Sends a rejected or unclear document again. Its numbers stay. Staff cannot retry a document of an organisation that they belong to. */
export function retryEInvoice(actor: Actor, id: sql.SubmissionId, once: Once, ip: string) {
  return once.commit('platform', async (tx) => {
    const found = await sql.lockSubmission(tx, id)
    if (!found) throw new ApiError('not_found')
    await requireOutsider(tx, actor, found.orgId)
    if (found.state !== 'rejected' && found.state !== 'unclear')
      throw new ApiError('already_decided', {
        error:
          'Only rejected and unclear documents can be retried. List them with GET /admin/einvoices?state=rejected.',
      })
    await sql.restart(tx, id, found.state === 'rejected')
    await enqueueSubmission(tx, id)
    await record(tx, {
      orgId: found.orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.invoices.retry_einvoice',
      target: found.creditNoteId ?? found.invoiceId,
      metadata: { id, authority: found.authority, from: found.state },
    })
    return { ok: true as const, id }
  })
}
