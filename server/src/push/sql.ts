// SQL of push notifications.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../platform/sealed-data.ts'
import type { Language } from '../platform/texts/language.ts'
import type { NoticeData, NoticeKind } from './types.ts'

export type SubscriptionId = Id<'psh'>
export type MessageId = Id<'pmg'>

export type Subscription = {
  id: SubscriptionId
  sessionId: Id<'ses'> | null
  endpoint: string
  p256dh: string
  authSealed: string
  serverKey: string
  kinds: NoticeKind[]
  language: Language
  createdAt: Date
}

export function listSubscriptions(tx: Tx, user: UserId): Promise<Subscription[]> {
  return tx.rows<Subscription>`
    select id, session_id as "sessionId", endpoint, p256dh, auth_sealed as "authSealed", server_key as "serverKey", kinds,
           language, created_at as "createdAt"
    from push_subscriptions where user_id = ${user} order by created_at, id`
}

export async function insertSubscription(
  tx: Tx,
  user: UserId,
  added: Omit<Subscription, 'createdAt'>,
): Promise<void> {
  await tx.rows`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth_sealed, server_key, kinds, language, created_at)
    values (${added.id}, ${user}, ${added.sessionId}, ${added.endpoint}, ${added.p256dh}, ${added.authSealed},
            ${added.serverKey}, ${added.kinds}, ${added.language}, ${tx.now})`
}

/** An endpoint belongs to one browser, and the browser to the person who used it last. */
export async function deleteEndpoint(tx: Tx, endpoint: string): Promise<void> {
  await tx.rows`delete from push_subscriptions where md5(endpoint) = md5(${endpoint}) and endpoint = ${endpoint}`
}

export async function deleteSubscription(tx: Tx, user: UserId, id: string): Promise<boolean> {
  const rows = await tx.rows`
    delete from push_subscriptions where id = ${id} and user_id = ${user} returning id`
  return rows.length === 1
}

/** Deletes all but the newest. */
export async function pruneSubscriptions(tx: Tx, user: UserId, keep: number): Promise<void> {
  await tx.rows`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${user} order by created_at desc, id desc offset ${keep})`
}

export type Message = { id: MessageId; userId: UserId; data: NoticeData; createdAt: Date }

/** Stores the message for the browsers that want its kind. False when there is none: then nothing is stored. */
export async function insertMessage(
  tx: Tx,
  org: OrgId,
  { id, userId, data }: Omit<Message, 'createdAt'>,
): Promise<boolean> {
  const rows = await tx.rows`
    with wanted as (
      select id from push_subscriptions where user_id = ${userId} and ${data.kind} = any(kinds)),
    message as (
      insert into push_messages (id, org_id, user_id, data, created_at)
      select ${id}, ${org}, ${userId}, ${toJson(data)}::jsonb, ${tx.now} where exists (select from wanted) returning id)
    insert into push_deliveries (message_id, subscription_id, org_id, next_attempt_at)
    select message.id, wanted.id, ${org}, ${tx.now} from message, wanted returning subscription_id`
  return rows.length > 0
}

export function findMessage(tx: Tx, org: OrgId, id: MessageId): Promise<Message | undefined> {
  return tx.maybe<Message>`
    select id, user_id as "userId", data, created_at as "createdAt" from push_messages
    where id = ${id} and org_id = ${org}`
}

export type DueDelivery = Subscription & { attempts: number }

export function listDue(tx: Tx, org: OrgId, message: MessageId): Promise<DueDelivery[]> {
  return tx.rows<DueDelivery>`
    select s.id, s.session_id as "sessionId", s.endpoint, s.p256dh, s.auth_sealed as "authSealed",
           s.server_key as "serverKey", s.kinds, s.language, s.created_at as "createdAt", d.attempts
    from push_deliveries d join push_subscriptions s on s.id = d.subscription_id
    where d.message_id = ${message} and d.org_id = ${org} and d.next_attempt_at <= ${tx.now} order by s.id`
}

export async function deleteDelivery(tx: Tx, message: MessageId, subscription: string): Promise<void> {
  await tx.rows`
    delete from push_deliveries where message_id = ${message} and subscription_id = ${subscription}`
}

export async function delayDelivery(
  tx: Tx,
  message: MessageId,
  subscription: string,
  until: Date,
): Promise<void> {
  await tx.rows`
    update push_deliveries set attempts = attempts + 1, next_attempt_at = ${until}
    where message_id = ${message} and subscription_id = ${subscription}`
}

/** When the next browser is due; null when none is left. Deliveries to removed browsers do not count. */
export async function nextAttempt(tx: Tx, message: MessageId): Promise<Date | null> {
  const { at } = await tx.one<{ at: Date | null }>`
    select min(d.next_attempt_at) as at
    from push_deliveries d join push_subscriptions s on s.id = d.subscription_id where d.message_id = ${message}`
  return at
}

export async function deleteMessage(tx: Tx, id: MessageId): Promise<void> {
  await tx.rows`delete from push_messages where id = ${id}`
}

export async function deleteOrgMessages(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from push_messages where org_id = ${org}`
}

export async function oldestMessage(tx: Tx): Promise<Date | null> {
  return (await tx.one<{ at: Date | null }>`select min(created_at) as at from push_messages`).at
}

/** Messages whose jobs were lost, for example in a restored backup. */
export async function deleteOldMessages(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const rows = await tx.rows`
    delete from push_messages where id in (
      select id from push_messages where created_at < ${createdBefore} limit ${limit}) returning id`
  return rows.length
}

export async function findKey(tx: Tx): Promise<string | undefined> {
  return (await tx.maybe<{ sealed: string }>`select private_sealed as sealed from push_keys`)?.sealed
}

/** Stores the key unless another replica has stored one. `unreadable` is replaced. Returns the stored key. */
export async function storeKey(tx: Tx, sealed: string, unreadable: string | null): Promise<string> {
  const row = await tx.one<{ sealed: string }>`
    insert into push_keys (singleton, private_sealed, created_at) values (true, ${sealed}, ${tx.now})
    on conflict (singleton) do update set private_sealed =
      case when push_keys.private_sealed = ${unreadable} then excluded.private_sealed else push_keys.private_sealed end
    returning private_sealed as sealed`
  return row.sealed
}

/** Secrets of push subscriptions that another service secret has sealed. Needs the platform scope. */
export const listAuthTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, auth_sealed as sealed from push_subscriptions
    where id > ${after} and not starts_with(auth_sealed, ${keyId}) order by id limit ${limit}`

export const replaceAuthTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update push_subscriptions set auth_sealed = ${sealed} where id = ${was.id} and auth_sealed = ${was.sealed}`

export const listSealedKeys = (tx: Tx, { keyId, after }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select 'key' as id, private_sealed as sealed from push_keys
    where ${after} = '' and not starts_with(private_sealed, ${keyId})`

export const replaceSealedKey = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update push_keys set private_sealed = ${sealed} where private_sealed = ${was.sealed}`
