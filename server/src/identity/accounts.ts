// Accounts: one address, one account, and what it owns from the start.
import { normaliseEmail } from '../kernel/email.ts'
import { newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'
import { personalOrg, type Renewal, renewAccount, setActiveOrg } from './registration-sql.ts'
import * as sql from './sql.ts'

export type Account = { userId: UserId; orgId: OrgId }

export type NewAccount = {
  email: string
  verified: boolean
  name?: string | null
  currency?: Currency
  passwordHash?: string | null
  /** When its id says that it was made; now, unless that must not be told. */
  idAt?: Date
}

const ORG_NAME_MAX = 200

/** Opens an account with a personal organisation that it owns; null when the address has one already. */
export async function openAccount(tx: Tx, account: NewAccount): Promise<Account | null> {
  const userId = await openBareAccount(tx, account)
  return userId && { userId, orgId: await openPersonalOrg(tx, userId, account) }
}

/** An account that belongs nowhere yet: for those who are brought into an organisation in the same transaction. */
export async function openBareAccount(tx: Tx, account: NewAccount): Promise<UserId | null> {
  const id = newId('usr', account.idAt?.getTime())
  const inserted = await sql.insertUser(tx, {
    id,
    email: normaliseEmail(account.email),
    name: account.name ?? null,
    passwordHash: account.passwordHash ?? null,
    verifiedAt: account.verified ? tx.now : null,
  })
  return inserted ? id : null
}

/** The organisation of one that everybody can have. */
export async function openPersonalOrg(
  tx: Tx,
  userId: UserId,
  { email, name, currency = 'NGN' }: Pick<NewAccount, 'email' | 'name' | 'currency'>,
): Promise<OrgId> {
  const id = newId('org')
  await sql.insertOrg(tx, {
    id,
    name: (name || normaliseEmail(email)).slice(0, ORG_NAME_MAX),
    type: 'individual',
    tier: 'individual',
    currency,
    seatAllotment: 1,
  })
  await sql.insertMembership(tx, id, userId, 'owner')
  return id
}

/**
 * Who was brought into a team before they came by themselves gets an organisation of their own, and lands there: what
 * they do first must not happen in the team of somebody they may not know. Under the lock of the account.
 */
export async function ensureOwnOrg(tx: Tx, user: Pick<sql.User, 'id' | 'email' | 'name'>): Promise<void> {
  const own = (await personalOrg(tx, user.id)) ?? (await openPersonalOrg(tx, user.id, user))
  await setActiveOrg(tx, user.id, own)
}

/**
 * An account that nobody has confirmed takes over what a newer registration says of it. Who was brought into a team
 * before has no organisation of their own yet, and gets it now: the currency belongs to that. Under the lock of the account.
 */
export async function renewRegistration(tx: Tx, id: UserId, said: Renewal): Promise<void> {
  if (await renewAccount(tx, id, said)) return
  await openPersonalOrg(tx, id, { email: said.orgName, name: said.orgName, currency: said.currency })
}
