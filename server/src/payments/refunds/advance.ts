// Sends a refund and follows it until the provider says processed or failed. An attempt is recorded before the call, so that
// a refund whose answer is missing is looked up, and sent again only if the provider certainly does not have it.
import { after, type Duration } from '../../kernel/clock.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import type { HttpClient } from '../rails/http-client.ts'
import type { PaidQuery, RefundOrder, RefundStatus } from '../rails/rail.ts'
import { applyReturns } from '../settle/returns/returns.ts'
import { recordAudit } from '../settle/settlement.ts'
import { alertStaff, openCase } from '../settle/staff-alerts.ts'
import { webhookUrlFor } from '../settle/webhooks/webhook-url.ts'
import { repeatsOf } from '../sql/payment-attempts.ts'
import { lockPayment, type Payment, paymentByReference } from '../sql/payments.ts'
import { refundCaseKey, releaseRefund } from './own-refund.ts'
import * as sql from './sql.ts'

/** Longer than a call, so that two workers never follow the same refund. */
export const REFUND_CLAIM: Duration = { minutes: 2 }
/** The list of a provider may lag behind its refunds. */
const RESEND_AFTER: Duration = { minutes: 30 }
const ATTEMPTS_MAX = 3
/** Then staff look into it. A refund that the provider has accepted takes days. */
const UNCLEAR_AFTER: Duration = { hours: 24 }
const SLOW_AFTER: Duration = { days: 15 }

type Followed = { readonly refund: sql.SourceRefund; readonly payment: Payment; readonly order: RefundOrder }

/** Does the next step of a refund. A failure of the provider is a result, not an exception. */
export async function advanceRefund(app: App, id: sql.SourceRefundId): Promise<void> {
  const followed = await read(app, id)
  if (!followed) return
  const { refund } = followed
  if (refund.state === 'requested') return send(app, followed)
  const status = await ask(app, followed)
  const mayResend =
    status.status === 'absent' &&
    refund.attempts < ATTEMPTS_MAX &&
    refund.sentAt !== null &&
    app.clock.now() >= after(refund.sentAt, RESEND_AFTER)
  return mayResend ? send(app, followed) : apply(app, followed, status)
}

/** Follows the undecided refund of a payment that was sent, for callers that fetch the status of the payment. */
export async function advanceSentRefund(app: App, reference: string): Promise<void> {
  const open = await app.db.tx('platform', (tx) => sql.openRefundOf(tx, reference))
  if (open && open.state !== 'requested') await advanceRefund(app, open.id)
}

async function read(app: App, id: sql.SourceRefundId): Promise<Followed | null> {
  const found = await app.db.tx('platform', async (tx) => {
    const refund = await sql.findSourceRefund(tx, id)
    const payment = refund && (await paymentByReference(tx, refund.reference))
    return payment && refund.decidedAt === null
      ? { refund, payment, all: await refundsUnderReference(tx, payment) }
      : null
  })
  if (!found) return null
  const { refund, payment, all } = found
  const others = all.filter((each) => each.id !== id && each.state !== 'requested')
  return {
    refund,
    payment,
    order: {
      ...refund,
      notifyUrl: webhookUrlFor(app, payment.rail, payment.reference),
      isWhole: refund.amountMinor === payment.capturedMinor,
      otherIds: others.map(({ id: ourId, providerId }) => providerId ?? ourId),
    },
  }
}

/** Those of a payment and of its repeats, which the provider has under one reference. */
async function refundsUnderReference(tx: Tx, payment: Payment): Promise<sql.SourceRefund[]> {
  const first = payment.repeatOf === null ? payment : await paymentByReference(tx, payment.repeatOf)
  const repeats = first ? await repeatsOf(tx, first) : []
  const all: sql.SourceRefund[] = []
  for (const { reference } of [first ?? payment, ...repeats])
    all.push(...(await sql.refundsOf(tx, reference)))
  return all
}

async function send(app: App, followed: Followed): Promise<void> {
  const { refund } = followed
  const claim = await app.db.tx('platform', async (tx) => {
    const payment = await lockPayment(tx, refund.reference)
    if (!payment || !isRefundable(payment, refund)) return 'withheld'
    return (await sql.claimAttempt(tx, refund, after(tx.now, REFUND_CLAIM))) ? 'claimed' : 'taken'
  })
  if (claim === 'taken') return
  if (claim === 'withheld')
    return refund.state === 'requested'
      ? fail(app, followed, WITHHELD, 'refund')
      : wait(app, followed, { status: 'unknown', reason: WITHHELD })
  const attempt: Followed = { ...followed, refund: { ...refund, attempts: refund.attempts + 1 } }
  const status = await call(app, attempt, 'refund')
  // An earlier attempt may be the reason of this refusal.
  const isDoubtful = status.status === 'failed' && refund.attempts > 0
  if (!isDoubtful) return apply(app, attempt, status)
  const listed = await ask(app, attempt)
  return apply(app, attempt, listed.status === 'absent' ? status : listed)
}

const WITHHELD = 'The payment was disputed or returned before the refund was sent.'

/** Otherwise the payer could get the same money twice. */
const isRefundable = (
  { reversedAt, capturedMinor, returnedMinor, disputedMinor }: Payment,
  { amountMinor }: sql.SourceRefund,
): boolean => reversedAt === null && amountMinor <= capturedMinor - returnedMinor - disputedMinor

