// Stored cards. A payment with a new card stores it. Only the payment rail receives the decrypted authorization.
// Callers that change cards hold `lockOrg`.
import { record } from '../../audit/audit.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { canCharge, type StoredCard } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CardDetails, PaymentFact } from '../../platform/payment-handler.ts'
import { sealedColumn } from '../../platform/sealed-data.ts'
import { UnsealError } from '../../platform/secrets.ts'
import * as sql from './cards-sql.ts'

/** A card as the API shows it. */
export type Card = Pick<
  sql.CardRow,
  'id' | 'brand' | 'last4' | 'expMonth' | 'expYear' | 'bank' | 'isDefault' | 'createdAt'
> & { readonly expired: boolean }

export type ChargeableCard = StoredCard &
  Pick<Card, 'brand' | 'last4' | 'expMonth' | 'expYear' | 'isDefault' | 'createdAt'> & { userId: string }

export type StoreCardResult = { readonly card: Card } | { readonly refused: 'not_reusable' | 'too_many' }

export const CARDS_MAX = 10

/** Stores the card that paid. Returns null if it cannot be stored. */
export async function storeCard(
  app: App,
  tx: Tx,
  payment: PaymentFact,
  details: CardDetails,
): Promise<Card | null> {
  const stored = await tryStoreCard(app, tx, payment, details)
  return 'card' in stored ? stored.card : null
}

/**
 * Stores the card, or returns the reason why not. A physical card is stored once, with its newest authorization.
 */
export async function tryStoreCard(
  app: App,
  tx: Tx,
  payment: PaymentFact,
  details: CardDetails,
): Promise<StoreCardResult> {
  if (!details.isReusable) return { refused: 'not_reusable' }
  const { orgId, mode } = payment
  const cards = await sql.findCards(tx, orgId)
  const fingerprints = app.secrets.digests(details.signature, FINGERPRINT)
  const [fingerprint] = fingerprints
  const earlier = cards.find((card) => fingerprints.includes(card.fingerprint) && card.mode === mode)
  if (!earlier && cards.length >= CARDS_MAX) return { refused: 'too_many' }

  const id = earlier?.id ?? newId('pm', tx.now.getTime())
  const { brand, last4, expMonth, expYear, bank, country } = details
  const values = {
    ...{ brand, last4, expMonth, expYear, bank, country, userId: payment.userId, email: payment.email },
    rail: payment.rail === 'mock' ? ('mock' as const) : ('paystack' as const),
    account: payment.account,
    authorizationSealed: app.secrets.seal(details.authorizationCode, contextOf(id)),
  }
  if (earlier) await sql.replaceCard(tx, id, { ...values, fingerprint })
  else await sql.insertCard(tx, orgId, { ...values, id, mode, fingerprint })
  const holder = cards.find((card) => card.isDefault && card.id !== id)
  const isDefault = !holder || isExpired(holder, tx.now)
  if (isDefault) await sql.makeDefault(tx, orgId, id)
  // The card has just paid, so an unpaid renewal is worth a retry with it.
  await sql.retryRenewals(tx, orgId)
  const metadata = { brand, last4, reference: payment.reference }
  await record(tx, { orgId, actor: { kind: 'system' }, action: 'paymentMethods.store', target: id, metadata })
  const createdAt = earlier?.createdAt ?? tx.now
  return { card: toCard({ id, brand, last4, expMonth, expYear, bank, isDefault, createdAt }, tx.now) }
}

/** The cards that can be charged now: the default first, then by age. */
export async function chargeableCards(app: App, tx: Tx, org: OrgId): Promise<ChargeableCard[]> {
  const cards = await sql.findCards(tx, org)
  return cards
    .filter((card) => !isExpired(card, tx.now) && canCharge(app, card))
    .flatMap((card) => {
      const {
        id,
        mode,
        rail,
        account,
        email,
        brand,
        last4,
        expMonth,
        expYear,
        isDefault,
        createdAt,
        userId,
      } = card
      const authorizationCode = decryptAuthorization(app, id, card.authorizationSealed)
      if (authorizationCode === null) return []
      const fields = { brand, last4, expMonth, expYear, isDefault, createdAt }
      return [{ id, mode, rail, account, email, authorizationCode, userId, ...fields }]
    })
}

export async function listCards(app: App, org: OrgId): Promise<Card[]> {
  return app.db.tx(org, async (tx) => (await sql.findCards(tx, org)).map((card) => toCard(card, tx.now)))
}

/** Decrypts the authorization; null if its encryption secret is gone and the card must be added again. */
export function decryptAuthorization({ secrets, log }: App, id: string, sealed: string): string | null {
  try {
    return secrets.open(sealed, contextOf(id))
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    log.error({ cardId: id }, 'billing.card.decrypt_failed')
    return null
  }
}

type CardFields = Omit<Card, 'expired'>

export const toCard = (card: CardFields, now: Date): Card => {
  const { id, brand, last4, expMonth, expYear, bank, isDefault, createdAt } = card
  return { id, brand, last4, expMonth, expYear, bank, isDefault, createdAt, expired: isExpired(card, now) }
}

/** A card is valid until the end of its expiry month. */
export const isExpired = ({ expMonth, expYear }: Pick<Card, 'expMonth' | 'expYear'>, now: Date): boolean =>
  now >= new Date(Date.UTC(expYear, expMonth, 1))

const FINGERPRINT = 'the fingerprint of a card'
/** Binds an authorization to its card. */
const contextOf = (id: string): string => `the authorization of ${id}`

export const sealedAuthorizations = sealedColumn({
  name: 'cards.authorization_sealed',
  list: sql.listAuthorizationTexts,
  replace: sql.replaceAuthorizationTexts,
  contextOf: contextOf,
})
