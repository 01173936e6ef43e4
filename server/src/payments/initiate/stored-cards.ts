// Charges stored cards without their owner: stores the payment, charges the card, then reconciles. The provider accepts
// a reference once, so a retry after a crash cannot charge twice.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { channelByName } from '../channels.ts'
import { type Account, type AccountRef, accountOf, accountsOf, usableAccounts } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import { NEVER_BEGUN } from '../rails/rail.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { findPayment, type Payment, storeChallenge } from '../sql/payments.ts'
import { createPayment } from './initiate.ts'

type CardAccount = Pick<AccountRef, 'rail' | 'mode' | 'account'>

export type StoredCard = CardAccount & {
  readonly id: string
  /** The email address that the authorization belongs to. */
  readonly email: string
  readonly authorizationCode: string
}
export type CardChargeInput = Readonly<
  Pick<Payment, 'reference' | 'orgId' | 'userId' | 'amountMinor' | 'currency'>
> & {
  /** Null for an automatic top-up. */
  readonly billId: string | null
  readonly card: StoredCard
}
export type ChargeOutcome =
  | { readonly outcome: 'paid' }
  | { readonly outcome: 'challenged'; readonly authorizationUrl: string }
  /**
   * `isUnanswered`: the payment expired without an answer from the provider. `isUnsent`: it never reached the provider, so no bank
   * declined it.
   */
  | {
      readonly outcome: 'declined'
      readonly reason: string
      readonly isUnanswered?: true
      readonly isUnsent?: true
    }
  /** Not known yet. The sweeper checks the payment until it is decided. */
  | { readonly outcome: 'pending' }

/** Whether the rail that serves cards now can charge this card. */
export function canCharge(app: App, { rail, mode, account }: CardAccount): boolean {
  const usable = usableAccounts(app, channelByName('card'))
  const accounts = mode === 'live' ? usable : usable.length > 0 ? [] : accountsOf(app, 'mock')
  return accounts.some(
    (each) => each.name === rail && each.chargeCard && (account === null || each.account === account),
  )
}

// Longer than for other calls: the bank must authorise the charge.
const TIMEOUT_MS = 20_000
/** Longer than a call takes: if the provider does not know an older payment, the call never reached it. */
const IN_FLIGHT = { seconds: 60 }
// Less than a day, so that the next daily attempt finds the challenge expired and charges again.
const CHALLENGE_LIFETIME = { hours: 23 }

/** Charges a card for a bill or a top-up. A provider failure is an outcome, not an exception. */
export async function chargeStoredCard(app: App, input: CardChargeInput): Promise<ChargeOutcome> {
  const { card, currency } = input
  const rail = accountOf(app, { ...card, currency })
  if (!rail?.chargeCard) throw new ApiError('payments_not_configured')
  const { payment, isNew } = await createPayment(app, {
    ...input,
    purpose: input.billId === null ? 'topup' : 'bill',
    ...{ channel: 'card', email: card.email, phone: null },
  })
  if (isNew) return charge(app, rail, input)
  const { outcome, isUnsent } = await reconcileUnsent(app, payment)
  const { amountMinor } = payment
  return isUnsent ? charge(app, rail, { ...input, amountMinor, currency: payment.currency }) : outcome
}

/** Reconciles a charge that must not be sent any more. If it never reached the provider, it fails as `isUnsent`. */
export async function endUnsentCharge(
  app: App,
  { orgId, reference }: Pick<Payment, 'orgId' | 'reference'>,
): Promise<ChargeOutcome> {
  const payment = await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))
  const { outcome, isUnsent } = await reconcileUnsent(app, present(payment, 'a stored payment exists'))
  if (!isUnsent) return outcome
  await settlePayment(app, reference, { status: 'failed', reason: NEVER_BEGUN }, 'verify')
  return outcomeOf(app, orgId, reference)
}

