// Staff operations on payments: list, show, decide reviews, reconcile.
import { commitMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { maskedPhone } from '../initiate/phones.ts'
import { refundObstacle } from '../refunds/request.ts'
import { refundsOf, type SourceRefund } from '../refunds/sql.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { creditReviewed, rejectReviewed, reviewedMinor } from '../settle/settle.ts'
import * as sql from '../sql/admin-payments.ts'
import { listAttempts } from '../sql/payment-attempts.ts'
import { lockPayment, type PaymentStatus, paymentByReference } from '../sql/payments.ts'

const EVENTS_SHOWN_MAX = 100

type Search = {
  status?: PaymentStatus | undefined
  orgId?: OrgId | undefined
  limit: number
  cursor?: string | undefined
}

export async function listPayments(app: App, { status, orgId, limit, cursor }: Search) {
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const search = { reference: null, status: status ?? null, org: orgId ?? null }
  const rows = await app.db.tx('platform', (tx) => sql.findPayments(tx, search, before, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.createdAt, row.reference])
  return { payments: items, nextCursor }
}

export async function showPayment(app: App, reference: string) {
  const found = await app.db.tx('platform', async (tx) => {
    const [payment] = await sql.findPayments(tx, { reference, status: null, org: null }, null, 1)
    if (!payment) throw new ApiError('not_found')
    const sealed = await sql.sealedPhone(tx, reference)
    const stored = await paymentByReference(tx, reference)
    const sourceRefunds = (await refundsOf(tx, reference)).map(shownRefund)
    const refundObstacleNow = stored ? refundObstacle(app, stored) : null
    const attempts = await listAttempts(tx, reference)
    const events = await sql.eventsOf(tx, reference, EVENTS_SHOWN_MAX)
    return { payment, sealed, attempts, sourceRefunds, refundObstacleNow, events }
  })
  return {
    payment: found.payment,
    sourceRefunds: found.sourceRefunds,
    refundObstacle: found.refundObstacleNow,
    phone: found.sealed === null ? null : maskedPhone(app, reference, found.sealed),
    attempts: found.attempts,
    events: found.events.map((event) => ({ ...event, raw: maskPhones(textOf(event.raw)) })),
  }
}

export type Resolution = { decision: 'credit' | 'reject'; amountMinor?: bigint | undefined; note: string }

/** Decides a review once. Staff cannot decide about their own organisation. */
export function resolvePayment(
  app: App,
  actor: Actor,
  reference: string,
  resolution: Resolution,
  once: Once,
  ip: string,
) {
  return commitMoney(app, actor, once, ip, (tx, call) => decideReview(app, tx, call, reference, resolution))
}

export async function decideReview(
  app: App,
  tx: Tx,
  call: MoneyCall,
  reference: string,
  { decision, amountMinor, note }: Resolution,
) {
  const { staff, approvedBy, ip } = call
  const payment = await lockPayment(tx, reference)
  if (!payment) throw new ApiError('not_found')
  const { orgId, currency } = payment
  await requireOutsider(tx, staff, orgId)
  if (payment.status !== 'review') throw new ApiError('payment_not_in_review')
  if (decision === 'credit')
    await call.consent(tx, {
      kind: 'admin.payments.resolve',
      ...{ orgId, currency, reference, reason: note, input: {} },
      amountMinor: amountMinor ?? reviewedMinor(payment),
    })
  const { status, creditedMinor, balanceMinor } =
    decision === 'credit'
      ? await creditReviewed(app, tx, payment, amountMinor)
      : await rejectReviewed(app, tx, payment)
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'admin.payments.resolve',
    target: reference,
    metadata: { decision, note, creditedMinor, ...(approvedBy !== null && { approvedBy }) },
  })
  tx.afterCommit(() => app.metrics.payment(payment.rail, `review_${decision}`))
  return { ok: true as const, reference, status, creditedMinor, balanceMinor }
}

/** Reconciles now, regardless of the schedule. */
export async function reconcileNow(app: App, actor: Actor, reference: string, ip: string) {
  const { status, creditedMinor, balanceMinor, providerStatus } = await reconcilePayment(
    app,
    reference,
    'staff',
  )
  await app.db.tx('platform', async (tx) => {
    const payment = await lockPayment(tx, reference)
    await record(tx, {
      orgId: payment?.orgId ?? null,
      actor,
      as: 'operator',
      ip,
      action: 'admin.payments.check',
      target: reference,
      metadata: { answer: providerStatus, status, creditedMinor },
    })
  })
  return { ok: true as const, reference, status, creditedMinor, balanceMinor, answer: providerStatus }
}

const shownRefund = (refund: SourceRefund) => {
  const { id, amountMinor, reason, state, providerId, detail, createdAt, sentAt, decidedAt } = refund
  return { id, amountMinor, reason, state, providerId, detail, createdAt, sentAt, decidedAt }
}

const textOf = (raw: Uint8Array): string => Buffer.from(raw).toString('utf8')

/** Masks numbers in fields named like a phone: in JSON, in forms, and in M-Pesa's lists. */
export const maskPhones = (text: string): string =>
  text.replace(
    /((?:phone|msisdn|mobile|partyid)\w*"?(?:\s*,\s*"Value")?\s*[:=]\s*"?(?:\+|%2B)?)\d+(?=\d{3})/gi,
    '$1•••',
  )
