// Accounts and sessions: what the rest of the server may do with identity.
import { createHash, randomBytes } from 'node:crypto'
import { record } from '../audit/audit.ts'
import { assert } from '../kernel/assert.ts'
import { after } from '../kernel/clock.ts'
import { newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { clearedCookie, SESSION_LONGEST, sessionCookie } from './session-cookie.ts'
import * as sql from './sql.ts'

export { gate } from './principal.ts'

export type Account = { userId: UserId; orgId: OrgId }

/** One address, one account: lower case and in Unicode's compatibility form. */
export const normaliseEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase()

/** Opens an account with a personal organisation that it owns; null when the address has one already. */
export async function openAccount(
  tx: Tx,
  account: { email: string; verified: boolean; currency?: Currency },
): Promise<Account | null> {
  const userId = newId('usr')
  const email = normaliseEmail(account.email)
  if (!(await sql.insertUser(tx, { id: userId, email, verifiedAt: account.verified ? tx.now : null })))
    return null
  const orgId = newId('org')
  await sql.insertOrg(tx, {
    id: orgId,
    name: email,
    type: 'individual',
    tier: 'individual',
    currency: account.currency ?? 'NGN',
  })
  await sql.insertMembership(tx, orgId, userId, 'owner')
  return { userId, orgId }
}

/** Signs a person in by address alone. Exists for development; its route is not found elsewhere. */
export async function devLogin(app: App, email: string, request: RequestInfo): Promise<Account> {
  const { account, token, id } = await app.db.tx('platform', async (tx) => {
    const account = (await openAccount(tx, { email, verified: true })) ?? (await existingAccount(tx, email))
    const session = await openSession(tx, account, request)
    await record(tx, {
      orgId: account.orgId,
      actor: { kind: 'user', userId: account.userId, email: normaliseEmail(email) },
      ip: request.address,
      action: 'auth.devLogin',
      target: session.id,
    })
    return { account, ...session }
  })
  request.setCookie(sessionCookie(app.config, app.secrets, { id, token }))
  return account
}

/** Ends the caller's session everywhere at once. */
export async function logout(app: App, actor: Actor, request: RequestInfo): Promise<void> {
  const { sessionId } = actor
  if (sessionId) {
    await app.db.tx('platform', async (tx) => {
      await sql.revokeSession(tx, sessionId)
      await record(tx, {
        orgId: actor.orgId,
        actor,
        ip: request.address,
        action: 'auth.logout',
        target: sessionId,
      })
    })
  }
  request.setCookie(clearedCookie(app.config))
  // Answers to signed-in callers are never cached, so the assets may stay: they are dear on a slow network.
  request.setHeader('clear-site-data', '"storage"')
}

/** A session row and the token that opens it; the token is not kept. */
async function openSession(tx: Tx, { userId, orgId }: Account, request: RequestInfo) {
  const id = newId('ses')
  const token = randomBytes(32).toString('base64url')
  await sql.insertSession(tx, {
    id,
    tokenHash: createHash('sha256').update(token).digest(),
    userId,
    orgId,
    ip: request.address,
    userAgent: request.userAgent,
    expiresAt: after(tx.now, SESSION_LONGEST),
  })
  return { id, token }
}

async function existingAccount(tx: Tx, email: string): Promise<Account> {
  const user = await sql.userByEmail(tx, normaliseEmail(email))
  assert(user, 'an address that cannot be inserted has an account')
  return { userId: user.id, orgId: await sql.firstOrgOf(tx, user.id) }
}
