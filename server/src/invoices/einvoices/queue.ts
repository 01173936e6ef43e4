// Queues documents for registration, in the transaction that issues them. Issuing never waits for the authority.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import type { CreditNoteId, InvoiceId } from '../document.ts'
import { activeAuthority } from './authorities.ts'
import * as sql from './sql.ts'

/** Queues a paid invoice, if the authority of the seller's country is responsible for it. */
export async function queueInvoice(app: App, tx: Tx, id: InvoiceId): Promise<void> {
  const authority = activeAuthority(app)
  if (!authority) return
  const queued = await sql.insertForInvoice(tx, id, authority)
  if (queued) await enqueueSubmission(tx, queued.id)
}

/** Queues a credit note of a registered invoice. It waits until the invoice is accepted. */
export async function queueCreditNote(tx: Tx, id: CreditNoteId, invoiceId: InvoiceId): Promise<void> {
  const queued = await sql.insertForCreditNote(tx, id, invoiceId)
  if (queued?.isInvoiceAccepted) await enqueueSubmission(tx, queued.id)
}

export const enqueueSubmission = (tx: Tx, id: sql.SubmissionId, runAt?: Date): Promise<void> =>
  enqueue(tx, 'einvoices.submit', { id }, { key: id, runAt })
