// Initiates payments of every purpose: stores the payment, then asks a provider to collect it. A retry with the same
// reference resumes the stored payment and never creates a second one.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { firstCheckAfter, isPush, lifetimeOf } from '../channels.ts'
import type { AccountRef, SelectedAccount } from '../rails/accounts.ts'
import type { Order } from '../rails/rail.ts'
import { routeOf } from '../routing/route.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { REASON_CHARACTERS_MAX } from '../settle/settlement.ts'
import { webhookUrlFor } from '../settle/webhooks/webhook-url.ts'
import { type AttemptAccount, beginAttempt } from '../sql/payment-attempts.ts'
import { findPayment, insertPayment, markRefused, type Payment } from '../sql/payments.ts'
import { attemptInTurn } from './attempts.ts'
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
export type Initiation = Omit<PaymentInput, 'card'> & {
  readonly customerName: string
  /** Shown to the payer. */
  readonly description: string
}

/**
 * Creates or resumes the payment and returns it with what the payer has to do. Throws `payment_refused` when the provider
 * refused it, and `rail_unavailable` when the provider may or may not have accepted it: the caller may retry.
 */
export async function initiate(app: App, initiation: Initiation): Promise<Payment> {
  const route = (await routeOf(app, initiation)).map(toAttempt)
  const { payment, isNew } = await createPayment(app, { ...initiation, card: null }, route[0])
  return isNew ? start(app, initiation, { payment, isNew }, route) : resume(app, initiation, payment, route)
}

const toAttempt = ({ mode, rail }: SelectedAccount): AttemptAccount => ({
  ...{ mode, rail: rail.name, account: rail.account },
})

/**
 * Stores the payment before any call to the provider, or finds the one that an earlier attempt stored. `first`: the account
 * that is asked first, where the payer approves the payment.
 */
export function createPayment(
  app: App,
  input: PaymentInput,
  first?: AttemptAccount,
): Promise<{ payment: Payment; isNew: boolean }> {
  const { reference, orgId, channel, phone, card } = input
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`top-ups of ${orgId}`)
    const earlier = await findPayment(tx, orgId, reference)
    if (earlier) return { payment: earlier, isNew: false }

    const { rail, account, mode } = present(card ?? first, 'an account collects the payment')
    if (!card) await checkLimits(app, tx, input, mode)
    const payment = await insertPayment(tx, {
      ...input,
      cardId: card?.id ?? null,
      rail,
      account: mode === 'mock' ? null : account,
      mode,
      phoneSealed: phone && sealPhone(app, reference, phone),
      nextCheckAt: after(tx.now, firstCheckAfter(channel)),
      expiresAt: after(tx.now, lifetimeOf(channel)),
    })
    if (first) await beginAttempt(tx, payment, first)
    return { payment, isNew: true }
  })
}

/** Asks the accounts in turn to collect the payment. */
async function start(
  app: App,
  initiation: Initiation,
  { payment, isNew }: { payment: Payment; isNew: boolean },
  route: readonly AttemptAccount[],
): Promise<Payment> {
  const { reference, orgId } = payment
  const found = await attemptInTurn(app, { payment, isNew }, route, (account) =>
    orderOf(app, initiation, payment, account),
  )
  switch (found.outcome) {
    case 'accepted':
      return found.payment
    case 'rejected':
      await recordRefusal(app, payment, found.reason, found.isCertain)
      throw refused(reference, found.reason)
    case 'known':
      return reconcileInstead(app, payment)
    case 'unknown':
      throw new ApiError('rail_unavailable', { reference })
    case 'ended': {
      const current = await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))
      return resume(app, initiation, present(current, 'a stored payment exists'), [])
    }
  }
}

/** Returns the stored instructions again. A push prompt is never sent twice. */
async function resume(
  app: App,
  initiation: Initiation,
  payment: Payment,
  route: readonly AttemptAccount[],
): Promise<Payment> {
  const { reference, status, reason, purpose, handOff, channel, mode } = payment
  if (status === 'failed' || status === 'expired') throw refused(reference, reason)
  if (status === 'review' && purpose !== 'topup')
    throw new ApiError('change_in_progress', {
      error: 'A payment for this has arrived and is under review. You do not need to pay again.',
      reference,
    })
  if (status !== 'pending' || handOff) return payment
  const remaining = route.filter((each) => each.mode === mode)
  return isPush(channel) || remaining.length === 0
    ? reconcileInstead(app, payment)
    : start(app, initiation, { payment, isNew: false }, remaining)
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
  isCertain: boolean,
): Promise<void> {
  if (purpose === 'topup')
    await app.db.tx(orgId, (tx) =>
      markRefused(tx, reference, reason.slice(0, REASON_CHARACTERS_MAX), isCertain),
    )
  else await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
}

const PROMPT_MAY_BE_SENT =
  'Your phone may have been asked to confirm this payment. If it was, confirm it there; if nothing comes within a few minutes, start a new top-up.'
const PAGE_LOST =
  'The provider has this payment already, and its page cannot be opened again. If you have not paid, start a new top-up.'
function orderOf(
  app: App,
  { phone, customerName, description }: Initiation,
  payment: Payment,
  { rail }: AttemptAccount,
): Order {
  const { reference, channel, amountMinor, currency, email, createdAt, expiresAt, orgId } = payment
  return {
    ...{ reference, channel, amountMinor, currency, email, phone, description, createdAt, expiresAt },
    customer: { id: orgId, name: customerName },
    returnUrl: `${app.config.baseUrl}/pay/return?topup=${reference}`,
    notifyUrl: webhookUrlFor(app, rail, reference),
  }
}
