// The cookie a browser carries: sealed, so that it tells nothing and cannot be made by anyone else.
import type { Duration } from '../../kernel/clock.ts'
import type { Config } from '../../platform/config.ts'
import { SealBroken, type Secrets } from '../../platform/secrets.ts'

export const SESSION_COOKIE = 'service_session'
export const SESSION_IDLE: Duration = { days: 7 }
export const SESSION_LIFETIME: Duration = { days: 30 }
const HINT_COOKIE = 'service_signed_in'
const CONTEXT = 'session cookie'
const LIFE_SECONDS = 30 * 86_400

/** The session, and beside it a mark without any meaning to us that lets the app know whether to ask who it is. */
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

/** What a cookie says, or null when we did not make it. */
export function openSessionCookie(secrets: Secrets, sealed: string): { id: string; token: string } | null {
  try {
    const [id = '', token = ''] = secrets.open(sealed, CONTEXT).split(' ')
    return { id, token }
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

const attributes = (config: Config, httpOnly = ''): string =>
  `Path=/${httpOnly}; SameSite=Lax${config.baseUrl.startsWith('https:') ? '; Secure' : ''}`
