// Calls to addresses that somebody typed into a form. They reach the public internet and nothing of our own network,
// follow no redirects, end in time and never bring more than we asked for.
import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { App } from '../app.ts'
import { findPortProblem, hostOf, isInternalName, isPublic } from './public-address.ts'

export type EgressRules = {
  /** Outside production a provider may live on this machine, even without TLS. */
  readonly loopbackAllowed: boolean
  readonly timeoutMs?: number
  /** Only the beginning of the answer matters: it is read so far, and the rest is left. */
  readonly truncateAfterBytes?: number
}
/** Where those that customers name may live. */
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

/** `unreachable`: nobody answered in time. `refused`: we do not go there, or what came was too much. */
export class EgressError extends Error {
  readonly kind: 'unreachable' | 'refused'
  /** False only when the other side certainly never saw the request: who moved money by it may then try again. */
  readonly sent: boolean
  constructor(
    kind: 'unreachable' | 'refused',
    reason: string,
    { sent = true, cause }: { sent?: boolean; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.name = 'EgressFailed'
    this.kind = kind
    this.sent = sent
  }
}

/** Why an address cannot be a provider's, as far as it can be told without a call; null when it can. */
export function findAddressProblem(address: string, { loopbackAllowed }: EgressRules): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https address'
  if (url.username || url.password) return 'must not carry a user name or password'
  const host = hostOf(url)
  const isLoopback = isLoopbackName(host)
  if (url.protocol === 'http:' && !(loopbackAllowed && isLoopback)) return 'must be an https address'
  if (isLoopback) return loopbackAllowed ? null : NOT_PUBLIC
  const problem = findPortProblem(url)
  if (problem) return problem
  if (isIP(host)) return isPublic(unwrapped(host)) ? null : NOT_PUBLIC
  return isInternalName(host) ? NOT_PUBLIC : null
}

/** As `addressProblem`, and what the name stands for right now. A name that nobody knows yet may come to be known. */
export async function findHostProblem(address: string, rules: EgressRules): Promise<string | null> {
  const problem = findAddressProblem(address, rules)
  if (problem) return problem
  const host = hostOf(new URL(address))
  if (isIP(host) || isLoopbackName(host)) return null
  const found = await resolveBriefly(host)
  return found.every((each) => isAllowed(each.address, rules)) ? null : NOT_PUBLIC
}

/** One call, with the answer whole. Where the name leads is looked at in the moment of connecting, not before. */
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
  if (status < 200 || status > 599) throw new EgressError('refused', `an answer with status ${status}`)
  const type = message.headers['content-type']
  const challenge = message.headers['www-authenticate']
  return new Response(BODYLESS.has(status) ? null : new Uint8Array(bytes), {
    status,
    headers: { ...(type && { 'content-type': type }), ...(challenge && { 'www-authenticate': challenge }) },
  })
}

const NOT_PUBLIC = 'must be an address on the public internet'

function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
}

// A resolver may hand out IPv4 as IPv6 carries it; it is judged by what is inside.
const unwrapped = (ip: string): string => ipaddr.process(ip).toString()

const isAllowed = (ip: string, { loopbackAllowed }: EgressRules): boolean =>
  isPublic(unwrapped(ip)) || (loopbackAllowed && ipaddr.process(ip).range() === 'loopback')

function guardedLookup(rules: EgressRules): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first)
        return done(error ?? new EgressError('unreachable', 'a name without an address', { sent: false }), '')
      // One bad address spoils them all: which of them is tried is not ours to choose.
      if (!found.every(({ address }) => isAllowed(address, rules)))
        return done(
          new EgressError('refused', `${host} leads to an address that is not public`, { sent: false }),
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
    // Until the connection stands, TLS included, not a byte of the request has left.
    let connected = false
    call.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      })
    })
    call.on('error', (error) => reject(toEgressError(error, connected)))
    // Without somebody who listens for it, an answer with another protocol ends in neither an answer nor an error.
    call.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new EgressError('refused', 'an answer in another protocol'))
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
      if (bytes > BYTES_MAX) throw new EgressError('refused', `an answer of more than ${BYTES_MAX} bytes`)
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
