// A request without the framework: what a handler may know about it, and say about its answer.
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Admission } from '../access/guard.ts'
import type { RequestInfo } from '../route.ts'

/** A request as its handler sees it. */
export class IncomingRequest implements RequestInfo {
  readonly id: string
  readonly address: string
  readonly headers: FastifyRequest['headers']
  readonly raw: Buffer | undefined
  readonly cookie: RequestInfo['cookie']
  readonly setCookie: RequestInfo['setCookie']
  readonly setHeader: RequestInfo['setHeader']
  readonly #response: ServerResponse
  #gone: AbortSignal | undefined

  constructor({ id, headers, body }: FastifyRequest, { address, head }: Admission, response: ServerResponse) {
    this.#response = response
    this.id = id
    this.address = address
    this.headers = headers
    this.raw = body instanceof Buffer ? body : undefined
    this.cookie = (name) => cookieOf(headers.cookie, name)
    this.setCookie = (cookie) => head.setChecked('set-cookie', cookie)
    this.setHeader = (name, value) => head.setChecked(name, value)
  }

  get userAgent(): string {
    return (this.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  }

  /** Made when it is asked for: most handlers never do. */
  get gone(): AbortSignal {
    this.#gone ??= disconnectSignal(this.#response)
    return this.#gone
  }
}

// Made once: an abort without a reason would make an exception of its own, stack and all, each time.
const DISCONNECTED = new Error('the client has gone')

export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort(DISCONNECTED)
  else
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(DISCONNECTED)
    })
  return gone.signal
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return undefined
}

// The functions below read client-supplied headers. They decide how to respond, never whom to trust.

/** Whether a browser makes this call, rather than a program: only browsers say where a call comes from. */
export const isBrowser = ({ headers }: RequestInfo): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/** Whether a person looks at the answer. */
export const wantsPage = ({ headers }: RequestInfo): boolean =>
  /\btext\/html\b/i.test(headers.accept?.toString() ?? '')

/** Browsers say when nobody has decided to go there yet. */
export function isPrefetch({ headers }: RequestInfo): boolean {
  const said = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']]
  return said.some((value) => /prefetch|prerender|preview/i.test(value?.toString() ?? ''))
}
