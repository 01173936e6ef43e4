// Handing a payment that is written down to its rail. What the provider answers is kept; what it means for the payer is
// for those who began the payment.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { isDuplicate } from '../../platform/db/faults.ts'
import { accountOf } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import type { InitiationResult, Order } from '../rails/rail.ts'
import { sendToReview } from '../settle/settle.ts'
import { webhookUrlFor } from '../settle/webhooks/webhook-url.ts'
import * as sql from '../sql/payments.ts'

export type Attempt = {
  readonly payment: sql.Topup
  /** Whether nobody outside can have heard of it before. */
  readonly isNew: boolean
  readonly phone: string | null
  readonly customerName: string
  /** Shown to the payer. */
  readonly description: string
}

export type Handed =
  | { readonly outcome: 'taken'; readonly payment: sql.Topup }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The provider has it already, and does not say again what the payer has to do. */
  | { readonly outcome: 'known' }

/**
 * Asks the rail to collect it. Outside any transaction: this may take seconds. Throws `rail_unavailable` when nobody can
 * say whether the provider took it; the same attempt may then be made again.
 */
export async function handOver(app: App, attempt: Attempt): Promise<Handed> {
  const { reference, rail: name } = attempt.payment
  const rail = accountOf(app, attempt.payment)
  if (!rail) throw new ApiError('payments_not_configured')
  const started = await rail.start(monitoredClient(app, rail), orderOf(app, attempt))
  switch (started.outcome) {
    case 'accepted':
      return { outcome: 'taken', payment: await keepAnswer(app, attempt.payment, started) }
    case 'rejected':
      app.metrics.payment(name, 'refused')
      app.log.warn({ rail: name, reference, detail: started.detail }, 'a provider refused a payment')
      return { outcome: 'refused', reason: started.reason }
    case 'known':
      return { outcome: 'known' }
    case 'unknown':
      app.metrics.payment(name, 'unavailable')
      app.log.warn({ rail: name, reference, reason: started.reason }, 'a payment waits for its provider')
      throw new ApiError('rail_unavailable', { reference })
  }
}

export const refused = (reference: string, reason: string | null): ApiError =>
  new ApiError('payment_refused', { reference, reason: reason ?? 'It was not paid in time.' })

/** What the provider said is kept for itself: it must survive whatever happens to our own answer. */
async function keepAnswer(
  app: App,
  { reference, orgId }: sql.Topup,
  { handOff, providerRef }: Extract<InitiationResult, { outcome: 'accepted' }>,
): Promise<sql.Topup> {
  try {
    return await app.db.tx(orgId, (tx) => sql.storeHandOff(tx, reference, handOff, providerRef))
  } catch (error) {
    if (!isDuplicate(error, 'payments_provider_ref')) throw error
    // Asking by that name would tell about the other payment, so a person asks.
    await sendToReview(app, reference, 'The provider calls this payment by the name of another one.')
    return app.db.tx(orgId, (tx) => sql.storeHandOff(tx, reference, { displayText: MIXED_UP }, null))
  }
}

const MIXED_UP =
  'The provider mixed this payment up with another one. A person looks at it; to pay now, start a new top-up.'

function orderOf(app: App, { payment, phone, customerName, description }: Attempt): Order {
  const { reference, channel, amountMinor, currency, email, createdAt, expiresAt, orgId } = payment
  return {
    reference,
    channel,
    amountMinor,
    currency,
    email,
    phone,
    customer: { id: orgId, name: customerName },
    description,
    returnUrl: `${app.config.baseUrl}/pay/return?topup=${reference}`,
    notifyUrl: webhookUrlFor(app, payment.rail, reference),
    createdAt,
    expiresAt,
  }
}
