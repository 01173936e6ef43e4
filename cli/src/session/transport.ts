// The connection of a session: `fetch` for the SDK over kept connections, with compressed bodies and a count of all bytes. One
// connection carries the stream and one the calls.
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, gzip, gzipSync } from 'node:zlib'

export type ByteCount = { readonly up: number; readonly down: number }

export type SessionTransport = {
  readonly fetch: typeof fetch
  /** All bytes of the connections so far, with headers; without those of TCP. */
  bytes(): ByteCount
  close(): void
}

/** Shorter bodies gain nothing. */
const COMPRESSED_ABOVE = 200
/** A longer body is compressed on another thread. */
const INLINE_MAX = 64 * 1024
const CALLS_AT_ONCE = 2
const WATCH_MS = 5_000
/** So much time between two checks means that the computer was asleep, and that its connections are dead. */
const ASLEEP_MS = 20_000

export function createTransport(): SessionTransport {
  const counter = createCounter()
  const agents: Agents = {
    calls: kept(new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE }), counter),
    stream: kept(new Agent({ keepAlive: true }), counter),
    secureCalls: kept(new SecureAgent({ keepAlive: true, maxSockets: CALLS_AT_ONCE }), counter),
    secureStream: kept(new SecureAgent({ keepAlive: true }), counter),
  }
  let seenAt = Date.now()
  const watch = setInterval(() => {
    const now = Date.now()
    if (now - seenAt > ASLEEP_MS) counter.cut(new Error('the computer was asleep'))
    seenAt = now
  }, WATCH_MS)
  watch.unref()
  return {
    fetch: (input, init = {}) => send(agents, String(input), init),
    bytes: counter.bytes,
    close() {
      clearInterval(watch)
      for (const agent of Object.values(agents)) agent.destroy()
      counter.cut(new Error('the session was closed'))
    },
  }
}

type Agents = Readonly<Record<'calls' | 'stream' | 'secureCalls' | 'secureStream', Agent>>

type Counter = { add(socket: Socket): void; bytes(): ByteCount; cut(reason: Error): void }

function createCounter(): Counter {
  const open = new Set<Socket>()
  let [up, down] = [0, 0]
  return {
    add(socket) {
      open.add(socket)
      ignoreErrors(socket)
      socket.once('close', () => {
        open.delete(socket)
        up += socket.bytesWritten
        down += socket.bytesRead
      })
    },
    bytes() {
      const sockets = [...open]
      return {
        up: sockets.reduce((sum, each) => sum + each.bytesWritten, up),
        down: sockets.reduce((sum, each) => sum + each.bytesRead, down),
      }
    },
    cut(reason) {
      for (const socket of open) socket.destroy(reason)
    },
  }
}

/** A request reports its errors itself. For a moment after its answer is complete it has no listener, and an abort would end the program. */
const ignoreErrors = (connection: Duplex): void => {
  connection.on('error', () => undefined)
}

/** Counts the connections of an agent. A secure connection counts only its content, so the one below it is counted. */
function kept<A extends Agent>(agent: A, counter: Counter): A {
  const create = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    if (!(agent instanceof SecureAgent)) {
      const socket = create(options, callback) as Socket
      counter.add(socket)
      return socket
    }
    const { host, port } = options as { host: string; port: number }
    const socket = connect({ host, port })
    counter.add(socket)
    const secure = create({ ...options, socket } as typeof options, callback)
    if (secure) ignoreErrors(secure)
    return secure
  }
  return agent
}

type SentRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  readonly signal: AbortSignal | null
}

async function send(agents: Agents, url: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', body = null, signal = null } = init
  if (body !== null && typeof body !== 'string') throw new TypeError('the body of a call is text')
  const headers: Record<string, string> = { 'accept-encoding': 'br, gzip', prefer: 'return=minimal' }
  for (const [name, value] of new Headers(init.headers)) headers[name] = value
  const whole = body === null ? null : Buffer.from(body)
  const packed = whole && whole.length > COMPRESSED_ABOVE ? await compress(whole) : null
  const isSmaller = whole !== null && packed !== null && packed.length < whole.length
  if (isSmaller) headers['content-encoding'] = 'gzip'
  const sent = { url: new URL(url), method, headers, body: isSmaller ? packed : whole, signal }
  try {
    return await exchange(agents, sent)
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return exchange(agents, sent)
  }
}

function compress(body: Buffer): Promise<Buffer> | Buffer {
  if (body.length <= INLINE_MAX) return gzipSync(body, { level: 9 })
  return new Promise((resolve, reject) => {
    gzip(body, { level: 6 }, (error, packed) => (error ? reject(error) : resolve(packed)))
  })
}

/** The service had closed a kept connection before the request arrived. */
class StaleConnection extends Error {}

/** A call whose repetition changes nothing. All calls about an existing task are such calls, or have a key. */
const isRepeatable = ({ method, headers, url }: SentRequest): boolean =>
  method !== 'POST' || 'idempotency-key' in headers || /\/tasks\/[^/]+\/[a-z-]+$/.test(url.pathname)

function exchange(agents: Agents, sent: SentRequest): Promise<Response> {
  const { url, method, headers, body, signal } = sent
  const isSecure = url.protocol === 'https:'
  const isStream = headers.accept === 'text/event-stream'
  const agent = isSecure
    ? agents[isStream ? 'secureStream' : 'secureCalls']
    : agents[isStream ? 'stream' : 'calls']
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const length = body === null ? {} : { 'content-length': String(body.length) }
    const options = { method, agent, headers: { ...headers, ...length } }
    const request = isSecure ? requestHttps(url, options) : requestHttp(url, options)
    const abort = () => request.destroy(toError(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    const release = () => signal?.removeEventListener('abort', abort)
    request.on('response', (incoming) => {
      resolve(toResponse(request, incoming, release))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      release()
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(isStale && isRepeatable(sent) ? new StaleConnection() : error)
    })
    request.end(body ?? undefined)
  })
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error('aborted'))

/** `release` is called at the end, because a later abort must not close a kept connection. */
function toResponse(request: ClientRequest, incoming: IncomingMessage, release: () => void): Response {
  incoming.once('close', release)
  const status = incoming.statusCode ?? 502
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value))
  const isEmpty = status === 204 || status === 205 || status === 304
  if (isEmpty) incoming.resume()
  return new Response(isEmpty ? null : toWeb(request, decoded(incoming)), { status, headers })
}

/** Decoded piece by piece: the events of a stream arrive one at a time. */
function decoded(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']
  const decoder =
    encoding === 'gzip'
      ? createGunzip({ flush: constants.Z_SYNC_FLUSH })
      : encoding === 'br'
        ? createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
        : null
  if (!decoder) return incoming
  incoming.on('error', (error) => decoder.destroy(error))
  incoming.on('aborted', () => decoder.destroy(new Error('the connection was lost')))
  return incoming.pipe(decoder)
}

function toWeb(request: ClientRequest, source: Readable): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value as Uint8Array)
      },
      cancel() {
        request.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
