// The cookie a browser carries: sealed, so that it tells nothing and cannot be made by anyone else.
import type { Duration } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import { SealBroken, type Secrets } from '../platform/secrets.ts'

export const SESSION_COOKIE = 'service_session'
export const SESSION_IDLE: Duration = { days: 7 }
export const SESSION_LONGEST: Duration = { days: 30 }
const CONTEXT = 'session cookie'

export function sessionCookie(
  config: Config,
  secrets: Secrets,
  session: { id: string; token: string },
): string {
  return `${SESSION_COOKIE}=${secrets.seal(`${session.id} ${session.token}`, CONTEXT)}; ${attributes(config)}; Max-Age=${30 * 86_400}`
}

export const clearedCookie = (config: Config): string =>
  `${SESSION_COOKIE}=; ${attributes(config)}; Max-Age=0`

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

const attributes = (config: Config): string =>
  `Path=/; HttpOnly; SameSite=Lax${config.baseUrl.startsWith('https:') ? '; Secure' : ''}`
