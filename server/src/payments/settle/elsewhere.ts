// Payments at other accounts than their own: an earlier attempt whose reply was lost may still have been accepted.
import { present } from '../../kernel/assert.ts'
import { after, before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { type Attempt, attemptsElsewhere, claimAttemptRef } from '../sql/payment-attempts.ts'
import { recheckSettled } from '../sql/payment-status.ts'
import type { Payment } from '../sql/payments.ts'
import { fetchStatus } from './fetch-status.ts'
import { type StatusSource, settlePayment } from './settle.ts'
import type { Settlement, SettlementTrigger } from './settlement.ts'

/** A settled payment is checked again while another account gives no answer. */
const RECHECK_PAUSE = { hours: 1 }
/** After its expiry. */
const RECHECKED = { days: 3 }

export type SourcedStatus = { readonly source: StatusSource; readonly providerStatus: ProviderStatus }

export const sourceOf = ({ rail, account, providerRef }: Payment): StatusSource => ({
  rail,
  account: account ?? 'all',
  providerRef,
})

/**
 * Fetches the status from every other account that may have the payment. `named`: the provider that named the payment in a
 * webhook or list, and its id there.
 */
export async function fetchElsewhere(
  app: App,
  payment: Payment,
  named: { readonly rail: string | null; readonly providerRef: string | null },
): Promise<SourcedStatus[]> {
  // The provider lists a repeat under the first payment, which is checked instead.
  if (payment.repeatOf !== null) return []
  const attempts = await app.db.tx('platform', (tx) => attemptsElsewhere(tx, payment, named.rail))
  return Promise.all(
    attempts.map(async (attempt) => {
      const id = attempt.rail === named.rail && attempt.providerRef === null ? named.providerRef : null
      return id === null ? fetchAttempt(app, payment, attempt) : fetchByProviderRef(app, payment, attempt, id)
    }),
  )
}

async function fetchAttempt(app: App, payment: Payment, attempt: Attempt): Promise<SourcedStatus> {
  const { rail, account, providerRef } = attempt
  const source = { rail, account, providerRef }
  return { source, providerStatus: await fetchStatus(app, { ...payment, ...source }) }
}

/** Stores the id from a webhook when the provider confirms it and no other payment has it. */
async function fetchByProviderRef(app: App, payment: Payment, attempt: Attempt, providerRef: string) {
  const found = await fetchAttempt(app, payment, { ...attempt, providerRef })
  if (found.providerStatus.status === 'unknown') return found
  const isClaimed = await app.db.tx('platform', (tx) => claimAttemptRef(tx, attempt, providerRef))
  const providerStatus: ProviderStatus = {
    status: 'unknown',
    reason: 'the id in the webhook belongs to another payment',
  }
  return isClaimed ? found : { ...found, providerStatus }
}

/**
 * Applies all statuses, paid ones first: a payment that is paid at another account moves there, before the status of the own
 * account can end it.
 */
export async function settleAll(
  app: App,
  reference: string,
  own: SourcedStatus,
  elsewhere: readonly SourcedStatus[],
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const decisive = elsewhere.filter(
    ({ providerStatus: { status } }) => status === 'paid' || status === 'reversed',
  )
  const ordered = own.providerStatus.status === 'paid' ? [own, ...decisive] : [...decisive, own]
  let total: Settlement | null = null
  for (const { source, providerStatus } of ordered) {
    const settlement = await settlePayment(app, reference, providerStatus, trigger, source)
    total = total
      ? {
          ...settlement,
          creditedMinor: total.creditedMinor + settlement.creditedMinor,
          changed: total.changed || settlement.changed,
        }
      : settlement
  }
  const isUnclear = elsewhere.some(({ providerStatus }) => providerStatus.status === 'unknown')
  if (trigger === 'sweep' && isUnclear)
    await app.db.tx('platform', (tx) =>
      recheckSettled(tx, reference, after(tx.now, RECHECK_PAUSE), before(tx.now, RECHECKED)),
    )
  return present(total, 'the status of the own account was applied')
}

/** The status that the caller reacts to: that of the provider that named the payment, or the one that settled it. */
export function mainStatus(
  own: SourcedStatus,
  elsewhere: readonly SourcedStatus[],
  namedRail: string | null,
): ProviderStatus {
  const named = elsewhere.find(({ source }) => source.rail === namedRail)
  const paid = [own, ...elsewhere].find(({ providerStatus }) => providerStatus.status === 'paid')
  return (named ?? paid ?? own).providerStatus
}
