// Asking a provider how a payment stands, and acting on the answer.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
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

/** Asks the provider about a payment and settles it by the answer. Never fails because of the provider. */
export async function checkPayment(app: App, reference: string, how: How): Promise<Checked> {
  const payment = await app.db.tx('platform', (tx) => paymentByReference(tx, reference))
  if (!payment) throw new ApiError('not_found')
  const standing = await standingOf(app, payment)
  if (standing.status === 'unknown')
    app.log.info({ reference, rail: payment.rail, how }, `no answer about a payment: ${standing.reason}`)
  return { ...(await settlePayment(app, reference, standing, how)), standing: standing.status }
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
