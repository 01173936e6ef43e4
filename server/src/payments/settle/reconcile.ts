// Asking a provider how a payment stands, and acting on the answer.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { openCase } from '../admin/cases.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import { createHttpClient } from '../rails/http-client.ts'
import type { ProviderReturns, ProviderStatus } from '../rails/rail.ts'
import { claimProviderRef } from '../sql/payment-status.ts'
import { type Payment, paymentByReference } from '../sql/payments.ts'
import { applyReturns } from './returns/returns.ts'
import { settlePayment } from './settle.ts'
import type { Settlement, SettlementTrigger } from './settlement.ts'
import { alertStaff } from './staff-alerts.ts'

export type ReconcileResult = Settlement & {
  /** What the provider said; `unknown` when it gave no usable answer and nothing was learned. */
  readonly providerStatus: ProviderStatus['status']
  /** Whether it shows refunds or disputes of the payment; `unknown` when it was asked and gave no usable answer. */
  readonly returns: 'none' | 'shown' | 'unknown'
}

export type ReconcileHint = {
  /** What a message calls the payment: helps where the provider never told us what it calls it. */
  readonly providerRef?: string | null
  /** A message says that something of the payment went back. */
  readonly isReturn?: boolean
}

/** Asks the provider about a payment and settles it by the answer. Never fails because of the provider. */
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
  // A payment that was only just settled has had no time to go back, unless a message says so.
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
    returns,
  }
}

/** Asks what went back of a settled payment, and applies it. */
async function reconcileReturns(
  app: App,
  reference: string,
  { trigger, isReturn }: { trigger: SettlementTrigger; isReturn: boolean },
) {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  const answer = payment ? await fetchReturns(app, payment) : NO_RETURNS
  if (answer.status === 'unknown') {
    app.log.info({ reference, trigger }, `no answer about returns of a payment: ${answer.reason}`)
    return { returns: 'unknown' as const, changed: false }
  }
  const changed = await applyReturns(app, reference, answer.returns, { trigger, isAnnounced: isReturn })
  return { returns: answer.returns.length > 0 ? ('shown' as const) : ('none' as const), changed }
}

const NO_RETURNS: ProviderReturns = { status: 'known', returns: [] }

async function fetchReturns(app: App, payment: Payment): Promise<ProviderReturns> {
  const { transactionId } = payment
  const rail = accountOf(app, payment)
  const ask = rail?.returns
  if (!rail || !ask || transactionId === null) return NO_RETURNS
  return withCircuitBreaker(app, rail, (line) => ask(line, { ...payment, transactionId }))
}

/** Something went back and nobody can ask how much: a person finds out. Told once for a payment and a sentence. */
export function reportUnclearReturn(app: App, reference: string, what: string): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const payment = await paymentByReference(tx, reference)
    if (!payment) return
    const isNew = await openCase(tx, {
      key: `unclear ${reference} ${what}`.slice(0, 300),
      kind: 'unclear_return',
      payment,
      summary: what,
    })
    if (!isNew) return
    await alertStaff(app, tx, payment, 'Money of a payment may have gone back to its payer', [
      what,
      'Nothing was taken from the wallet. Look into it at the provider, then close the case.',
    ])
  })
}

/** Those who run the service see why a provider says no, in its own words. */
function logStatus(
  { log }: App,
  fields: object,
  providerStatus: ProviderStatus,
  { changed }: Settlement,
): void {
  if (providerStatus.status === 'unknown')
    log.info(fields, `no answer about a payment: ${providerStatus.reason}`)
  if (providerStatus.status === 'failed' && providerStatus.detail && changed)
    log.warn({ ...fields, detail: providerStatus.detail }, 'a provider says why a payment failed')
}

/** The name in a message is kept when the provider knows it and no other payment has it; otherwise nothing was learned. */
async function fetchStatusByProviderRef(app: App, payment: Payment, named: string): Promise<ProviderStatus> {
  const providerStatus = await fetchStatus(app, { ...payment, providerRef: named })
  if (providerStatus.status === 'unknown') return providerStatus
  const isKept = await app.db.tx('platform', (tx) => claimProviderRef(tx, payment, named))
  return isKept
    ? providerStatus
    : { status: 'unknown', reason: 'a message calls it by the name of another payment' }
}

async function fetchStatus(app: App, payment: Payment): Promise<ProviderStatus> {
  const rail = accountOf(app, payment)
  if (!rail) return { status: 'unknown', reason: 'the keys of this account are not set any more' }
  // The provider knows the transactions of a repeat by the reference of the first payment, which is asked about.
  if (payment.repeatOf !== null) return statusOfRepeat(payment)
  // Play money is decided in our own database, which needs no gate.
  if (rail.name === 'mock') return rail.check(createHttpClient(app), payment)
  return withCircuitBreaker(app, rail, (line) => rail.check(line, payment))
}

/** It was paid when it was written down. */
const statusOfRepeat = ({ transactionId }: Payment): ProviderStatus => ({
  ...{ status: 'paid', transactionId, amountMinor: null, currency: null, reference: null, live: true },
})
