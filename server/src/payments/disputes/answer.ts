// Sends the answer of staff to a dispute. The provider's decision arrives later and is applied with the other returns.
import { runMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import type { DisputeAnswer, DisputeAnswerResult } from '../rails/rail.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { setNextCheck } from '../sql/payment-status.ts'
import { type Payment, paymentByReference } from '../sql/payments.ts'
import { answerObstacle } from './desk.ts'
import { collectEvidence } from './evidence.ts'
import * as sql from './sql.ts'

export type DisputeReply =
  | { kind: 'accepted'; message: string }
  | {
      kind: 'contested'
      message: string
      customerPhone?: string | undefined
      /** Replaces the prepared text. */
      serviceDetails?: string | undefined
    }

/** Of an approval. The whole message is sent. */
const REASON_CHARACTERS_MAX = 500

export type ClaimedAnswer = {
  readonly dispute: sql.Dispute
  readonly payment: Payment
  readonly answer: DisputeAnswer
}

/** The answer is claimed before it is sent, so that two staff never send different ones. */
export async function answerDispute(
  app: App,
  actor: Actor,
  id: sql.DisputeId,
  reply: DisputeReply,
  once: Once,
  ip: string,
) {
  const claimed = await runMoney(app, actor, once.id, ip, (call) =>
    app.db.tx('platform', (tx) => claimAnswer(app, tx, call, id, reply)),
  )
  const result = await sendAnswer(app, claimed)
  if (result.status === 'unknown')
    throw new ApiError('rail_unavailable', {
      error: 'The provider did not confirm the answer. Send the same answer again to find out.',
    })
  if (result.status === 'refused') {
    await app.db.tx('platform', (tx) => sql.withdrawAnswer(tx, id, reply.kind))
    throw new ApiError('dispute_answer_refused', { reason: result.reason })
  }
  return once.commit('platform', (tx) => confirmAnswer(tx, { staff: actor, ip, approvedBy: null }, claimed))
}

/** An accepted dispute gives money away, so it may need an approval. A contested one moves nothing. */
export async function claimAnswer(
  app: App,
  tx: Tx,
  call: MoneyCall,
  id: sql.DisputeId,
  reply: DisputeReply,
): Promise<ClaimedAnswer> {
  const dispute = await sql.findDispute(tx, id)
  const payment = dispute && (await paymentByReference(tx, dispute.reference))
  if (!payment) throw new ApiError('not_found')
  const { orgId, reference, amountMinor, currency } = dispute
  await requireOutsider(tx, call.staff, orgId)
  if (dispute.state !== 'frozen' || dispute.answeredAt !== null)
    throw new ApiError('already_decided', {
      error:
        dispute.answeredAt === null
          ? 'The provider has already decided this dispute.'
          : 'This dispute was already answered. Wait for the decision of the provider.',
    })
  const obstacle = answerObstacle(app, payment)
  if (obstacle !== null) throw new ApiError('dispute_answer_refused', { error: obstacle })
  const { kind, message } = reply
  if (!(await sql.claimAnswer(tx, id, { answer: kind, by: call.staff.userId, message })))
    throw new ApiError('already_decided', {
      error: 'Another answer to this dispute is being sent. Look at the dispute again.',
    })
  if (kind === 'accepted')
    await call.consent(tx, {
      kind: 'admin.disputes.accept',
      ...{ orgId, amountMinor, currency, reference },
      reason: message.slice(0, REASON_CHARACTERS_MAX),
      input: { disputeId: id, message },
    })
  return { dispute, payment, answer: await prepareAnswer(app, tx, dispute, reply) }
}

export async function prepareAnswer(
  app: App,
  tx: Tx,
  dispute: sql.Dispute,
  reply: DisputeReply,
): Promise<DisputeAnswer> {
  const { message } = reply
  if (reply.kind === 'accepted') return { kind: 'accepted', message, amountMinor: dispute.amountMinor }
  const evidence = await collectEvidence(app, tx, dispute)
  return {
    ...{ kind: 'contested', message },
    customer: {
      email: evidence.customer.email,
      name: evidence.customer.name ?? evidence.customer.orgName,
      phone: reply.customerPhone ?? null,
    },
    serviceDetails: reply.serviceDetails ?? evidence.serviceDetails,
  }
}

/** A refused answer may repeat one that was lost, or the bank was faster. It counts as sent then. */
export async function sendAnswer(
  app: App,
  { dispute, payment, answer }: ClaimedAnswer,
): Promise<DisputeAnswerResult> {
  const result = await send(app, payment, dispute, answer)
  const { id, reference } = dispute
  if (result.status === 'unknown')
    app.log.warn(
      { disputeId: id, rail: payment.rail, reason: result.reason },
      'payments.dispute.answer_unknown',
    )
  if (result.status !== 'refused') return result
  await reconcilePayment(app, reference, 'staff')
  const now = await app.db.tx('platform', (tx) => sql.findDispute(tx, id))
  return now !== undefined && now.state !== 'frozen' ? { status: 'accepted' } : result
}

export async function confirmAnswer(
  tx: Tx,
  { staff, ip, approvedBy }: Pick<MoneyCall, 'staff' | 'ip' | 'approvedBy'>,
  { dispute: { id, reference, orgId, returnKey }, answer: { kind, message } }: ClaimedAnswer,
) {
  await sql.confirmAnswer(tx, id)
  // The provider may decide at once.
  await setNextCheck(tx, reference, tx.now)
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'admin.disputes.answer',
    target: reference,
    metadata: {
      ...{ disputeId: id, key: returnKey, answer: kind, message },
      ...(approvedBy !== null && { approvedBy }),
    },
  })
  return { ok: true as const, id, answer: kind }
}

async function send(
  app: App,
  payment: Payment,
  { returnKey }: sql.Dispute,
  answer: DisputeAnswer,
): Promise<DisputeAnswerResult> {
  const rail = accountOf(app, payment)
  const run = rail?.answerDispute
  const { transactionId } = payment
  if (!rail || !run || transactionId === null) return { status: 'refused', reason: 'no account' }
  const number = returnKey.slice('dispute:'.length)
  return withCircuitBreaker(app, rail, (http) => run(http, { ...payment, transactionId }, number, answer))
}
