// Reconciles a payment with its provider: fetches the status and the returns, and applies both.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import type { ProviderReturns, ProviderStatus } from '../rails/rail.ts'
import { advanceSentRefund } from '../refunds/advance.ts'
import { refundsOf } from '../refunds/sql.ts'
import { repeatsOf } from '../sql/payment-attempts.ts'
import { claimProviderRef } from '../sql/payment-status.ts'
import { type Payment, paymentByReference } from '../sql/payments.ts'
import { fetchElsewhere, mainStatus, settleAll, sourceOf } from './elsewhere.ts'
import { fetchStatus } from './fetch-status.ts'
import { applyReturns } from './returns/returns.ts'
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
  /** The provider that named the payment: its attempts are checked even where it refused them. */
  readonly rail?: string
}

/**
 * Fetches the status and settles the payment by it, also from other accounts that may have the payment. A provider failure is a
 * result, not an exception.
 */
export async function reconcilePayment(
  app: App,
  reference: string,
  trigger: SettlementTrigger,
  { providerRef: named = null, isReturn = false, rail }: ReconcileHint = {},
): Promise<ReconcileResult> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  if (!payment) throw new ApiError('not_found')
  const namedElsewhere = rail === undefined || rail === payment.rail ? null : rail
  const providerStatus =
    named === null || payment.providerRef !== null || namedElsewhere
      ? await fetchStatus(app, payment)
      : await fetchStatusByProviderRef(app, payment, named)
  // Before a reversal of the whole payment, which would explain our refund less well.
  if (payment.status === 'settled') await advanceSentRefund(app, reference)
  const elsewhere = await fetchElsewhere(app, payment, { rail: namedElsewhere, providerRef: named })
  const own = { source: sourceOf(payment), providerStatus }
  const settlement = await settleAll(app, reference, own, elsewhere, trigger)
  for (const { source, ...found } of [own, ...elsewhere])
    logStatus(app, { reference, rail: source.rail, trigger }, found.providerStatus, settlement)
  const main = mainStatus(own, elsewhere, namedElsewhere)
  const isPaid = main.status === 'paid' && settlement.status === 'settled'
  // A payment that this call settled has no returns yet, unless a webhook announced one.
  const mayBeReturned = isPaid && (payment.status === 'settled' || isReturn)
  const { returns, changed } = mayBeReturned
    ? await reconcileAllReturns(app, reference, namedElsewhere, { trigger, isReturn })
    : { returns: 'none' as const, changed: false }
  if (main.status === 'paid' && main.unclearReturn && !(await hasOwnRefund(app, reference)))
    await reportUnclearReturn(app, reference, main.unclearReturn)
  return {
    ...settlement,
    changed: settlement.changed || changed,
    providerStatus: main.status,
    isNotFound: main.status === 'pending' && main.isNotFound === true,
    returns,
  }
}

type ReturnsContext = { readonly trigger: SettlementTrigger; readonly isReturn: boolean }
type ReconciledReturns = Pick<ReconcileResult, 'returns' | 'changed'>

/**
 * Fetches the returns of a payment and of its credited repeats at the same provider: the provider reports a return of a repeat
 * under the reference of the first payment. `elsewhere`: the provider of the report, if the payment is at another one.
 */
async function reconcileAllReturns(
  app: App,
  reference: string,
  elsewhere: string | null,
  context: ReturnsContext,
): Promise<ReconciledReturns> {
  const references = await app.db.tx('platform', async (tx) => {
    const first = await paymentByReference(tx, reference)
    const rail = elsewhere ?? first?.rail
    const credited = (first ? await repeatsOf(tx, first) : []).filter(
      (each) => each.rail === rail && each.status === 'settled',
    )
    const repeats = credited.map((each) => each.reference)
    return elsewhere !== null && repeats.length > 0 ? repeats : [reference, ...repeats]
  })
  const all: ReconciledReturns[] = []
  for (const each of references) all.push(await reconcileReturns(app, each, context))
  const found = (['unknown', 'shown'] as const).find((each) => all.some(({ returns }) => returns === each))
  return { returns: found ?? 'none', changed: all.some(({ changed }) => changed) }
}

/** Fetches the returns of a settled payment and applies them. */
async function reconcileReturns(
  app: App,
  reference: string,
  { trigger, isReturn }: ReturnsContext,
): Promise<ReconciledReturns> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  const answer = payment ? await fetchReturns(app, payment) : NO_RETURNS
  if (answer.status === 'unknown') {
    app.log.info({ reference, trigger, reason: answer.reason }, 'payments.reconcile.returns_unknown')
    return { returns: 'unknown' as const, changed: false }
  }
  const changed = await applyReturns(app, reference, answer.returns, { trigger, isAnnounced: isReturn })
  const isShown = answer.returns.length > 0 || (await hasOwnRefund(app, reference))
  return { returns: isShown ? ('shown' as const) : ('none' as const), changed }
}

/** A refund of ours that the provider has or may have explains a return that its API does not list. */
const hasOwnRefund = (app: App, reference: string): Promise<boolean> =>
  app.db.tx('platform', async (tx) =>
    (await refundsOf(tx, reference)).some(({ state }) => state !== 'requested' && state !== 'failed'),
  )

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
