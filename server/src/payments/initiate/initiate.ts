// Initiates payments of every purpose: stores the payment, then asks the provider to collect it. A retry with the same
// reference resumes the stored payment and never creates a second one.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { firstCheckAfter, isPush, lifetimeOf } from '../channels.ts'
import { type AccountRef, accountOf, selectAccount } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import type { InitiationResult, Order } from '../rails/rail.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { sendToReview, settlePayment } from '../settle/settle.ts'
import { REASON_CHARACTERS_MAX } from '../settle/settlement.ts'
import { webhookUrlFor } from '../settle/webhooks/webhook-url.ts'
import { findPayment, insertPayment, markRefused, type Payment, storeHandOff } from '../sql/payments.ts'
import { checkLimits } from './limits.ts'
import { sealPhone } from './phones.ts'

/** A payment that is to be created. */
export type PaymentInput = Pick<
  Payment,
  'reference' | 'orgId' | 'userId' | 'purpose' | 'billId' | 'channel' | 'amountMinor' | 'currency' | 'email'
> & {
  /** E.164, where the channel needs one. */
  readonly phone: string | null
  /** Charged without its owner; null where the payer approves the payment. */
  readonly card: (Pick<AccountRef, 'rail' | 'account' | 'mode'> & { readonly id: string }) | null
}
export type Initiation = PaymentInput & {
  readonly customerName: string
  /** Shown to the payer. */
  readonly description: string
}

/**
 * Creates or resumes the payment and returns it with what the payer has to do. Throws `payment_refused` when the provider
 * refused it, and `rail_unavailable` when the provider may or may not have accepted it: the caller may retry.
 */
export async function initiate(app: App, initiation: Initiation): Promise<Payment> {
  const { payment, isNew } = await createPayment(app, initiation)
  return isNew ? start(app, initiation, payment, true) : resume(app, initiation, payment)
}

/** Stores the payment before any call to the provider, or finds the one that an earlier attempt stored. */
export function createPayment(app: App, input: PaymentInput): Promise<{ payment: Payment; isNew: boolean }> {
  const { reference, orgId, channel, phone, card } = input
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`top-ups of ${orgId}`)
    const earlier = await findPayment(tx, orgId, reference)
    if (earlier) return { payment: earlier, isNew: false }

    const { rail, account, mode } = card ?? accountFor(app, input)
    if (!card) await checkLimits(app, tx, input, mode)
    const payment = await insertPayment(tx, {
      ...input,
      cardId: card?.id ?? null,
      rail,
      account,
      mode,
      phoneSealed: phone && sealPhone(app, reference, phone),
      nextCheckAt: after(tx.now, firstCheckAfter(channel)),
      expiresAt: after(tx.now, lifetimeOf(channel)),
    })
    return { payment, isNew: true }
  })
}

function accountFor(app: App, { channel, currency, phone }: PaymentInput) {
  const { mode, rail } = selectAccount(app, channel, currency, phone)
  return { rail: rail.name, account: mode === 'mock' ? null : rail.account, mode }
}

/** Asks the provider to collect the payment. The call may take seconds, so it runs outside any transaction. */
async function start(app: App, initiation: Initiation, payment: Payment, isFirst: boolean): Promise<Payment> {
  const { reference, rail: name } = payment
  const rail = accountOf(app, payment)
  if (!rail) throw new ApiError('payments_not_configured')
  const result = await rail.start(monitoredClient(app, rail), orderOf(app, initiation, payment))
  switch (result.outcome) {
    case 'accepted':
      return storeAccepted(app, payment, result)
    case 'rejected':
      app.metrics.payment(name, 'refused')
      app.log.warn({ rail: name, reference, detail: result.detail }, 'payments.initiate.refused')
      await recordRefusal(app, payment, result.reason, isFirst)
      throw refused(reference, result.reason)
    case 'known':
      return reconcileInstead(app, payment)
    case 'unknown':
      app.metrics.payment(name, 'unavailable')
      app.log.warn({ rail: name, reference, reason: result.reason }, 'payments.initiate.unknown')
      throw new ApiError('rail_unavailable', { reference })
  }
}

/** Returns the stored instructions again. A push prompt is never sent twice. */
async function resume(app: App, initiation: Initiation, payment: Payment): Promise<Payment> {
  const { reference, status, reason, purpose, handOff, channel } = payment
  if (status === 'failed' || status === 'expired') throw refused(reference, reason)
  if (status === 'review' && purpose !== 'topup')
    throw new ApiError('change_in_progress', {
      error: 'A payment for this has arrived and is under review. You do not need to pay again.',
      reference,
    })
  if (status !== 'pending' || handOff) return payment
  return isPush(channel) ? reconcileInstead(app, payment) : start(app, initiation, payment, false)
}

/** The provider has, or may have, this payment: fetches its status instead of starting it again. */
async function reconcileInstead(app: App, { reference, orgId, channel }: Payment): Promise<Payment> {
  await reconcilePayment(app, reference, 'verify')
  const stored = await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))
  const payment = present(stored, 'a stored payment exists')
  if (payment.status === 'failed') throw refused(reference, payment.reason)
  const displayText = isPush(channel) ? PROMPT_MAY_BE_SENT : PAGE_LOST
  return { ...payment, handOff: payment.handOff ?? { displayText } }
}

export const refused = (reference: string, reason: string | null): ApiError =>
  new ApiError('payment_refused', { reference, reason: reason ?? 'It was not paid in time.' })

/** Card and bill payments fail through settlement, so that their payment handler runs. */
async function recordRefusal(
  app: App,
  { reference, orgId, purpose }: Payment,
  reason: string,
  isFirst: boolean,
): Promise<void> {
  if (purpose === 'topup')
    await app.db.tx(orgId, (tx) =>
      markRefused(tx, reference, reason.slice(0, REASON_CHARACTERS_MAX), isFirst),
    )
  else await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
}

/** Commits the provider's answer in its own transaction: it must survive a failure of our reply. */
async function storeAccepted(
  app: App,
  { reference, orgId }: Payment,
  { handOff, providerRef }: Extract<InitiationResult, { outcome: 'accepted' }>,
): Promise<Payment> {
  try {
    return await app.db.tx(orgId, (tx) => storeHandOff(tx, reference, handOff, providerRef))
  } catch (error) {
    if (!isUniqueViolation(error, 'payments_provider_ref')) throw error
    // A status query by this id would return the other payment, so staff must look into it.
    await sendToReview(app, reference, 'The provider gave this payment the id of another payment.')
    return app.db.tx(orgId, (tx) => storeHandOff(tx, reference, { displayText: MIXED_UP }, null))
  }
}

const PROMPT_MAY_BE_SENT =
  'Your phone may have been asked to confirm this payment. If it was, confirm it there; if nothing comes within a few minutes, start a new top-up.'
const PAGE_LOST =
  'The provider has this payment already, and its page cannot be opened again. If you have not paid, start a new top-up.'
const MIXED_UP =
  'The provider confused this payment with another one. Our staff are looking into it. To pay now, start a new top-up.'

function orderOf(app: App, { phone, customerName, description }: Initiation, payment: Payment): Order {
  const { reference, channel, amountMinor, currency, email, createdAt, expiresAt, orgId } = payment
  return {
    ...{ reference, channel, amountMinor, currency, email, phone, description, createdAt, expiresAt },
    customer: { id: orgId, name: customerName },
    returnUrl: `${app.config.baseUrl}/pay/return?topup=${reference}`,
    notifyUrl: webhookUrlFor(app, payment.rail, reference),
  }
}
