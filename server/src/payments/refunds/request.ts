// Requests a refund to the card or phone that paid: freezes the money, and a job sends the refund.
import { commitMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { freeze, readBalances } from '../../wallet/wallet.ts'
import { accountOf } from '../rails/accounts.ts'
import { lockPayment, type Payment } from '../sql/payments.ts'
import { enqueueRefund } from './jobs.ts'
import * as sql from './sql.ts'

export type SourceRefundInput = { amountMinor: bigint; reason: string }

export function requestSourceRefund(
  app: App,
  actor: Actor,
  reference: string,
  input: SourceRefundInput,
  once: Once,
  ip: string,
) {
  return commitMoney(app, actor, once, ip, (tx, call) => startSourceRefund(app, tx, call, reference, input))
}

/** One transaction: the refund, its freeze, its job and the audit event. The provider is called later. */
export async function startSourceRefund(
  app: App,
  tx: Tx,
  call: MoneyCall,
  reference: string,
  { amountMinor, reason }: SourceRefundInput,
) {
  const { staff, operationId, approvedBy, ip } = call
  const payment = await lockPayment(tx, reference)
  if (!payment) throw new ApiError('not_found')
  const { orgId, currency } = payment
  await requireOutsider(tx, staff, orgId)
  await requireRefundable(app, tx, payment, amountMinor)
  await call.consent(tx, {
    kind: 'admin.payments.refundToSource',
    ...{ orgId, amountMinor, currency, reference, reason, input: {} },
  })
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  // The same for every retry, so that a second insert fails.
  const id: sql.SourceRefundId = `srf_${operationId.slice('idem_'.length)}`
  const { holdId } = await freeze(app, tx, {
    ...{ orgId, ref: `${id} ${reference}`, amountMinor, leastMinor: amountMinor },
  })
  if (holdId === null) {
    const { availableMinor } = await readBalances(tx, orgId)
    throw new ApiError('refund_exceeds_balance', { availableMinor })
  }
  const actorUserId = staff.userId
  await sql.insertSourceRefund(tx, { id, reference, orgId, amountMinor, reason, holdId, actorUserId })
  await enqueueRefund(tx, id)
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'admin.payments.refund_to_source',
    target: reference,
    metadata: { refundId: id, amountMinor, reason, ...(approvedBy !== null && { approvedBy }) },
  })
  return { ok: true as const, id, reference, state: 'requested' as const, amountMinor, requestedAt: tx.now }
}

const PAY_OUT_BY_HAND =
  'Pay it out by hand, then record it: debit nothing here before the money has left, and close it with a case note.'

/** Why a payment cannot be refunded to its payer by this service; null if it can. */
export function refundObstacle(
  app: App,
  payment: Pick<Payment, 'purpose' | 'mode' | 'status' | 'transactionId' | 'rail' | 'account' | 'currency'>,
): string | null {
  if (payment.purpose !== 'topup')
    return 'This payment paid a bill. Refund it to the wallet with POST /wallet/refund first.'
  if (payment.mode === 'mock') return 'This payment was made with test money. There is nothing to return.'
  if (!accountOf(app, payment)?.refund)
    return `${payment.rail} offers no refund with the keys of this service. ${PAY_OUT_BY_HAND}`
  return payment.status === 'settled' && payment.transactionId === null
    ? `The provider named no transaction of this payment. ${PAY_OUT_BY_HAND}`
    : null
}

async function requireRefundable(app: App, tx: Tx, payment: Payment, amountMinor: bigint): Promise<void> {
  const obstacle = refundObstacle(app, payment)
  if (obstacle !== null) throw new ApiError('refund_not_supported', { error: obstacle })
  if (payment.status !== 'settled' || payment.reversedAt !== null)
    throw new ApiError('payment_not_settled', {
      error:
        payment.status === 'settled'
          ? 'The provider has already reversed this payment. There is nothing left to refund.'
          : 'Only settled payments can be refunded. Check the status of this payment.',
      status: payment.status,
    })
  if (await sql.openRefundOf(tx, payment.reference)) throw new ApiError('refund_in_progress')
  const { capturedMinor, refundedMinor, returnedMinor, disputedMinor } = payment
  const leftMinor = capturedMinor - refundedMinor - returnedMinor - disputedMinor
  const remainingMinor = leftMinor > 0n ? leftMinor : 0n
  if (amountMinor > remainingMinor) throw new ApiError('refund_exceeds_captured', { remainingMinor })
}
