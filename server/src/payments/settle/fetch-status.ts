// Fetches the status of a payment from the provider account that has it.
import type { App } from '../../platform/app.ts'
import { isPaybillPayment } from '../paybill/payment-name.ts'
import { accountOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import { createHttpClient } from '../rails/http-client.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import type { Payment } from '../sql/payments.ts'

export async function fetchStatus(app: App, payment: Payment): Promise<ProviderStatus> {
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
