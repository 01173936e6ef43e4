// The session cookie: sealed, so that it reveals nothing and cannot be forged.
import { hash } from 'node:crypto'
import type { Duration } from '../../kernel/clock.ts'
import type { Config } from '../../platform/config.ts'
import { type Secrets, UnsealError } from '../../platform/secrets.ts'

export const SESSION_COOKIE = 'service_session'
export const SESSION_IDLE: Duration = { days: 7 }
export const SESSION_LIFETIME: Duration = { days: 30 }
const HINT_COOKIE = 'service_signed_in'
const CONTEXT = 'session cookie'
const LIFE_SECONDS = 30 * 86_400

/**
 * The session cookie, and a readable hint that tells the web app whether to request /me. The server ignores
 * the hint.
 */
export const sessionCookies = (
  config: Config,
  secrets: Secrets,
  session: { id: string; token: string },
): string[] => cookiesOf(config, secrets.seal(`${session.id} ${session.token}`, CONTEXT))

/** The cookies of the same session, if its cookie was sealed before a rotation of the service secret. */
export function resealedCookies(config: Config, secrets: Secrets, sealed: string | undefined): string[] {
  const isOlder = sealed && !sealed.startsWith(secrets.keyId) && openSessionCookie(secrets, sealed)
  return isOlder ? cookiesOf(config, secrets.reseal(sealed, CONTEXT)) : []
}

const cookiesOf = (config: Config, sealed: string): string[] => [
  `${SESSION_COOKIE}=${sealed}; ${attributes(config, '; HttpOnly')}; Max-Age=${LIFE_SECONDS}`,
  `${HINT_COOKIE}=1; ${attributes(config)}; Max-Age=${LIFE_SECONDS}`,
]

export const clearingCookies = (config: Config): string[] => [
  `${SESSION_COOKIE}=; ${attributes(config, '; HttpOnly')}; Max-Age=0`,
  `${HINT_COOKIE}=; ${attributes(config)}; Max-Age=0`,
]

/** The content of a cookie: a session, and the hash of its token. */
export type PresentedSession = { readonly id: string; readonly tokenHash: Buffer }

/** Cookies that this process has opened. Only valid ones are kept; whether their sessions are open is not known here. */
const opened = new WeakMap<Secrets, Map<string, PresentedSession>>()
const OPENED_MAX = 5_000

/** The content of a cookie; null when its seal is invalid. */
export function openSessionCookie(secrets: Secrets, sealed: string): PresentedSession | null {
  const known = opened.get(secrets) ?? new Map<string, PresentedSession>()
  opened.set(secrets, known)
  const found = known.get(sealed)
  if (found) return found
  const presented = unseal(secrets, sealed)
  if (!presented) return null
  // A full map is cleared: cheaper than tracking the order of use.
  if (known.size >= OPENED_MAX) known.clear()
  // Copied, because a slice would keep all cookies of its request in memory.
  known.set(Buffer.from(sealed, 'latin1').toString('latin1'), presented)
  return presented
}

function unseal(secrets: Secrets, sealed: string): PresentedSession | null {
  try {
    const [id = '', token = ''] = secrets.open(sealed, CONTEXT).split(' ')
    return { id, tokenHash: hash('sha256', token, 'buffer') }
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

const attributes = (config: Config, httpOnly = ''): string =>
  `Path=/${httpOnly}; SameSite=Lax${config.baseUrl.startsWith('https:') ? '; Secure' : ''}`
