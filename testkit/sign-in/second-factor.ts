// Users with a second factor, and their authenticator app.

import { userByEmail } from '@cowrie/server/src/identity/identity.ts'
import { newId, type OrgId, type UserId } from '@cowrie/server/src/kernel/ids.ts'
import { createChallenge } from '@cowrie/server/src/sign-in/second-factor/challenge.ts'
import type { FirstFactor } from '@cowrie/server/src/sign-in/second-factor/challenge-sql.ts'
import { Secret, TOTP } from 'otpauth'
import type { TestServer, Visitor } from '../harness/harness.ts'

export type SignedInUser = { userId: UserId; orgId: OrgId; email: string; browser: Visitor }
export type MfaUser = SignedInUser & { secret: string; recoveryCodes: string[] }

/** Creates a user with a session. */
export async function signInNewUser(
  server: TestServer,
  email = `${newId('usr')}@example.com`,
): Promise<SignedInUser> {
  const browser = server.visitor()
  const { body } = await browser.call<{ userId: UserId; orgId: OrgId }>('POST', '/auth/dev-login', {
    body: { email },
  })
  return { userId: body.userId, orgId: body.orgId, email, browser }
}

/** Creates a user with two-step sign-in. */
export async function createMfaUser(server: TestServer, email?: string): Promise<MfaUser> {
  const person = await signInNewUser(server, email)
  const { body } = await person.browser.call<{ secret: string }>('POST', '/auth/mfa/enroll')
  const verified = await person.browser.call<{ recoveryCodes: string[] }>('POST', '/auth/mfa/verify', {
    body: { code: codeOf(server, body.secret) },
  })
  return { ...person, secret: body.secret, recoveryCodes: verified.body.recoveryCodes }
}

/** The current code of the app, or the one some seconds ago. */
export const codeOf = (server: TestServer, secret: string, secondsAgo = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: server.clock.now().getTime() - secondsAgo * 1_000,
  })

/** A code that is wrong for all steps near now. */
export function wrongCode(server: TestServer, secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((secondsAgo) => codeOf(server, secret, secondsAgo))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  )
}

/** Creates a challenge as a correct first factor does. */
export async function challengeFor(
  server: TestServer,
  { email }: { email: string },
  first: FirstFactor = 'password',
): Promise<string> {
  const created = await server.app.db.tx('platform', async (tx) => {
    const user = await userByEmail(tx, email)
    if (!user) throw new Error(`${email} has no account`)
    return createChallenge(tx, user, first)
  })
  return created.challenge
}

export async function mailsTo(server: TestServer, email: string): Promise<string[]> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string }[] }>('GET', '/dev/outbox', {
    query: { to: email },
  })
  return body.mails.map(({ subject }) => subject)
}

export const actionsOf = async (server: TestServer, person: { orgId: OrgId }): Promise<string[]> => {
  const rows = await server.sql.rows<{ action: string }>`
    select action from audit_entries where org_id = ${person.orgId} order by seq`
  return rows.map(({ action }) => action)
}
