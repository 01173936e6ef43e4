// Charging a stored card without its owner: written down first, then charged, then asked about. The provider knows a
// reference once, so that whatever dies in between, a second call charges nothing twice.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { firstCheckAfter } from '../channel-life.ts'
import { channelByName } from '../channels.ts'
import { type Account, accountOf, accountsOf, type Mode, usableAccounts } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import type { RailName } from '../rails/rail.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { insertCardPayment, storeChallenge } from '../sql/card-payments-sql.ts'
import { findPayment, type Topup } from '../sql/payments.ts'

export type StoredCard = {
  readonly id: string
  readonly mode: Mode
  readonly rail: RailName
  /** The provider's account that the authorization belongs to; null for cards from before there were several. */
  readonly account: string | null
  /** The address that the authorization belongs to. */
  readonly email: string
  readonly authorizationCode: string
}
export type CardChargeInput = {
  readonly reference: string
  readonly billId: string
  readonly orgId: OrgId
  readonly userId: string
  readonly card: StoredCard
  readonly amountMinor: bigint
  readonly currency: Currency
}
export type ChargeOutcome =
  | { readonly outcome: 'paid' }
  | { readonly outcome: 'challenged'; readonly authorizationUrl: string }
  /** `isUnanswered`: its time went by without a word of the provider's. */
  | { readonly outcome: 'declined'; readonly reason: string; readonly isUnanswered?: true }
  /** Nobody can say yet. The payment is asked about until it is decided. */
  | { readonly outcome: 'pending' }

/** Whether a stored card can be charged here: by the rail that serves cards right now, and no other. */
export function canCharge(
  app: App,
  { rail, mode, account }: Pick<StoredCard, 'rail' | 'mode' | 'account'>,
): boolean {
  const usable = usableAccounts(app, channelByName('card'))
  const accounts = mode === 'live' ? usable : usable.length > 0 ? [] : accountsOf(app, 'mock')
  return accounts.some(
    (each) => each.name === rail && each.chargeCard && (account === null || each.account === account),
  )
}

// A bank may think for longer than other calls take.
const TIMEOUT_MS = 20_000
/** Longer than a call takes: who finds an older payment unknown to the provider knows that its call never came there. */
const IN_FLIGHT = { seconds: 60 }
// As long as a provider may take to decide. A shorter life would charge the card again beside a charge that still may come.
const LIFE = { hours: 24 }
// A little less than a day, so that the next day's try finds it over and charges anew.
const CHALLENGE_LIFE = { hours: 23 }

/** Charges a card for a bill. Never fails because of the provider. */
export async function chargeStoredCard(app: App, wanted: CardChargeInput): Promise<ChargeOutcome> {
  const rail = accountOf(app, { ...wanted.card, currency: wanted.currency })
  if (!rail?.chargeCard) throw new ApiError('payments_not_configured')
  const { payment, isNew } = await begin(app, wanted)
  if (isNew) return charge(app, rail, wanted)
  const asked = await reconcileCharge(app, payment)
  return asked.outcome === 'pending' && wasNeverSent(app, payment) ? charge(app, rail, wanted) : asked
}

/** Makes the provider forget a card. False when it could not be told, and should be told again. */
export async function deleteStoredCard(
  app: App,
  card: Pick<StoredCard, 'rail' | 'mode' | 'account' | 'authorizationCode'>,
): Promise<boolean> {
  const rail = accountOf(app, { ...card, currency: null })
  return rail?.deleteCard ? rail.deleteCard(monitoredClient(app, rail), card.authorizationCode) : false
}

/** How a payment stands now, by the provider's own answer. */
export async function reconcileCharge(app: App, { orgId, reference }: Pick<Topup, 'orgId' | 'reference'>) {
  await reconcilePayment(app, reference, 'verify')
  return standing(app, orgId, reference)
}

/**
 * Gives up a payment that waits for nobody but its payer, who is to pay in another way. Should it be paid in spite of
 * that, the money is not lost. Says how it stands: another answer may have been faster.
 */
export async function abandonPayment(app: App, { orgId, reference }: Pick<Topup, 'orgId' | 'reference'>) {
  const reason = 'It was given up for another try.'
  await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
  return standing(app, orgId, reference)
}

function begin(app: App, wanted: CardChargeInput): Promise<{ payment: Topup; isNew: boolean }> {
  const { orgId, reference, billId, userId, card, amountMinor, currency } = wanted
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`top-ups of ${orgId}`)
    const earlier = await findPayment(tx, orgId, reference)
    if (earlier) return { payment: earlier, isNew: false }
    const payment = await insertCardPayment(tx, {
      ...{ reference, orgId, userId, purpose: 'bill', billId, cardId: card.id, currency, amountMinor },
      ...{ email: card.email, rail: card.rail, account: card.account, mode: card.mode },
      nextCheckAt: after(tx.now, firstCheckAfter('card')),
      expiresAt: after(tx.now, LIFE),
    })
    return { payment, isNew: true }
  })
}

/** A crash may have come between the writing down and the call. Should it have come later, the provider knows the reference. */
const wasNeverSent = (app: App, { handOff, createdAt }: Topup): boolean =>
  handOff === null && app.clock.now() >= after(createdAt, IN_FLIGHT)

async function charge(app: App, rail: Account, wanted: CardChargeInput): Promise<ChargeOutcome> {
  const { reference, orgId, amountMinor, currency, card } = wanted
  const { email, authorizationCode } = card
  const http = monitoredClient(app, rail, TIMEOUT_MS)
  const charged = await rail.chargeCard?.(http, {
    reference,
    amountMinor,
    currency,
    email,
    authorizationCode,
  })
  switch (charged?.outcome) {
    case 'answered':
      return reconcileCharge(app, { orgId, reference })
    case 'challenged': {
      const { authorizationUrl } = charged
      await app.db.tx(orgId, (tx) =>
        storeChallenge(tx, reference, authorizationUrl, after(tx.now, CHALLENGE_LIFE)),
      )
      return standing(app, orgId, reference)
    }
    case 'declined': {
      const { reason, detail, isFinal } = charged
      app.log.warn({ rail: rail.name, reference, detail, isFinal }, 'a provider declined a stored card')
      await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
      return standing(app, orgId, reference)
    }
    default:
      app.metrics.payment(rail.name, 'unavailable')
      app.log.warn({ rail: rail.name, reference, reason: charged?.reason }, 'a charge waits for its provider')
      return { outcome: 'pending' }
  }
}

async function standing(app: App, orgId: OrgId, reference: string): Promise<ChargeOutcome> {
  const found = await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))
  const { status, reason, handOff } = present(found, 'a payment that was written down is there')
  if (status === 'settled') return { outcome: 'paid' }
  if (status === 'failed' || status === 'expired')
    return {
      outcome: 'declined',
      reason: reason ?? 'The payment was declined.',
      ...(status === 'expired' && handOff === null && { isUnanswered: true as const }),
    }
  const authorizationUrl = status === 'pending' ? handOff?.authorizationUrl : undefined
  return authorizationUrl === undefined ? { outcome: 'pending' } : { outcome: 'challenged', authorizationUrl }
}
