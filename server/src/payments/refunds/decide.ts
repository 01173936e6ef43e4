// Staff decide a refund to the payer that the provider does not decide, after they looked it up there.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { applyReturnsIn } from '../settle/returns/returns.ts'
import { lockPayment } from '../sql/payments.ts'
import { releaseRefund } from './own-refund.ts'
import * as sql from './sql.ts'

export type RefundDecision = {
  decision: 'returned' | 'not_returned'
  /** The provider's id, where the provider shows one. */
  providerId?: string | undefined
  note: string
}

/** `returned` debits the frozen money, `not_returned` releases it. Only an unclear refund can be decided. */
export function decideRefund(
  app: App,
  actor: Actor,
  id: sql.SourceRefundId,
  { decision, providerId, note }: RefundDecision,
  once: Once,
  ip: string,
) {
  return once.commit('platform', async (tx) => {
    const refund = await requireUnclear(tx, id)
    const { reference, orgId, amountMinor } = refund
    await requireOutsider(tx, actor, orgId)
    if (decision === 'returned') {
      const key = `refund:${providerId ?? refund.providerId ?? id}` as const
      const returned = { key, amountMinor, state: 'returned', ourId: id } as const
      await applyReturnsIn(app, tx, reference, [returned], { trigger: 'staff', isAnnounced: false })
    } else {
      await releaseRefund(app, tx, refund, { state: 'failed', detail: note })
    }
    const decided = await sql.findSourceRefund(tx, id)
    if (decided?.decidedAt == null)
      throw new ApiError('already_decided', {
        error: 'The provider has already named another result for this refund. Check the payment.',
      })
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.payments.decide_refund',
      target: reference,
      metadata: { refundId: id, decision, providerId, note },
    })
    return { ok: true as const, id, state: decided.state }
  })
}

/** Locks the payment of the refund. */
async function requireUnclear(tx: Tx, id: sql.SourceRefundId): Promise<sql.SourceRefund> {
  const found = await sql.findSourceRefund(tx, id)
  if (!found) throw new ApiError('not_found')
  await lockPayment(tx, found.reference)
  const refund = await sql.findSourceRefund(tx, id)
  if (refund?.state === 'unclear') return refund
  throw new ApiError(
    'already_decided',
    refund?.decidedAt
      ? { error: 'This refund is already decided. Check the payment.' }
      : {
          error:
            'The provider has not finished this refund. It is checked automatically; decide it when it is unclear.',
        },
  )
}
