// The cookie by which we know a browser again. It proves nothing about a person: it spares known browsers the mail
// about a new one, keeps them working while strangers guess passwords, and ties mailed links to who asked for them.
import { hash, randomBytes } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import type { RequestInfo } from '../../platform/http/route.ts'

const DEVICE_COOKIE = 'service_device'
const FORM = /^[\w-]{43}$/
const LIFE_SECONDS = 400 * 86_400

/** The hash of the browser's cookie, or null when it has none. */
export function readDeviceCookie(request: RequestInfo): Buffer | null {
  const value = request.cookie(DEVICE_COOKIE)
  return value && FORM.test(value) ? hash('sha256', value, 'buffer') : null
}

export type Device = { hash: Buffer; cookie: string | null }

/** The browser by its cookie; who has none is to be given the one that comes along. */
export function identifyDevice(config: Config, request: RequestInfo): Device {
  const known = readDeviceCookie(request)
  if (known) return { hash: known, cookie: null }
  const value = randomBytes(32).toString('base64url')
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return {
    hash: hash('sha256', value, 'buffer'),
    cookie: `${DEVICE_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${LIFE_SECONDS}`,
  }
}
