// SQL of stored cards. Statements need the tenant scope of the organisation or of the platform. Callers that change
// a card hold `lockOrg`.
import type { Id, OrgId } from '../../kernel/ids.ts'
import { billsChargedTo } from '../../payments/payments.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../../platform/sealed-data.ts'

export type CardId = Id<'pm'>
export type CardRow = {
  id: CardId
  userId: string
  rail: 'paystack' | 'mock'
  mode: 'live' | 'mock'
  account: string | null
  authorizationSealed: string
  fingerprint: string
  email: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  bank: string | null
  country: string | null
  isDefault: boolean
  createdAt: Date
}

/** The default card first, then by age. */
export function findCards(tx: Tx, org: OrgId): Promise<CardRow[]> {
  return tx.rows<CardRow>`
    select id, user_id as "userId", rail, mode, account, authorization_sealed as "authorizationSealed", fingerprint, email, brand,
           last4, exp_month as "expMonth", exp_year as "expYear", bank, country, is_default as "isDefault",
           created_at as "createdAt"
    from cards where org_id = ${org} and removed_at is null order by is_default desc, created_at, id`
}

export async function insertCard(
  tx: Tx,
  org: OrgId,
  card: Omit<CardRow, 'createdAt' | 'isDefault'>,
): Promise<void> {
  await tx.rows`
    insert into cards (id, org_id, user_id, rail, mode, account, authorization_sealed, fingerprint, email, brand, last4,
                       exp_month, exp_year, bank, country, is_default, created_at)
    values (${card.id}, ${org}, ${card.userId}, ${card.rail}, ${card.mode}, ${card.account},
            ${card.authorizationSealed}, ${card.fingerprint}, ${card.email}, ${card.brand}, ${card.last4}, ${card.expMonth}, ${card.expYear},
            ${card.bank}, ${card.country}, false, ${tx.now})`
}

/** The same physical card with a new authorization. A new expiry date resets the expiry notice. */
export async function replaceCard(
  tx: Tx,
  id: CardId,
  card: Omit<CardRow, 'id' | 'mode' | 'createdAt' | 'isDefault'>,
): Promise<void> {
  await tx.rows`
    update cards set user_id = ${card.userId}, rail = ${card.rail}, account = ${card.account}, authorization_sealed = ${card.authorizationSealed},
      email = ${card.email}, brand = ${card.brand}, last4 = ${card.last4}, bank = ${card.bank}, country = ${card.country},
      expiry_told_at = case when (exp_year, exp_month) = (${card.expYear}::int, ${card.expMonth}::int) then expiry_told_at end,
      exp_month = ${card.expMonth}, exp_year = ${card.expYear}, fingerprint = ${card.fingerprint}
    where id = ${id}`
}

/** Makes this the only default card. Two statements, because a unique index allows one default at any time. */
export async function makeDefault(tx: Tx, org: OrgId, id: CardId): Promise<void> {
  await tx.rows`update cards set is_default = false where org_id = ${org} and is_default and id <> ${id}`
  await tx.rows`update cards set is_default = true where org_id = ${org} and id = ${id} and not is_default`
}

export async function markRemoved(tx: Tx, id: CardId): Promise<void> {
  await tx.rows`update cards set removed_at = ${tx.now}, is_default = false where id = ${id}`
}

/**
 * Retries an unpaid renewal at once after the cards changed. With `untried`, only if that card was not charged for
 * it yet.
 */
export async function retryRenewals(tx: Tx, org: OrgId, untried: CardId | null = null): Promise<void> {
  const charged = untried === null ? [] : await billsChargedTo(tx, org, untried)
  await tx.rows`
    update bills b set next_attempt_at = ${tx.now}
    from subscriptions s
    where b.org_id = ${org} and b.kind = 'renewal' and b.status = 'open' and b.next_attempt_at > ${tx.now}
      and s.id = b.subscription_id and s.status = 'past_due'
      and b.id <> all(${charged}::text[])`
}

export type RemovedCard = Pick<
  CardRow,
  'rail' | 'mode' | 'account' | 'authorizationSealed' | 'fingerprint' | 'email'
>

/** A removed card whose authorization is still stored. */
export function findRemovedCard(tx: Tx, id: string) {
  return tx.maybe<RemovedCard>`
    select rail, mode, account, authorization_sealed as "authorizationSealed", fingerprint, email
    from cards where id = ${id} and removed_at is not null and authorization_sealed <> ''`
}

/** Whether another stored card uses the authorization: a provider has one per card and email address. */
export async function isAuthorizationInUse(
  tx: Tx,
  { mode, fingerprint, email }: RemovedCard,
): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from cards
    where fingerprint = ${fingerprint} and mode = ${mode} and email = ${email} and removed_at is null limit 1`
  return found !== undefined
}

export async function eraseAuthorization(tx: Tx, id: string): Promise<void> {
  await tx.rows`update cards set authorization_sealed = '' where id = ${id} and removed_at is not null`
}

/** Authorizations of cards that another service secret has sealed. Needs the platform scope. */
export const listAuthorizationTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, authorization_sealed as sealed from cards
    where id > ${after} and not starts_with(authorization_sealed, ${keyId}) and authorization_sealed <> '' order by id limit ${limit}`

export const replaceAuthorizationTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update cards set authorization_sealed = ${sealed} where id = ${was.id} and authorization_sealed = ${was.sealed}`