const ask = (app: App, followed: Followed): Promise<RefundStatus> => call(app, followed, 'refundStatus')

async function call(
  app: App,
  { payment, order }: Followed,
  operation: 'refund' | 'refundStatus',
): Promise<RefundStatus> {
  const rail = accountOf(app, payment)
  const run = rail?.[operation]
  const { transactionId } = payment
  if (!rail || !run || transactionId === null)
    return {
      status: operation === 'refund' ? 'not_sent' : 'unknown',
      reason: 'the keys of this account are not set',
    }
  // The provider knows a repeat under the reference of the first payment.
  const paid: PaidQuery = { ...payment, transactionId, reference: payment.repeatOf ?? payment.reference }
  let isCalled = false
  const answer = await withCircuitBreaker(app, rail, (http: HttpClient) => {
    isCalled = true
    return run(http, paid, order)
  })
  const isUnsent = operation === 'refund' && !isCalled && answer.status === 'unknown'
  return isUnsent ? { status: 'not_sent', reason: answer.reason } : answer
}

async function apply(app: App, followed: Followed, status: RefundStatus): Promise<void> {
  const { refund, payment } = followed
  const { id, reference } = refund
  switch (status.status) {
    case 'processed': {
      const { providerId, amountMinor } = status
      await app.db.tx('platform', (tx) =>
        sql.recordProgress(tx, id, { ...NO_NEWS, providerId, nextCheckAt: nextCheck(app, refund) }),
      )
      const returned = { key: `refund:${providerId}`, amountMinor, state: 'returned', ourId: id } as const
      await applyReturns(app, reference, [returned], { trigger: 'refund', isAnnounced: false })
      return
    }
    case 'failed':
      return fail(app, followed, status.reason, 'refund')
    case 'not_sent':
      app.log.info({ refundId: id, rail: payment.rail, reason: status.reason }, 'payments.refund.not_sent')
      return app.db.tx('platform', (tx) =>
        sql.returnAttempt(tx, refund, status.reason.slice(0, 500), nextCheck(app, refund)),
      )
    default:
      return wait(app, followed, status)
  }
}

const NO_NEWS = { detail: null, isUnclear: false } as const

/** The provider did not refund: the frozen money is available again. */
export function fail(
  app: App,
  { refund }: Pick<Followed, 'refund'>,
  reason: string,
  how: 'refund' | 'staff',
): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const { id, reference, amountMinor } = refund
    const payment = await lockPayment(tx, reference)
    if (!payment) return
    await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
    const detail = reason.slice(0, 500)
    if (!(await releaseRefund(app, tx, refund, { state: 'failed', detail }))) return
    const amount = format(money(amountMinor, payment.currency))
    await alertStaff(app, tx, payment, 'A refund to the payer failed', [
      `${amount} was not refunded, and is available in the wallet again: ${detail}`,
    ])
    await recordAudit(tx, payment, 'payments.refund_failed', { refundId: id, amountMinor, detail, how })
    tx.afterCommit(() => {
      app.metrics.payment(payment.rail, 'refund_failed')
      app.log.warn({ refundId: id, reference, rail: payment.rail, detail }, 'payments.refund.failed')
    })
  })
}

async function wait(
  app: App,
  { refund, payment }: Followed,
  status: Extract<RefundStatus, { status: 'processing' | 'absent' | 'unknown' }>,
): Promise<void> {
  const { id, createdAt, amountMinor } = refund
  const isAccepted = status.status === 'processing'
  const attention = isAccepted ? status.attention : undefined
  const isLate = app.clock.now() >= after(createdAt, isAccepted ? SLOW_AFTER : UNCLEAR_AFTER)
  const isUnclear = isLate || attention !== undefined
  const reason = isAccepted
    ? (attention ?? 'The provider has not paid the refund yet.')
    : status.status === 'absent'
      ? 'The provider does not list the refund.'
      : `The provider does not say whether it refunded: ${status.reason}`
  const detail = reason.slice(0, 500)
  await app.db.tx('platform', async (tx) => {
    const providerId = isAccepted ? status.providerId : null
    await sql.recordProgress(tx, id, { providerId, detail, isUnclear, nextCheckAt: nextCheck(app, refund) })
    if (!isUnclear) return
    const summary = `The refund of ${format(money(amountMinor, payment.currency))} to the payer is not finished. ${detail}`
    const isNew = await openCase(tx, {
      key: refundCaseKey(id),
      kind: 'refund',
      payment,
      amountMinor,
      summary,
    })
    if (isNew)
      await alertStaff(app, tx, payment, 'A refund to the payer needs attention', [
        summary,
        'The money stays frozen in the wallet. Look the refund up at the provider, and decide it if the provider does not.',
      ])
  })
}

/** Frequent at first, rare later. */
function nextCheck(app: App, { createdAt }: sql.SourceRefund): Date {
  const now = app.clock.now()
  if (now < after(createdAt, { minutes: 15 })) return after(now, { minutes: 1 })
  return after(now, now < after(createdAt, { days: 1 }) ? { minutes: 30 } : { hours: 6 })
}
