// The request as a handler sees it, independent of the framework.
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { acceptedLanguage, type Language } from '../../texts/language.ts'
import type { Admission } from '../access/guard.ts'
import type { ResponseHead } from '../reply/headers.ts'
import type { RequestInfo } from '../route.ts'

export class IncomingRequest implements RequestInfo {
  readonly id: string
  readonly address: string
  readonly headers: FastifyRequest['headers']
  readonly raw: Buffer | undefined
  readonly query: RequestInfo['query']
  readonly #response: ServerResponse
  readonly #head: ResponseHead
  #gone: AbortSignal | undefined

  constructor(
    { id, headers, body, query }: FastifyRequest,
    { address, head }: Admission,
    response: ServerResponse,
  ) {
    this.#response = response
    this.#head = head
    this.id = id
    this.address = address
    this.headers = headers
    this.raw = body instanceof Buffer ? body : undefined
    this.query = query as RequestInfo['query']
  }

  // Created on use, because handlers take these functions out of the request, and most of them never do.
  get cookie(): RequestInfo['cookie'] {
    return (name) => cookieOf(this.headers.cookie, name)
  }

  get setCookie(): RequestInfo['setCookie'] {
    return (cookie) => this.#head.setChecked('set-cookie', cookie)
  }

  get setHeader(): RequestInfo['setHeader'] {
    return (name, value) => this.#head.setChecked(name, value)
  }

  get userAgent(): string {
    return (this.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  }

  /** Read on use: most replies contain no sentence. */
  get language(): Language {
    this.#head.vary('accept-language')
    return acceptedLanguage(this.headers['accept-language'])
  }

  /** Created on first use, because most handlers never read it. */
  get gone(): AbortSignal {
    this.#gone ??= disconnectSignal(this.#response)
    return this.#gone
  }
}

// Created once: an abort without a reason creates an exception with a stack trace each time.
const DISCONNECTED = new Error('the client disconnected')

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

/** Only browsers send these headers. */
export const isBrowser = ({ headers }: RequestInfo): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/** Whether the client prefers an HTML page. */
export const wantsPage = ({ headers }: RequestInfo): boolean =>
  /\btext\/html\b/i.test(headers.accept?.toString() ?? '')

/** Whether a browser loads the page ahead of a click. */
export function isPrefetch({ headers }: RequestInfo): boolean {
  const said = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']]
  return said.some((value) => /prefetch|prerender|preview/i.test(value?.toString() ?? ''))
}
