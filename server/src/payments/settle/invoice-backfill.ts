// Issues invoices for payments that were settled before invoices existed, and credit notes for their refunds.
import { issueCreditNote, issueInvoice } from '../../invoices/invoices.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import * as sql from '../sql/invoice-backfill.ts'

const BATCH_SIZE = 500

export const backfillInvoices = job('invoices.backfill', {
  attempts: 1,
  timeoutMs: 300_000,
  async run(app) {
    await invoiceOldPayments(app)
  },
})

export const backfillSchedule: Schedule = {
  name: 'invoices.backfill',
  job: 'invoices.backfill',
  everySeconds: 3600,
}

/** Handles at most `most` payments; the next run continues. One failure does not stop the others. */
export async function invoiceOldPayments(app: App, most = BATCH_SIZE): Promise<number> {
  const references = await app.db.tx('platform', (tx) => sql.listUninvoiced(tx, most))
  const failures: unknown[] = []
  for (const reference of references) {
    try {
      await app.db.tx('platform', (tx) => invoiceOne(app, tx, reference))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} payments could not be invoiced`)
  return references.length
}

async function invoiceOne(app: App, tx: Tx, reference: string): Promise<void> {
  const payment = await sql.lockUninvoiced(tx, reference)
  if (!payment) return
  const { orgId, currency, mode, capturedMinor, settledAt } = payment
  const invoice = await issueInvoice(app, tx, {
    orgId,
    subject: 'topup',
    cause: reference,
    currency,
    lines: [{ description: 'Wallet top-up', quantity: 1, amountMinor: capturedMinor }],
    mode,
    status: 'paid',
    reference,
    method: wordsOf(payment.channel),
    issuedAt: settledAt,
  })
  await sql.setInvoice(tx, reference, invoice.id)
  await creditEarlier(tx, payment)
}

async function creditEarlier(tx: Tx, payment: sql.UninvoicedPayment): Promise<void> {
  const { orgId, reference, capturedMinor, refundedMinor, reversedAt } = payment
  for (const { id, amountMinor, reason, createdAt } of await sql.refundsOf(tx, reference))
    await issueCreditNote(tx, {
      orgId,
      reference,
      amountMinor,
      reason,
      cause: id,
      issuedAt: createdAt,
    })
  const restMinor = capturedMinor - refundedMinor
  if (reversedAt === null || restMinor === 0n) return
  await issueCreditNote(tx, {
    orgId,
    reference,
    amountMinor: restMinor,
    reason: 'The payment provider reversed the payment.',
    cause: `reversal ${reference}`,
    issuedAt: reversedAt,
  })
}

/** `mtn_momo` → Mtn momo */
const wordsOf = (channel: string): string =>
  channel.charAt(0).toUpperCase() + channel.slice(1).replaceAll('_', ' ')
