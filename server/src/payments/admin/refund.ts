// Credits by staff: refunds of a payment, up to the captured amount, and adjustments.
import { commitMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { creditNoteUrl, issueCreditNote } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { isOpenOrg, shareOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { credit, findEntry } from '../../wallet/wallet.ts'
import { refundingMinorOf } from '../refunds/sql.ts'
import { mailPayer, refundMail } from '../settle/customer-mail.ts'
import { addRefunded } from '../sql/payment-status.ts'
import { lockPayment, type Payment } from '../sql/payments.ts'
import { insertRefund } from '../sql/wallet-refunds.ts'

export type RefundInput = {
  orgId: string
  amountMinor: bigint
  reason: string
  source: 'refund' | 'adjustment'
  reference?: string | undefined
}

export function refund(app: App, actor: Actor, input: RefundInput, once: Once, ip: string) {
  checkFields(input)
  return commitMoney(app, actor, once, ip, (tx, call) => giveRefund(app, tx, call, input))
}

/** Credits the wallet, counts the refund on the payment and records the audit event, in one transaction. */
export async function giveRefund(app: App, tx: Tx, call: MoneyCall, input: RefundInput) {
  const { amountMinor, reason, source, reference } = input
  const { staff, operationId, approvedBy, ip } = call
  const orgId = await requireOpenOrg(tx, input.orgId)
  await requireOutsider(tx, staff, orgId)
  const payment =
    source === 'refund' ? await refundPayment(app, tx, orgId, reference ?? '', amountMinor) : null
  const { currency } = await shareOrg(tx, orgId)
  await call.consent(tx, {
    kind: 'wallet.refund',
    ...{ orgId, amountMinor, currency, reason, reference: reference ?? null },
    input: { source },
  })
  // The same for every retry, so that the unique cause of the credit also rejects a second one.
  const id = `rfd_${operationId.slice('idem_'.length)}`
  const { entryId, balances } = await credit(app, tx, {
    orgId,
    amountMinor,
    source,
    ref: source === 'refund' ? (reference ?? '') : id,
    cause: `refund ${id}`,
    account: source === 'refund' ? 'refunds' : 'adjustments',
  })
  assert(entryId, 'a refund is credited once')
  const cited = source === 'refund' ? (reference ?? null) : null
  const actorUserId = staff.userId
  await insertRefund(tx, {
    id,
    orgId,
    source,
    reference: cited,
    amountMinor,
    reason,
    actorUserId,
    entryId,
  })
  const entry = await findEntry(tx, orgId, entryId)
  assert(entry, 'a credit has a ledger entry')
  const { balanceMinor } = balances
  const note = payment && (await creditInvoice(app, tx, payment, input, { id, balanceMinor }))
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'wallet.refund',
    target: reference ?? id,
    metadata: {
      refundId: id,
      source,
      reference,
      amountMinor,
      reason,
      entryId,
      balanceMinor,
      creditNote: note?.number,
      ...(approvedBy !== null && { approvedBy }),
    },
  })
  return { ok: true as const, entry, balanceMinor, creditNote: note }
}

function checkFields({ source, reference }: RefundInput): void {
  if (source === 'refund' && reference === undefined)
    throw invalidFields({ path: 'reference', message: 'is required: a refund refers to a settled payment' })
}

async function requireOpenOrg(tx: Tx, id: string): Promise<OrgId> {
  if (!isId('org', id) || !(await isOpenOrg(tx, id)))
    throw new ApiError('not_found', { error: 'There is no organisation with this id.' })
  return id
}

const STATUS_WORDS = {
  pending: 'still pending',
  settled: 'settled',
  failed: 'failed',
  expired: 'expired',
  review: 'under review',
} as const

/** Counts the refund on the payment. The lock serialises concurrent refunds. */
async function refundPayment(
  app: App,
  tx: Tx,
  orgId: OrgId,
  reference: string,
  amountMinor: bigint,
): Promise<Payment> {
  const payment = await lockPayment(tx, reference)
  if (payment?.orgId !== orgId)
    throw new ApiError('payment_not_settled', {
      error: 'This organisation has no payment with this reference. Check its top-ups.',
    })
  if (payment.status !== 'settled')
    throw new ApiError('payment_not_settled', {
      error: `This payment is ${STATUS_WORDS[payment.status]}. Only settled payments can be refunded.`,
      status: payment.status,
    })
  if (payment.reversedAt !== null)
    throw new ApiError('payment_not_settled', {
      error: 'The provider has already reversed this payment. There is nothing left to refund.',
    })
  // Money that the provider returned or returns, or that is disputed, is not refunded again.
  const { capturedMinor, refundedMinor, returnedMinor, disputedMinor } = payment
  const refundingMinor = await refundingMinorOf(tx, reference)
  const leftMinor = capturedMinor - refundedMinor - returnedMinor - disputedMinor - refundingMinor
  const remainingMinor = leftMinor > 0n ? leftMinor : 0n
  if (amountMinor > remainingMinor) throw new ApiError('refund_exceeds_captured', { remainingMinor })
  await addRefunded(tx, reference, amountMinor)
  const handler = app.paymentHandlers[payment.purpose]
  await handler?.lock(tx, payment)
  await handler?.onRefunded(app, tx, payment, amountMinor)
  return payment
}

/** Issues a credit note on the payment's invoice and notifies the payer. */
async function creditInvoice(
  app: App,
  tx: Tx,
  payment: Payment,
  { amountMinor, reason }: RefundInput,
  { id, balanceMinor }: { id: string; balanceMinor: bigint },
) {
  const { orgId, reference } = payment
  const note = await issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: id })
  await mailPayer(app, tx, payment, refundMail(app, payment, amountMinor, note, balanceMinor))
  return note && { ...note, receiptUrl: creditNoteUrl(app, note.id) }
}
