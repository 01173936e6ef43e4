// The one address of the cluster. Requests go to the replicas in turn and streams pass as they come; what a replica may have
// taken is never sent to another.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { ApiError } from '../src/kernel/errors.ts'
import { newId } from '../src/kernel/ids.ts'
import { errorResponse, toApiError } from '../src/platform/http/reply/error-response.ts'
import { type Backend, type Backends, createBackends } from './backends.ts'

/** Whoever is away refuses at once; only a machine that stands still takes longer. */
const CONNECT_MS = 10_000
const HEADERS_MAX_BYTES = 16 * 1024
const HEADERS_MS = 10_000
/** A little more than a replica gives a request, so that it is the one who says so. */
const REQUEST_MS = 40_000
const KEEP_ALIVE_MS = 65_000
/** Longer than any call may be silent: streams say something every 15 s, and the longest run ends before this. */
const SILENCE_MS = 30 * 60_000
const CONNECTIONS_MAX = 10_000
const CLOSE_MS = 10_000

export type ProxyServer = {
  readonly address: string
  readonly backends: Backends
  /** Takes no more and ends what it has, within reason. */
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
      // The replica answers for its absence.
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
      const impatience = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
      await closed
      clearTimeout(impatience)
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
  const error = 'No replica can be reached right now; retry shortly.'
  refuse(incoming, answer, new ApiError('restarting', { error }))
}

/** A connection of its own for every request: on one that was kept, a replica that stops could miss what it is just being sent. */
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

/** Settles when nothing more of it will pass. */
function forward(incoming: IncomingMessage, answer: ServerResponse, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
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
      answer.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', withoutHops(reply.rawHeaders))
      answer.flushHeaders()
      // Cut where the replica was cut: half an answer must not look like a whole one.
      pipeline(reply, answer, () => undefined)
    })
    outgoing.on('error', () => {
      if (!answer.headersSent) refuse(incoming, answer, new ApiError('answer_lost'))
    })
    incoming.on('error', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
}

/** What concerns one connection alone, and what only we may say about the client. */
const HOPS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'upgrade', 'expect', 'transfer-encoding'],
])
const ABOUT_CLIENTS = /^(x-forwarded-.*|forwarded|x-real-ip)$/

function headersFor({ rawHeaders, headers, method, socket }: IncomingMessage): string[] {
  const lines = withoutHops(rawHeaders, headers.connection)
  const hasLength = headers['content-length'] !== undefined
  const hasBody = hasLength || headers['transfer-encoding'] !== undefined
  if (!hasLength && hasBody) lines.push('transfer-encoding', 'chunked')
  if (!hasBody && method !== 'GET' && method !== 'HEAD') lines.push('content-length', '0')
  lines.push('x-forwarded-for', socket.remoteAddress ?? 'unknown', 'x-forwarded-proto', 'http')
  lines.push('connection', 'close')
  return lines
}

function withoutHops(raw: readonly string[], connection = ''): string[] {
  const named = new Set(connection.toLowerCase().split(/\s*,\s*/))
  const lines: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const plain = name.toLowerCase()
    if (!HOPS.has(plain) && !named.has(plain) && !ABOUT_CLIENTS.test(plain)) lines.push(name, value)
  }
  return lines
}

function refuse({ url = '' }: IncomingMessage, answer: ServerResponse, error: ApiError): void {
  if (answer.destroyed) return
  const requestId = newId('req')
  const { status, body, retryAfter } = errorResponse(error, requestId, url)
  if (retryAfter !== undefined) answer.setHeader('retry-after', retryAfter)
  answer.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    // What is left of the request is not read.
    connection: 'close',
  })
  answer.end(body)
}

/** What cannot be read as a request is answered all the same. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const { status, body } = errorResponse(toApiError(error) ?? new ApiError('bad_request'), newId('req'), '')
  const length = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
