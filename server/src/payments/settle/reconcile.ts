// Asking a provider how a payment stands, and acting on the answer.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { openCase } from '../admin/cases.ts'
import { accountOf } from '../rails/accounts.ts'
import { throughGate } from '../rails/circuit-breaker.ts'
import { openLine } from '../rails/http-client.ts'
import type { Returns, Standing } from '../rails/rail.ts'
import { nameByProvider } from '../sql/provider-name-sql.ts'
import { type Payment, paymentByReference } from '../sql/settle-sql.ts'
import { applyReturns } from './returns/returns.ts'
import { settlePayment } from './settle.ts'
import type { How, Settlement } from './settlement.ts'
import { alertStaff } from './staff-alerts.ts'

export type Checked = Settlement & {
  /** What the provider said; `unknown` when it gave no usable answer and nothing was learned. */
  readonly standing: Standing['status']
  /** Whether it shows refunds or disputes of the payment; `unknown` when it was asked and gave no usable answer. */
  readonly returns: 'none' | 'shown' | 'unknown'
}

export type Cause = {
  /** What a message calls the payment: helps where the provider never told us what it calls it. */
  readonly named?: string | null
  /** A message says that something of the payment went back. */
  readonly isReturn?: boolean
}

/** Asks the provider about a payment and settles it by the answer. Never fails because of the provider. */
export async function checkPayment(
  app: App,
  reference: string,
  how: How,
  { named = null, isReturn = false }: Cause = {},
): Promise<Checked> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  if (!payment) throw new ApiError('not_found')
  const standing =
    named === null || payment.providerRef !== null
      ? await standingOf(app, payment)
      : await standingUnder(app, payment, named)
  const settlement = await settlePayment(app, reference, standing, how)
  note(app, { reference, rail: payment.rail, how }, standing, settlement)
  const isPaid = standing.status === 'paid' && settlement.status === 'settled'
  // A payment that was only just settled has had no time to go back, unless a message says so.
  const mayBeReturned = isPaid && (payment.status === 'settled' || isReturn)
  const { returns, changed } = mayBeReturned
    ? await checkReturns(app, reference, { how, isReturn })
    : { returns: 'none' as const, changed: false }
  if (standing.status === 'paid' && standing.unclearReturn)
    await reportUnclearReturn(app, reference, standing.unclearReturn)
  return { ...settlement, changed: settlement.changed || changed, standing: standing.status, returns }
}

/** Asks what went back of a settled payment, and applies it. */
async function checkReturns(app: App, reference: string, { how, isReturn }: { how: How; isReturn: boolean }) {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  const answer = payment ? await returnsOf(app, payment) : NO_RETURNS
  if (answer.status === 'unknown') {
    app.log.info({ reference, how }, `no answer about returns of a payment: ${answer.reason}`)
    return { returns: 'unknown' as const, changed: false }
  }
  const changed = await applyReturns(app, reference, answer.returns, { how, isAnnounced: isReturn })
  return { returns: answer.returns.length > 0 ? ('shown' as const) : ('none' as const), changed }
}

const NO_RETURNS: Returns = { status: 'known', returns: [] }

async function returnsOf(app: App, payment: Payment): Promise<Returns> {
  const { transactionId } = payment
  const rail = accountOf(app, payment)
  const ask = rail?.returns
  if (!rail || !ask || transactionId === null) return NO_RETURNS
  return throughGate(app, rail, (line) => ask(line, { ...payment, transactionId }))
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
function note({ log }: App, fields: object, standing: Standing, { changed }: Settlement): void {
  if (standing.status === 'unknown') log.info(fields, `no answer about a payment: ${standing.reason}`)
  if (standing.status === 'failed' && standing.detail && changed)
    log.warn({ ...fields, detail: standing.detail }, 'a provider says why a payment failed')
}

/** The name in a message is kept when the provider knows it and no other payment has it; otherwise nothing was learned. */
async function standingUnder(app: App, payment: Payment, named: string): Promise<Standing> {
  const standing = await standingOf(app, { ...payment, providerRef: named })
  if (standing.status === 'unknown') return standing
  const isKept = await app.db.tx('platform', (tx) => nameByProvider(tx, payment, named))
  return isKept
    ? standing
    : { status: 'unknown', reason: 'a message calls it by the name of another payment' }
}

async function standingOf(app: App, payment: Payment): Promise<Standing> {
  const rail = accountOf(app, payment)
  if (!rail) return { status: 'unknown', reason: 'the keys of this account are not set any more' }
  // The provider knows the transactions of a repeat by the reference of the first payment, which is asked about.
  if (payment.repeatOf !== null) return standingOfRepeat(payment)
  // Play money is decided in our own database, which needs no gate.
  if (rail.name === 'mock') return rail.check(openLine(app), payment)
  return throughGate(app, rail, (line) => rail.check(line, payment))
}

/** It was paid when it was written down. */
const standingOfRepeat = ({ transactionId }: Payment): Standing => ({
  ...{ status: 'paid', transactionId, amountMinor: null, currency: null, reference: null, live: true },
})
