// The HTTP calls of a probe: a client with one deadline for all of them, and the name of the fault that ended the last one.
import type { App } from '../../platform/app.ts'
import { EgressError, type EgressRules, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import { type HttpClient, httpClientWith, NoResponse } from '../rails/http-client.ts'

/** The outside world of the doctor. */
export type Network = {
  readonly fetch: typeof fetchExternal
  /** For calls to providers. */
  readonly rules: EgressRules
  /** The deadline of one probe, whatever the number of its calls. */
  readonly probeMs: number
}

export const PROBE_MS = 10_000

export const networkOf = (app: App): Network => ({
  fetch: fetchExternal,
  rules: egressRules(app),
  probeMs: PROBE_MS,
})

/** A call that got a response, or the reason why there is none. */
export type Exchange = { readonly host: string } & (
  | {
      readonly status: number
      readonly isHtml: boolean
      /** The host that a redirect names; null where the response has no location. */
      readonly location: string | null
      readonly version: string | null
      /** The time of the provider minus ours; null where the response has no date. */
      readonly skewMs: number | null
    }
  | { readonly failure: NoResponse }
)

/** A client that adds each call to `exchanges`. */
export function watchedClient(
  app: App,
  { fetch, rules, probeMs }: Network,
  exchanges: Exchange[],
): HttpClient {
  let host = ''
  const client = httpClientWith(
    app.clock,
    { ...rules, timeoutMs: probeMs },
    {
      fetch,
      signal: AbortSignal.timeout(probeMs),
      observe: ({ status, headers }) => {
        const date = Date.parse(headers.get('date') ?? '')
        exchanges.push({
          host,
          status,
          isHtml: /^text\/html\b/i.test(headers.get('content-type') ?? ''),
          location: hostIn(headers.get('location')),
          version: headers.get('x-service-version'),
          skewMs: Number.isNaN(date) ? null : date - app.clock.now().getTime(),
        })
      },
    },
  )
  return {
    clock: client.clock,
    async call(address, request) {
      host = new URL(address).host
      try {
        return await client.call(address, request)
      } catch (error) {
        if (error instanceof NoResponse) exchanges.push({ host, failure: error })
        throw error
      }
    },
  }
}

const hostIn = (location: string | null): string | null =>
  location !== null && URL.canParse(location) ? new URL(location).host : null

export type FaultKind =
  | 'unresolved'
  | 'not_public'
  | 'timeout'
  | 'certificate'
  | 'broken'
  | 'redirect'
  | 'busy'
  | 'error'
  | 'html'
export type Fault = { readonly kind: FaultKind; readonly what: string }

/** The fault of a call that reached no API. Null for any response that an API can send. */
export function faultOf(exchange: Exchange | undefined): Fault | null {
  if (!exchange) return null
  const { host } = exchange
  if ('failure' in exchange) return faultOfFailure(host, exchange.failure)
  const { status, isHtml, location } = exchange
  if (status >= 300 && status < 400)
    return { kind: 'redirect', what: `${host} redirects to ${location ?? 'another path'}.` }
  if (status === 429) return { kind: 'busy', what: `${host} answered with status 429: too many requests.` }
  // An outage often has an HTML page.
  if (status >= 500) return { kind: 'error', what: `${host} answered with status ${status}.` }
  if (isHtml) return { kind: 'html', what: `${host} answered with an HTML page, status ${status}.` }
  return null
}

function faultOfFailure(host: string, { cause }: NoResponse): Fault {
  if (cause instanceof EgressError && cause.kind === 'refused' && !cause.sent)
    return { kind: 'not_public', what: `${host} is not an address on the public internet.` }
  const { code = '', name = '' } = codeIn(cause)
  if (/ENOTFOUND|EAI_/.test(code)) return { kind: 'unresolved', what: `The name ${host} does not resolve.` }
  if (/ABORT|TIMEDOUT/.test(code) || /Abort|Timeout/.test(name))
    return { kind: 'timeout', what: `${host} did not answer in time.` }
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return { kind: 'certificate', what: `The certificate of ${host} is not valid (${code}).` }
  return { kind: 'broken', what: `${host} refused or broke the connection${code ? ` (${code})` : ''}.` }
}

/** The code of the original error of the socket. */
function codeIn(error: unknown): { code?: string; name?: string } {
  const inner = error instanceof EgressError && error.cause !== undefined ? error.cause : error
  if (!(inner instanceof Error)) return {}
  const { code } = inner as NodeJS.ErrnoException
  return { name: inner.name, ...(typeof code === 'string' && { code }) }
}
