// Response headers: the defaults of every response, and the head of one response while it is built.
import {
  type IncomingHttpHeaders,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'
import { NO_HEADERS, type StandingHeaders, writeResponse } from './write-response.ts'

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

// A 304 has no length: a length of 0 would replace that of the cached copy. A 204 must not have one.
const BODILESS: ReadonlySet<number> = new Set([204, 304])

export function defaultHeaders(config: Config): Record<string, string> {
  return {
    'x-service-version': `${config.version}+${config.commit}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': API_POLICY,
    'cache-control': 'no-store',
    ...(config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
      : {}),
  }
}

/** Omitted from minimal replies: headers for browsers, the state of limits, ids for support. */
const NOT_MINIMAL = new Set([
  'x-service-version',
  'x-content-type-options',
  'x-request-id',
  'referrer-policy',
  'cross-origin-resource-policy',
  'content-security-policy',
  'strict-transport-security',
  'cache-control',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'vary',
])

/**
 * `Prefer: return=minimal` of a program. A browser never sends a bearer token when it opens a page, an image or a script, so that
 * no browser sees a reply without its headers.
 */
export const prefersMinimal = ({ prefer, authorization }: IncomingHttpHeaders): boolean =>
  prefer !== undefined &&
  /^bearer /i.test(authorization ?? '') &&
  /(?:^|[,;])\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(String(prefer))

/**
 * The head of one response, in the format that Node writes fastest: name, value, name, value. Described routes write
 * it themselves. The framework sends files and errors, and `copyTo` adds the same headers to its reply.
 */
export class ResponseHead {
  /** The headers of every response, until one of them is replaced. */
  #standing: StandingHeaders
  readonly #lines: string[]
  readonly #isMinimal: boolean
  /** A handler may set headers that Node interprets. */
  #hasOwn = false

  /** A minimal head applies to successful replies. An error has all headers. */
  constructor(standing: StandingHeaders, requestId: string, isMinimal = false) {
    this.#standing = standing
    this.#lines = ['x-request-id', requestId]
    this.#isMinimal = isMinimal
  }

  /** Adds a header whose name is not set yet. */
  add(name: string, value: string): void {
    this.#lines.push(name, value)
  }

  /** Replaces an earlier value, except for cookies. The name must be lower case. */
  set(name: string, value: string): void {
    if (hasName(this.#standing.lines, name)) this.#mergeStanding()
    const lines = this.#lines
    let at = 0
    while (at < lines.length && (lines[at] !== name || name === 'set-cookie')) at += 2
    lines[at] = name
    lines[at + 1] = value
  }

  /** Names a request header that decides about this response, in addition to those named before. */
  vary(name: string): void {
    const lines = this.#lines
    let at = 0
    while (at < lines.length && lines[at] !== 'vary') at += 2
    const named = lines[at + 1]
    lines[at] = 'vary'
    lines[at + 1] = named === undefined ? name : named.includes(name) ? named : `${named}, ${name}`
  }

  has(name: string): boolean {
    return hasName(this.#lines, name) || hasName(this.#standing.lines, name)
  }

  /** For values from a handler: an invalid header fails here, not while the response is written. */
  setChecked(name: string, value: string): void {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    this.#hasOwn = true
    this.set(name.toLowerCase(), value)
  }

  /** Adds the headers that a reply of the framework does not have yet. */
  copyTo(reply: FastifyReply): void {
    const cookies: string[] = []
    const lines = this.#mergeStanding()
    for (let at = 0; at < lines.length; at += 2) {
      const [name = '', value = ''] = [lines[at], lines[at + 1]]
      if (name === 'set-cookie') cookies.push(value)
      else if (!reply.hasHeader(name)) reply.header(name, value)
    }
    if (cookies.length > 0) reply.removeHeader('set-cookie').header('set-cookie', cookies)
  }

  /** Adds the headers of a stream that is about to open. */
  copyToStream(reply: FastifyReply): void {
    if (this.#isMinimal) this.#minimise(reply.raw)
    this.copyTo(reply)
  }

  /** HTTP/1.1 keeps the connection without saying so. */
  #minimise(raw: ServerResponse): void {
    const lines = this.#mergeStanding()
    const kept = lines.flatMap((name, i) =>
      i % 2 === 1 || NOT_MINIMAL.has(name) ? [] : [name, lines[i + 1] ?? ''],
    )
    lines.splice(0, lines.length, ...kept)
    raw.sendDate = false
    if (raw.shouldKeepAlive) raw.removeHeader('connection')
  }

  /** Sends a complete response. */
  write(
    raw: ServerResponse,
    status: number,
    contentType: string,
    body: string | Uint8Array,
    encoding: string | null = null,
  ): void {
    if (encoding) this.add('content-encoding', encoding)
    if (BODILESS.has(status)) {
      raw.writeHead(status, this.#mergeStanding()).end(body)
      return
    }
    this.set('content-type', contentType)
    if (!this.#hasOwn && !this.#isMinimal) {
      writeResponse(raw, status, this.#standing, this.#lines, body)
      return
    }
    this.add('content-length', String(Buffer.byteLength(body)))
    if (this.#isMinimal && status < 300) this.#minimise(raw)
    raw.writeHead(status, this.#mergeStanding()).end(body)
  }

  /** Sends only the head. The body follows in chunks, so its length is unknown. */
  begin(raw: ServerResponse, status: number, contentType: string): void {
    this.set('content-type', contentType)
    raw.writeHead(status, this.#mergeStanding())
  }

  /** All headers in one list. */
  #mergeStanding(): string[] {
    this.#lines.unshift(...this.#standing.lines)
    this.#standing = NO_HEADERS
    return this.#lines
  }
}

/** Looks only at the names. */
function hasName(lines: readonly string[], name: string): boolean {
  for (let at = 0; at < lines.length; at += 2) if (lines[at] === name) return true
  return false
}

/** Headers of HTML pages: a strict content security policy for this origin, with the exceptions of the page. */
export function pageHeaders(
  exceptions: {
    script?: string
    style?: string
    img?: string
    font?: string
    connect?: string
    worker?: string
  } = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self'${exceptions.script ? ` ${exceptions.script}` : ''}`,
    `style-src 'self'${exceptions.style ? ` ${exceptions.style}` : ''}`,
    `img-src 'self' data:${exceptions.img ? ` ${exceptions.img}` : ''}`,
    `font-src 'self'${exceptions.font ? ` ${exceptions.font}` : ''}`,
    `connect-src 'self'${exceptions.connect ? ` ${exceptions.connect}` : ''}`,
    ...(exceptions.worker ? [`worker-src ${exceptions.worker}`] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  }
}

/** A valid request id of the client is kept, so that its calls can be found in our log. */
export const isValidRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value)
