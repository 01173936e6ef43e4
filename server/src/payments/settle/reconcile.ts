// Reconciles a payment with its provider: fetches the status and the returns, and applies both.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { isPaybillPayment } from '../paybill/payment-name.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import { createHttpClient } from '../rails/http-client.ts'
import type { ProviderReturns, ProviderStatus } from '../rails/rail.ts'
import { claimProviderRef } from '../sql/payment-status.ts'
import { type Payment, paymentByReference } from '../sql/payments.ts'
import { applyReturns } from './returns/returns.ts'
import { settlePayment } from './settle.ts'
import type { Settlement, SettlementTrigger } from './settlement.ts'
import { alertStaff, openCase } from './staff-alerts.ts'

export type ReconcileResult = Settlement & {
  /** `unknown` when the provider gave no usable answer. */
  readonly providerStatus: ProviderStatus['status']
  /** The provider does not know the reference. */
  readonly isNotFound: boolean
  /** Whether the provider lists refunds or disputes of the payment; `unknown` when it gave no usable answer. */
  readonly returns: 'none' | 'shown' | 'unknown'
}

export type ReconcileHint = {
  /** The provider's id of the payment in a webhook, for payments whose id we never received. */
  readonly providerRef?: string | null
  /** A webhook announces a refund, reversal or dispute. */
  readonly isReturn?: boolean
}

/** Fetches the status and settles the payment by it. A provider failure is a result, not an exception. */
export async function reconcilePayment(
  app: App,
  reference: string,
  trigger: SettlementTrigger,
  { providerRef: named = null, isReturn = false }: ReconcileHint = {},
): Promise<ReconcileResult> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  if (!payment) throw new ApiError('not_found')
  const providerStatus =
    named === null || payment.providerRef !== null
      ? await fetchStatus(app, payment)
      : await fetchStatusByProviderRef(app, payment, named)
  const settlement = await settlePayment(app, reference, providerStatus, trigger)
  logStatus(app, { reference, rail: payment.rail, trigger }, providerStatus, settlement)
  const isPaid = providerStatus.status === 'paid' && settlement.status === 'settled'
  // A payment that this call settled has no returns yet, unless a webhook announced one.
  const mayBeReturned = isPaid && (payment.status === 'settled' || isReturn)
  const { returns, changed } = mayBeReturned
    ? await reconcileReturns(app, reference, { trigger, isReturn })
    : { returns: 'none' as const, changed: false }
  if (providerStatus.status === 'paid' && providerStatus.unclearReturn)
    await reportUnclearReturn(app, reference, providerStatus.unclearReturn)
  return {
    ...settlement,
    changed: settlement.changed || changed,
    providerStatus: providerStatus.status,
    isNotFound: providerStatus.status === 'pending' && providerStatus.isNotFound === true,
    returns,
  }
}

/** Fetches the returns of a settled payment and applies them. */
async function reconcileReturns(
  app: App,
  reference: string,
  { trigger, isReturn }: { trigger: SettlementTrigger; isReturn: boolean },
) {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  const answer = payment ? await fetchReturns(app, payment) : NO_RETURNS
  if (answer.status === 'unknown') {
    app.log.info({ reference, trigger, reason: answer.reason }, 'payments.reconcile.returns_unknown')
    return { returns: 'unknown' as const, changed: false }
  }
  const changed = await applyReturns(app, reference, answer.returns, { trigger, isAnnounced: isReturn })
  return { returns: answer.returns.length > 0 ? ('shown' as const) : ('none' as const), changed }
}

const NO_RETURNS: ProviderReturns = { status: 'known', returns: [] }

async function fetchReturns(app: App, payment: Payment): Promise<ProviderReturns> {
  const { transactionId } = payment
  const rail = accountOf(app, payment)
  const fetch = rail?.returns
  if (!rail || !fetch || transactionId === null) return NO_RETURNS
  return withCircuitBreaker(app, rail, (http) => fetch(http, { ...payment, transactionId }))
}

/** Money went back and the provider does not say how much: opens a case for staff, once per payment and summary. */
export function reportUnclearReturn(app: App, reference: string, summary: string): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const payment = await paymentByReference(tx, reference)
    if (!payment) return
    const isNew = await openCase(tx, {
      key: `unclear ${reference} ${summary}`.slice(0, 300),
      kind: 'unclear_return',
      payment,
      summary,
    })
    if (!isNew) return
    await alertStaff(app, tx, payment, 'A payment may have been returned to its payer', [
      summary,
      'Nothing was taken from the wallet. Check it at the provider, then close the case.',
    ])
  })
}

/** Logs the provider's own reason for operators. */
function logStatus(
  { log }: App,
  fields: object,
  providerStatus: ProviderStatus,
  { changed }: Settlement,
): void {
  if (providerStatus.status === 'unknown')
    log.info({ ...fields, reason: providerStatus.reason }, 'payments.reconcile.status_unknown')
  if (providerStatus.status === 'failed' && providerStatus.detail && changed)
    log.warn({ ...fields, detail: providerStatus.detail }, 'payments.reconcile.failed')
}

/** Stores the id from a webhook when the provider confirms it and no other payment has it; otherwise the status is unknown. */
async function fetchStatusByProviderRef(app: App, payment: Payment, named: string): Promise<ProviderStatus> {
  const providerStatus = await fetchStatus(app, { ...payment, providerRef: named })
  if (providerStatus.status === 'unknown') return providerStatus
  const isClaimed = await app.db.tx('platform', (tx) => claimProviderRef(tx, payment, named))
  return isClaimed
    ? providerStatus
    : { status: 'unknown', reason: 'the id in the webhook belongs to another payment' }
}

async function fetchStatus(app: App, payment: Payment): Promise<ProviderStatus> {
  const rail = accountOf(app, payment)
  if (!rail) return { status: 'unknown', reason: 'the keys of this account are no longer set' }
  // The provider lists a repeat under the first payment, which is checked instead.
  if (payment.repeatOf !== null || isPaybillPayment(payment)) return statusOfReceived(payment)
  // Mock payments are decided in our own database, without a circuit breaker.
  if (rail.name === 'mock') return rail.check(createHttpClient(app), payment)
  return withCircuitBreaker(app, rail, (line) => rail.check(line, payment))
}

/** Created only after it was paid. */
const statusOfReceived = ({ transactionId }: Payment): ProviderStatus => ({
  ...{ status: 'paid', transactionId, amountMinor: null, currency: null, reference: null, live: true },
})
