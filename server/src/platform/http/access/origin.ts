// Whether a browser sends this call for a page of ours. Programs send neither header and are not affected.
import { ApiError } from '../../../kernel/errors.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * Refuses unsafe calls that a browser makes on behalf of another website. Fetch metadata decides where the
 * browser sends it; older browsers are judged by Origin, which must be our public origin or the host addressed.
 */
export function refuseOtherOrigins(headers: Headers, baseUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new ApiError('cross_origin')
    return
  }
  const { origin, host } = headers
  if (origin === undefined || origin === baseUrl) return
  if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).host !== host)
    throw new ApiError('cross_origin')
}
