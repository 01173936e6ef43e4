// Lists disputes for staff, and shows one with its evidence.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { accountOf } from '../rails/accounts.ts'
import { type Payment, paymentByReference } from '../sql/payments.ts'
import { collectEvidence } from './evidence.ts'
import * as sql from './sql.ts'

type Search = { status: 'open' | 'decided'; limit: number; cursor?: string | undefined }

export async function listDisputes(app: App, { status, limit, cursor }: Search) {
  const after = decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) => sql.listDisputes(tx, status === 'open', after, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ sortAt, id }) => [sortAt, id])
  return { disputes: items.map(({ sortAt: _, ...dispute }) => shown(dispute)), nextCursor }
}

export async function showDispute(app: App, id: sql.DisputeId) {
  return app.db.tx('platform', async (tx) => {
    const dispute = await sql.findDispute(tx, id)
    if (!dispute) throw new ApiError('not_found')
    const payment = await paymentByReference(tx, dispute.reference)
    return {
      dispute: shown(dispute),
      evidence: await collectEvidence(app, tx, dispute),
      answerObstacle: payment ? answerObstacle(app, payment) : null,
    }
  })
}

const shown = ({ returnKey, ...dispute }: sql.Dispute) => ({
  ...dispute,
  providerId: returnKey.slice('dispute:'.length),
})

/** Why staff cannot answer a dispute here; null if they can. */
export const answerObstacle = (app: App, payment: Payment): string | null =>
  accountOf(app, payment)?.answerDispute && payment.transactionId !== null
    ? null
    : `${payment.rail} takes no answers from this service. Answer the dispute in its dashboard.`
