// Sends the answer of staff to a dispute. The provider's decision arrives later and is applied with the other returns.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
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

/** The answer is claimed before it is sent, so that two staff never send different ones. */
export async function answerDispute(
  app: App,
  actor: Actor,
  id: sql.DisputeId,
  reply: DisputeReply,
  once: Once,
  ip: string,
) {
  const { dispute, payment, answer } = await claim(app, actor, id, reply)
  const result = await send(app, payment, dispute, answer)
  if (result.status === 'unknown') {
    app.log.warn(
      { disputeId: id, rail: payment.rail, reason: result.reason },
      'payments.dispute.answer_unknown',
    )
    throw new ApiError('rail_unavailable', {
      error: 'The provider did not confirm the answer. Send the same answer again to find out.',
    })
  }
  if (result.status === 'refused' && !(await isDecided(app, dispute))) {
    await app.db.tx('platform', (tx) => sql.withdrawAnswer(tx, id))
    throw new ApiError('dispute_answer_refused', { reason: result.reason })
  }
  return once.commit('platform', async (tx) => {
    await sql.confirmAnswer(tx, id)
    const { reference, orgId, returnKey } = dispute
    // The provider may decide at once.
    await setNextCheck(tx, reference, tx.now)
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.disputes.answer',
      target: reference,
      metadata: { disputeId: id, key: returnKey, answer: reply.kind, message: reply.message },
    })
    return { ok: true as const, id, answer: reply.kind }
  })
}

function claim(app: App, actor: Actor, id: sql.DisputeId, reply: DisputeReply) {
  return app.db.tx('platform', async (tx) => {
    const dispute = await sql.findDispute(tx, id)
    const payment = dispute && (await paymentByReference(tx, dispute.reference))
    if (!payment) throw new ApiError('not_found')
    await requireOutsider(tx, actor, dispute.orgId)
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
    if (!(await sql.claimAnswer(tx, id, { answer: kind, by: actor.userId, message })))
      throw new ApiError('already_decided', {
        error: 'Another answer to this dispute is being sent. Look at the dispute again.',
      })
    const evidence = await collectEvidence(app, tx, dispute)
    const answer: DisputeAnswer =
      reply.kind === 'accepted'
        ? { kind: 'accepted', message, amountMinor: dispute.amountMinor }
        : {
            ...{ kind: 'contested', message },
            customer: {
              email: evidence.customer.email,
              name: evidence.customer.name ?? evidence.customer.orgName,
              phone: reply.customerPhone ?? null,
            },
            serviceDetails: reply.serviceDetails ?? evidence.serviceDetails,
          }
    return { dispute, payment, answer }
  })
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

/** A refused answer may repeat one that was lost, or the bank was faster. */
async function isDecided(app: App, { id, reference }: sql.Dispute): Promise<boolean> {
  await reconcilePayment(app, reference, 'staff')
  const now = await app.db.tx('platform', (tx) => sql.findDispute(tx, id))
  return now !== undefined && now.state !== 'frozen'
}
