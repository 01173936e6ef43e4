// The reverse proxy of the cluster: round-robin over the replicas, streaming in both directions. A request that a replica may
// have received is never sent to another.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { ApiError } from '../src/kernel/errors.ts'
import { newId } from '../src/kernel/ids.ts'
import { errorFormatOf } from '../src/platform/http/reply/error-format.ts'
import { errorResponse, toApiError } from '../src/platform/http/reply/error-response.ts'
import { type Backend, type Backends, createBackends } from './backends.ts'

/** A stopped replica refuses immediately. Only a frozen machine takes longer. */
const CONNECT_MS = 10_000
const HEADERS_MAX_BYTES = 16 * 1024
const HEADERS_MS = 10_000
/** Longer than the replica's request timeout, so that the replica returns the timeout error. */
const REQUEST_MS = 40_000
const KEEP_ALIVE_MS = 65_000
/** Longer than any silent call: streams send something every 15 s, and the longest run is shorter. */
const IDLE_MS = 30 * 60_000
const CONNECTIONS_MAX = 10_000
const CLOSE_MS = 10_000

export type ProxyServer = {
  readonly address: string
  readonly backends: Backends
  /** Stops accepting and finishes open requests within CLOSE_MS. */
  close(): Promise<void>
}

export async function startProxy({
  port,
  host = '127.0.0.1',
}: {
  port: number
  host?: string
}): Promise<ProxyServer> {
  const backends = createBackends()
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The replica rejects a request without a Host header.
      requireHostHeader: false,
      noDelay: true,
    },
    (incoming, answer) => void pass(backends, incoming, answer),
  )
  server.maxConnections = CONNECTIONS_MAX
  server.on('clientError', refuseUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port

  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    backends,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const forceClose = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
      await closed
      clearTimeout(forceClose)
      backends.close()
    },
  }
}

async function pass(backends: Backends, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const tried = new Set<Backend>()
  for (
    let backend = backends.next(tried);
    backend && !answer.destroyed;
    backend = backends.next(tried.add(backend))
  ) {
    backend.requests++
    try {
      const socket = await connectTo(backend)
      if (socket) return await forward(incoming, answer, socket)
      backends.markUnreachable(backend)
    } finally {
      backend.requests--
    }
  }
  const error = 'No replica is available right now. Retry shortly.'
  refuse(incoming, answer, new ApiError('restarting', { error }))
}

/** One connection per request: a stopping replica could close a reused connection while a request is being sent. */
function connectTo({ address }: Backend): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true })
    const late = setTimeout(() => socket.destroy(), CONNECT_MS)
    socket.once('connect', () => {
      clearTimeout(late)
      resolve(socket)
    })
    socket.once('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(late)
      resolve(null)
    })
  })
}

/** Resolves when the connection to the replica is closed. */
function forward(incoming: IncomingMessage, answer: ServerResponse, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.once('close', () => resolve())
    if (answer.destroyed) {
      socket.destroy()
      return
    }
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: headersFor(incoming),
      setHost: false,
    })
    answer.once('close', () => {
      if (!answer.writableFinished) outgoing.destroy()
    })
    outgoing.on('response', (reply) => {
      answer.sendDate = false
      answer.writeHead(
        reply.statusCode ?? 502,
        reply.statusMessage ?? '',
        withoutHopHeaders(reply.rawHeaders),
      )
      answer.flushHeaders()
      // If the replica's response is cut, the client's is cut too: a partial response must not look complete.
      pipeline(reply, answer, () => undefined)
    })
    outgoing.on('error', () => {
      if (!answer.headersSent) refuse(incoming, answer, new ApiError('answer_lost'))
    })
    incoming.on('error', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
}

/** Hop-by-hop headers. */
const HOP_HEADERS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'upgrade', 'expect', 'transfer-encoding'],
])
/** Headers about the client address, which only the proxy may set. */
const CLIENT_ADDRESS_HEADERS = /^(x-forwarded-.*|forwarded|x-real-ip)$/

function headersFor({ rawHeaders, headers, method, socket }: IncomingMessage): string[] {
  const lines = withoutHopHeaders(rawHeaders, headers.connection)
  const hasLength = headers['content-length'] !== undefined
  const hasBody = hasLength || headers['transfer-encoding'] !== undefined
  if (!hasLength && hasBody) lines.push('transfer-encoding', 'chunked')
  if (!hasBody && method !== 'GET' && method !== 'HEAD') lines.push('content-length', '0')
  lines.push('x-forwarded-for', socket.remoteAddress ?? 'unknown', 'x-forwarded-proto', 'http')
  lines.push('connection', 'close')
  return lines
}

function withoutHopHeaders(raw: readonly string[], connection = ''): string[] {
  const named = new Set(connection.toLowerCase().split(/\s*,\s*/))
  const lines: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const plain = name.toLowerCase()
    if (!HOP_HEADERS.has(plain) && !named.has(plain) && !CLIENT_ADDRESS_HEADERS.test(plain))
      lines.push(name, value)
  }
  return lines
}

function refuse({ url = '', headers }: IncomingMessage, answer: ServerResponse, error: ApiError): void {
  if (answer.destroyed) return
  const requestId = newId('req')
  const { status, body, retryAfter } = errorResponse(error, requestId, errorFormatOf(url, headers))
  if (retryAfter !== undefined) answer.setHeader('retry-after', retryAfter)
  answer.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    // The rest of the request is not read.
    connection: 'close',
  })
  answer.end(body)
}

/** Answers bytes that cannot be parsed as a request. */ function refuseUnreadable(
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const { status, body } = errorResponse(
    toApiError(error) ?? new ApiError('bad_request'),
    newId('req'),
    'native',
  )
  const length = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
