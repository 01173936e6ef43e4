// Requests to addresses that customers configure. They reach only the public internet, follow no redirects, and have
// limits on time and response size.
import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { App } from '../app.ts'
import { findPortProblem, hostOf, isInternalName, isPublic } from './public-address.ts'

export type EgressRules = {
  /** Outside production, a provider may run on this machine, even without TLS. */
  readonly loopbackAllowed: boolean
  readonly timeoutMs?: number
  /** Reads only this many bytes of the response. */
  readonly truncateAfterBytes?: number
}
/** The rules for addresses of customers. */
export const egressRules = (app: App): EgressRules => ({
  loopbackAllowed: app.config.environment !== 'production',
})

export type EgressRequest = {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

const TIMEOUT_MS = 10_000
const RESOLVE_TIMEOUT_MS = 2_000
const BYTES_MAX = 1024 * 1024
const BODYLESS = new Set([204, 205, 304])
/** The headers of the response that callers get. */
const HEADERS = ['content-type', 'www-authenticate', 'retry-after', 'date', 'location', 'x-service-version']

/** `unreachable`: no response in time. `refused`: the address is not allowed, or the response is too large. */
export class EgressError extends Error {
  readonly kind: 'unreachable' | 'refused'
  /** False only when the request was certainly not received. A payment may then be retried. */
  readonly sent: boolean
  constructor(
    kind: 'unreachable' | 'refused',
    reason: string,
    { sent = true, cause }: { sent?: boolean; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.name = 'EgressError'
    this.kind = kind
    this.sent = sent
  }
}

/** The reason to reject an address, without a DNS lookup; null when it is allowed. */
export function findAddressProblem(address: string, { loopbackAllowed }: EgressRules): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https address'
  if (url.username || url.password) return 'must not contain a user name or password'
  const host = hostOf(url)
  const isLoopback = isLoopbackName(host)
  if (url.protocol === 'http:' && !(loopbackAllowed && isLoopback)) return 'must be an https address'
  if (isLoopback) return loopbackAllowed ? null : NOT_PUBLIC
  const problem = findPortProblem(url)
  if (problem) return problem
  if (isIP(host)) return isPublic(unwrapped(host)) ? null : NOT_PUBLIC
  return isInternalName(host) ? NOT_PUBLIC : null
}

/** Like `findAddressProblem`, with a DNS lookup. An unknown name is accepted, because it may be registered later. */
export async function findHostProblem(address: string, rules: EgressRules): Promise<string | null> {
  const problem = findAddressProblem(address, rules)
  if (problem) return problem
  const host = hostOf(new URL(address))
  if (isIP(host) || isLoopbackName(host)) return null
  const found = await resolveBriefly(host)
  return found.every((each) => isAllowed(each.address, rules)) ? null : NOT_PUBLIC
}

/** Sends one request and reads the whole response. The resolved address is checked during the connection. */
export async function fetchExternal(
  address: string,
  { method, headers, body, signal }: EgressRequest,
  rules: EgressRules,
): Promise<Response> {
  const problem = findAddressProblem(address, rules)
  if (problem) throw new EgressError('refused', `the address of a provider ${problem}`, { sent: false })
  const deadline = AbortSignal.timeout(rules.timeoutMs ?? TIMEOUT_MS)
  const options: RequestOptions = {
    method,
    headers,
    agent: false,
    lookup: guardedLookup(rules),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }
  const message = await sendRequest(new URL(address), options, bytesOf(body))
  const bytes = await readBody(message, rules.truncateAfterBytes)
  const status = message.statusCode ?? 0
  if (status < 200 || status > 599)
    throw new EgressError('refused', `the response has the invalid status ${status}`)
  return new Response(BODYLESS.has(status) ? null : new Uint8Array(bytes), {
    status,
    headers: Object.fromEntries(
      HEADERS.flatMap((name) => {
        const value = message.headers[name]
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    ),
  })
}

const NOT_PUBLIC = 'must be an address on the public internet'

function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
}

// A resolver may return IPv4 addresses mapped to IPv6. The inner address is checked.
const unwrapped = (ip: string): string => ipaddr.process(ip).toString()

const isAllowed = (ip: string, { loopbackAllowed }: EgressRules): boolean =>
  isPublic(unwrapped(ip)) || (loopbackAllowed && ipaddr.process(ip).range() === 'loopback')

function guardedLookup(rules: EgressRules): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first)
        return done(error ?? new EgressError('unreachable', 'the name has no address', { sent: false }), '')
      // One private address rejects the name, because the client may connect to any of them.
      if (!found.every(({ address }) => isAllowed(address, rules)))
        return done(
          new EgressError('refused', `${host} resolves to an address that is not public`, { sent: false }),
          '',
        )
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
}

function resolveBriefly(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), RESOLVE_TIMEOUT_MS)
    lookup(host, { all: true }, (error, found) => {
      clearTimeout(timer)
      resolve(error ? [] : found)
    })
  })
}

function sendRequest(url: URL, options: RequestOptions, body: Buffer | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const call = send(url, options, resolve)
    // No byte of the request is sent before the connection, including TLS, is established.
    let connected = false
    call.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      })
    })
    call.on('error', (error) => reject(toEgressError(error, connected)))
    // Without a listener, a protocol upgrade ends in neither a response nor an error.
    call.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new EgressError('refused', 'the response switched protocols'))
    })
    call.end(body ?? undefined)
  })
}

async function readBody(message: IncomingMessage, beginningBytes: number | undefined): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of message as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > BYTES_MAX) throw new EgressError('refused', `the response has more than ${BYTES_MAX} bytes`)
      parts.push(part)
      if (beginningBytes !== undefined && bytes >= beginningBytes) break
    }
  } catch (error) {
    message.destroy()
    throw toEgressError(error, true)
  }
  return Buffer.concat(parts).subarray(0, beginningBytes)
}

const toEgressError = (error: unknown, sent: boolean): EgressError =>
  error instanceof EgressError
    ? error
    : new EgressError('unreachable', error instanceof Error ? error.message : String(error), {
        sent,
        cause: error,
      })

function bytesOf(body: unknown): Buffer | null {
  if (body === undefined || body === null) return null
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(String(body))
}