/** Deletes a card at the provider. False: the provider did not confirm, so the caller must retry. */
export async function deleteStoredCard(
  app: App,
  card: CardAccount & Pick<StoredCard, 'authorizationCode'>,
): Promise<boolean> {
  const rail = accountOf(app, { ...card, currency: null })
  return rail?.deleteCard ? rail.deleteCard(monitoredClient(app, rail), card.authorizationCode) : false
}

/** Reconciles a charge with the provider and returns its outcome. */
export async function reconcileCharge(app: App, { orgId, reference }: Pick<Payment, 'orgId' | 'reference'>) {
  await reconcilePayment(app, reference, 'verify')
  return outcomeOf(app, orgId, reference)
}

/**
 * Abandons a payment that waits for its payer, who pays another way. If it is paid after all, it is still credited.
 * Returns the outcome, because a concurrent answer may have decided the payment first.
 */
export async function abandonPayment(app: App, { orgId, reference }: Pick<Payment, 'orgId' | 'reference'>) {
  const reason = 'It was replaced by another attempt.'
  await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
  return outcomeOf(app, orgId, reference)
}

/** A crash between storing and charging leaves a pending payment without a hand-off that the provider does not know. */
async function reconcileUnsent(
  app: App,
  { orgId, reference, handOff, createdAt }: Payment,
): Promise<{ outcome: ChargeOutcome; isUnsent: boolean }> {
  const { status, isNotFound } = await reconcilePayment(app, reference, 'verify')
  const isOld = app.clock.now() >= after(createdAt, IN_FLIGHT)
  return {
    outcome: await outcomeOf(app, orgId, reference),
    isUnsent: status === 'pending' && isNotFound && handOff === null && isOld,
  }
}

async function charge(app: App, rail: Account, input: CardChargeInput): Promise<ChargeOutcome> {
  const { reference, orgId, amountMinor, currency, card } = input
  const { email, authorizationCode } = card
  const order = { reference, amountMinor, currency, email, authorizationCode }
  const result = await rail.chargeCard?.(monitoredClient(app, rail, TIMEOUT_MS), order)
  switch (result?.outcome) {
    case 'answered':
      return reconcileCharge(app, { orgId, reference })
    case 'challenged': {
      const { authorizationUrl } = result
      await app.db.tx(orgId, (tx) =>
        storeChallenge(tx, reference, authorizationUrl, after(tx.now, CHALLENGE_LIFETIME)),
      )
      return outcomeOf(app, orgId, reference)
    }
    case 'declined': {
      const { reason, detail, isFinal } = result
      app.log.warn({ rail: rail.name, reference, detail, isFinal }, 'payments.card_charge.declined')
      await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
      return outcomeOf(app, orgId, reference)
    }
    default:
      app.metrics.payment(rail.name, 'unavailable')
      app.log.warn({ rail: rail.name, reference, reason: result?.reason }, 'payments.card_charge.unknown')
      return { outcome: 'pending' }
  }
}

async function outcomeOf(app: App, orgId: OrgId, reference: string): Promise<ChargeOutcome> {
  const outcome = await app.db.tx(orgId, (tx) => readChargeOutcome(tx, orgId, reference))
  return present(outcome, 'a stored payment exists')
}

/** The stored outcome, without a provider call. Undefined: the payment does not exist. */
export async function readChargeOutcome(
  tx: Tx,
  orgId: OrgId,
  reference: string,
): Promise<ChargeOutcome | undefined> {
  const found = await findPayment(tx, orgId, reference)
  if (!found) return undefined
  const { status, reason, handOff } = found
  if (status === 'settled') return { outcome: 'paid' }
  if (status === 'failed' || status === 'expired')
    return {
      outcome: 'declined',
      reason: reason ?? 'The payment was declined.',
      ...(status === 'expired' && handOff === null && { isUnanswered: true as const }),
      ...(status === 'failed' && reason === NEVER_BEGUN && handOff === null && { isUnsent: true as const }),
    }
  const authorizationUrl = status === 'pending' ? handOff?.authorizationUrl : undefined
  return authorizationUrl === undefined ? { outcome: 'pending' } : { outcome: 'challenged', authorizationUrl }
}
