// The device cookie recognises a browser and proves nothing about a user. Known browsers cause no new-device
// mail, have their own limit for password guesses, and open the links they requested.
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

/** Identifies the browser by its cookie. Without one, `cookie` is the new cookie to set. */
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
