// Accounts: one account per email address, and its personal organisation.
import { record } from '../../audit/audit.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { insertMembership, insertOrg, personalOrg, renameOrg, setCurrency } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import type { Language } from '../../platform/texts/language.ts'
import * as sql from '../sql.ts'

export type AccountRef = { userId: UserId; orgId: OrgId }

export type NewAccount = {
  email: string
  verified: boolean
  name?: string | null
  currency?: Currency
  passwordHash?: string | null
  /** The language of mails to the person. */
  language?: Language | null
  /** The time encoded in the id. Default: now. Set it where the real time must stay hidden. */
  idAt?: Date
}

const ORG_NAME_MAX = 200

/** Opens an account with a personal organisation that it owns; null when the address has one already. */
export async function openAccount(tx: Tx, account: NewAccount): Promise<AccountRef | null> {
  const userId = await openAccountWithoutOrg(tx, account)
  return userId && { userId, orgId: await openPersonalOrg(tx, userId, account) }
}

/** Opens an account without an organisation. The caller adds it to one in the same transaction. */
export async function openAccountWithoutOrg(tx: Tx, account: NewAccount): Promise<UserId | null> {
  const id = newId('usr', account.idAt?.getTime())
  const inserted = await sql.insertUser(tx, {
    id,
    email: normaliseEmail(account.email),
    name: account.name ?? null,
    passwordHash: account.passwordHash ?? null,
    verifiedAt: account.verified ? tx.now : null,
    language: account.language ?? null,
  })
  return inserted ? id : null
}

/** Opens the personal organisation of a user. */
export async function openPersonalOrg(
  tx: Tx,
  userId: UserId,
  { email, name, currency = 'NGN' }: Pick<NewAccount, 'email' | 'name' | 'currency'>,
): Promise<OrgId> {
  const id = newId('org')
  await insertOrg(tx, {
    id,
    name: (name || normaliseEmail(email)).slice(0, ORG_NAME_MAX),
    type: 'individual',
    currency,
    seatAllotment: 1,
  })
  await insertMembership(tx, id, userId, 'owner')
  return id
}

/**
 * An invited person gets a personal organisation and lands there: their first actions must not happen in the team of
 * a person they may not know. Called under the lock of the account.
 */
export async function ensureOwnOrg(tx: Tx, user: Pick<sql.User, 'id' | 'email' | 'name'>): Promise<void> {
  const personal = (await personalOrg(tx, user.id)) ?? (await openPersonalOrg(tx, user.id, user))
  await sql.setActiveOrg(tx, user.id, personal)
}

export type NewRegistration = {
  name: string | null
  orgName: string
  currency: Currency
  language?: Language | null
}

/**
 * A newer registration replaces the name, language and currency of an unverified account. An invited person has no personal
 * organisation yet and gets it now, with this currency. Called under the lock of the account.
 */
export async function updateRegistration(
  tx: Tx,
  id: UserId,
  { name, orgName, currency, language = null }: NewRegistration,
): Promise<void> {
  await sql.updateUnverified(tx, id, { name, language })
  const own = await personalOrg(tx, id)
  if (own) {
    await renameOrg(tx, own, orgName.slice(0, ORG_NAME_MAX))
    await setCurrency(tx, own, currency)
  } else await openPersonalOrg(tx, id, { email: orgName, name: orgName, currency })
}

export async function updateAccount(
  app: App,
  actor: Actor,
  changes: { name?: string | undefined; language?: Language | undefined },
  request: RequestInfo,
): Promise<void> {
  const { orgId, userId } = actor
  await app.db.tx(orgId, async (tx) => {
    await sql.updateUser(tx, userId, changes)
    // Without the name itself, because audit events are kept.
    await record(tx, { orgId, actor, ip: request.address, action: 'me.update', target: userId })
  })
}
