// Users with passwords, their mails, and browsers that open them.
import { randomBytes } from 'node:crypto'
import { openAccount } from '@cowrie/server/src/identity/identity.ts'
import { newId, type OrgId, type UserId } from '@cowrie/server/src/kernel/ids.ts'
import { hashPassword } from '@cowrie/server/src/sign-in/password/passwords.ts'
import type { Reply, TestRequest, TestServer, Visitor } from '../harness/harness.ts'

export const PASSWORD = 'three pelicans in April'
export const OTHER_PASSWORD = 'seven herons in October'

/** Headers of a browser for a call by our page, and for a followed link. */
export const FROM_PAGE = { origin: 'http://cowrie.test', 'sec-fetch-site': 'same-origin' }
export const NAVIGATING = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-site': 'cross-site',
}

export type DeliveredMail = { subject: string; text: string; html: string }
export type PasswordUser = { userId: UserId; orgId: OrgId; email: string }

/** Creates a registered and confirmed account. */
export async function createPasswordUser(
  server: TestServer,
  { email = `${newId('usr')}@example.com`, password = PASSWORD as string | null, verified = true } = {},
): Promise<PasswordUser> {
  const passwordHash = password === null ? null : await hashOnce(server, password)
  const account = await server.app.db.tx('platform', (tx) =>
    openAccount(tx, { email, verified, passwordHash }),
  )
  if (!account) throw new Error(`${email} has an account already`)
  return { ...account, email }
}

/** Most test users share a password, so it is hashed once. */
const hashes = new Map<string, Promise<string>>()
function hashOnce({ app }: TestServer, password: string): Promise<string> {
  const key = `${app.config.environment} ${password}`
  const hash = hashes.get(key) ?? hashPassword(app, password)
  hashes.set(key, hash)
  return hash
}

export const newAddress = (): string => `${randomBytes(8).toString('hex')}@example.com`

/** Newest first. */
export async function mailsTo(server: TestServer, email: string): Promise<DeliveredMail[]> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: DeliveredMail[] }>('GET', '/dev/outbox', {
    query: { to: email },
  })
  return body.mails
}

/** The token in the newest mail that contains one. */
export async function tokenTo(server: TestServer, email: string): Promise<string> {
  const mails = await mailsTo(server, email)
  const tokens = mails.flatMap(({ text }) => /token=([\w-]{43})\b/.exec(text)?.[1] ?? [])
  if (!tokens[0]) throw new Error(`no mail to ${email} has a token`)
  return tokens[0]
}

type TestCaller = { call: (method: string, path: string, ask?: TestRequest) => Promise<Reply> }

export const register = (
  caller: TestCaller,
  email: string,
  password = PASSWORD,
  ask: TestRequest & { body?: object } = {},
) => caller.call('POST', '/auth/register', { ...ask, body: { email, password, ...ask.body } })
export const login = (
  caller: TestCaller,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
) => caller.call('POST', '/auth/login', { body: { email, password }, headers })
export const me = (visitor: Visitor) => visitor.call('GET', '/me')

/** A reply without the parts that always differ. */
export function comparable({ status, text, headers }: Reply): unknown {
  const { 'x-request-id': id = '', ...others } = headers
  const compared = Object.entries(others)
    .filter(([name]) => !/^(date|ratelimit-)/.test(name))
    .map(([name, value]) => [name, String(value).replace(/service_device=[\w-]+/, 'service_device=…')])
  return { status, text: text.replace(id, ''), headers: compared }
}

/** Trusts a proxy, so that a call can come from any address. */
export const PROXIED = { TRUST_PROXY: '1' }
export const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
