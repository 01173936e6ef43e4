// HTTP client of all rails: calls with a timeout and a size limit.
import type { Clock } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { EgressError, type EgressRules, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import { withClientSpan } from '../../platform/log/trace-context.ts'

export type HttpClient = {
  readonly clock: Clock
  /** Throws `NoResponse` when no complete response arrived in time. Any status is a response. */
  call(address: string, request: HttpRequest): Promise<HttpResponse>
}

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent byte for byte: serialise once and sign the same text. */
  readonly body?: string
}

export type HttpResponse = {
  readonly status: number
  readonly text: string
  /** Parsed with JavaScript numbers; undefined when it is not JSON. */
  readonly json: unknown
}

/** `sent` is false only when the request certainly never reached the provider. */
export class NoResponse extends Error {
  readonly sent: boolean
  constructor(sent: boolean, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'NoResponse'
    this.sent = sent
  }
}

const TIMEOUT_MS = 10_000

export function createHttpClient(app: App, timeoutMs = TIMEOUT_MS): HttpClient {
  const client = httpClientWith(app.clock, { ...egressRules(app), timeoutMs })
  return { clock: client.clock, call: (address, request) => tracedCall(app, client, address, request) }
}

/** The span has the host only: paths contain references of payments. */
function tracedCall(app: App, client: HttpClient, address: string, request: HttpRequest) {
  const { method, headers } = request
  const attributes = { 'http.request.method': method, 'server.address': new URL(address).hostname }
  return withClientSpan(app.tracing, method, attributes, async ({ traceparent, set }) => {
    const traced = traceparent === undefined ? request : { ...request, headers: { ...headers, traceparent } }
    const response = await client.call(address, traced)
    set({
      'http.response.status_code': response.status,
      'error.type': response.status >= 400 ? String(response.status) : undefined,
    })
    return response
  })
}

export type HttpClientOptions = {
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Sees every response. */
  readonly observe?: (response: Response) => void
  readonly fetch?: typeof fetchExternal
}

/** For callers without an app. */
export function httpClientWith(
  clock: Clock,
  rules: EgressRules,
  { signal, observe, fetch = fetchExternal }: HttpClientOptions = {},
): HttpClient {
  return {
    clock,
    async call(address, { method, headers = {}, body }) {
      const outgoing = {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      }
      try {
        const response = await fetch(address, outgoing, rules)
        observe?.(response)
        const text = await response.text()
        return { status: response.status, text, json: parseJson(text) }
      } catch (error) {
        if (error instanceof EgressError) throw new NoResponse(error.sent, error.message, error)
        throw error
      }
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
