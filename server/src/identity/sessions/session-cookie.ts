// The session cookie: sealed, so that it reveals nothing and cannot be forged.
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
export function sessionCookies(
  config: Config,
  secrets: Secrets,
  session: { id: string; token: string },
): string[] {
  const sealed = secrets.seal(`${session.id} ${session.token}`, CONTEXT)
  return [
    `${SESSION_COOKIE}=${sealed}; ${attributes(config, '; HttpOnly')}; Max-Age=${LIFE_SECONDS}`,
    `${HINT_COOKIE}=1; ${attributes(config)}; Max-Age=${LIFE_SECONDS}`,
  ]
}

export const clearingCookies = (config: Config): string[] => [
  `${SESSION_COOKIE}=; ${attributes(config, '; HttpOnly')}; Max-Age=0`,
  `${HINT_COOKIE}=; ${attributes(config)}; Max-Age=0`,
]

/** The content of a cookie; null when its seal is invalid. */
export function openSessionCookie(secrets: Secrets, sealed: string): { id: string; token: string } | null {
  try {
    const [id = '', token = ''] = secrets.open(sealed, CONTEXT).split(' ')
    return { id, token }
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

const attributes = (config: Config, httpOnly = ''): string =>
  `Path=/${httpOnly}; SameSite=Lax${config.baseUrl.startsWith('https:') ? '; Secure' : ''}`
