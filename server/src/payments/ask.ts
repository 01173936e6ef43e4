// Asking a provider how a payment stands, and acting on the answer.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { nameByProvider } from './provider-name-sql.ts'
import { throughGate } from './rail-gate.ts'
import { openLine } from './rails/line.ts'
import type { OpenRail, Standing } from './rails/rail.ts'
import { openRail } from './rails.ts'
import { type How, type Settlement, settlePayment } from './settle.ts'
import { type Payment, paymentByReference } from './settle-sql.ts'

export type Checked = Settlement & {
  /** What the provider said; `unknown` when it gave no usable answer and nothing was learned. */
  readonly standing: Standing['status']
}

/**
 * Asks the provider about a payment and settles it by the answer. Never fails because of the provider. `named` is what
 * a message calls the payment, and helps where the provider never told us what it calls it.
 */
export async function checkPayment(
  app: App,
  reference: string,
  how: How,
  named: string | null = null,
): Promise<Checked> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  if (!payment) throw new ApiError('not_found')
  const standing =
    named === null || payment.providerRef !== null
      ? await standingOf(app, payment)
      : await standingUnder(app, payment, named)
  const settlement = await settlePayment(app, reference, standing, how)
  note(app, { reference, rail: payment.rail, how }, standing, settlement)
  return { ...settlement, standing: standing.status }
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
  const rail = railOf(app, payment)
  if (!rail) return { status: 'unknown', reason: 'the keys of this rail are not set any more' }
  // Play money is decided in our own database: nobody there needs to be spared.
  if (rail.name === 'mock') return rail.check(openLine(app), payment)
  return throughGate(app, rail.name, (line) => rail.check(line, payment))
}

/** Play money is asked of the mock, whichever rail it stands in for. */
const railOf = (app: App, { mode, rail }: Payment): OpenRail | null =>
  openRail(app, mode === 'mock' ? 'mock' : rail)
