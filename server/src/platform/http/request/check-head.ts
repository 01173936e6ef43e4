// Checks of every request head: no ambiguous repeated headers and, outside production, no foreign host.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../../kernel/errors.ts'
import type { Config } from '../../config.ts'

const HEADERS_MAX = 100

/** A proxy and this server must see the same value of these. List headers such as Accept may repeat. */
const SINGLE = [
  'Host',
  'Authorization',
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Transfer-Encoding',
  'Idempotency-Key',
  'Origin',
  'X-Api-Key',
  'X-Goog-Api-Key',
  'X-Internal-Secret',
]

type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/** Prepares the check. It returns the error, or null. */
export function createHeadCheck(
  config: Pick<Config, 'environment' | 'baseUrl'>,
): (head: Head) => ApiError | null {
  const isServed = config.environment === 'production' ? () => true : createHostCheck(config.baseUrl)
  return ({ headers, rawHeaders, httpVersion }) => {
    const count = rawHeaders.length / 2
    if (count > HEADERS_MAX)
      return new ApiError('headers_too_large', {
        error: `The request has more than ${HEADERS_MAX} headers; send fewer.`,
      })
    // `headers` joins repeated names, so equal counts mean that no name repeats.
    const repeated = Object.keys(headers).length === count ? undefined : repeatedIn(rawHeaders)
    if (repeated)
      return new ApiError('bad_request', {
        error: `The header ${repeated} was sent more than once; send it once.`,
      })
    if (headers.host === undefined) return httpVersion === '1.0' ? null : new ApiError('bad_request')
    return isServed(headers.host) ? null : new ApiError('misdirected_request')
  }
}

function repeatedIn(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  return SINGLE.find((name) => names.indexOf(name.toLowerCase()) !== names.lastIndexOf(name.toLowerCase()))
}

/**
 * Prevents DNS rebinding: a foreign page could otherwise use the development sign-in and read the outbox. Production
 * has neither, and proxies and probes use many host names there.
 */
function createHostCheck(baseUrl: string): (host: string) => boolean {
  const own = new URL(baseUrl).hostname
  // Most requests name the same host as the previous one.
  let served: string | undefined
  return (host) => {
    if (host === served) return true
    const name = /^(\[[\da-f:.]+\]|[^:[\]]+?)\.?(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase()
    if (name === undefined || (name !== own && !LOOPBACK.test(name))) return false
    served = host
    return true
  }
}

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
