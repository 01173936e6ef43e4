// One GET request over one connection. It sends no cookies or other identifying headers and reuses no connection.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import { connect } from './connection.ts'
import type { Destination } from './destination.ts'
import { type PageRefusalReason, PageRefused, type WebLimits } from './page.ts'
import { runWithin } from './time-budget.ts'
import type { WebEnvironment } from './web-environment.ts'

export type WebResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Still compressed. */
  readonly body: Readable
}
export type RequestHeaders = { readonly userAgent: string; readonly accept: string }

/** Passes the response to `use`, and closes the connection when `use` has finished or failed. */
export async function sendRequest<T>(
  to: Destination,
  headers: RequestHeaders,
  environment: WebEnvironment,
  signal: AbortSignal,
  use: (response: WebResponse) => Promise<T>,
): Promise<T> {
  const { limits } = environment
  try {
    const socket = await runWithin({ leftMs: limits.connectMs }, signal, (either) =>
      connect(to, environment, either),
    )
    const client = createClient(socket, to.url, limits)
    try {
      return await use(await receiveResponse(client, to.url, headers, limits, signal))
    } finally {
      socket.destroy()
      await client.destroy()
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : toPageRefused(error)
  }
}

async function receiveResponse(
  client: Client,
  url: URL,
  { userAgent, accept }: RequestHeaders,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<WebResponse> {
  const { statusCode, headers, body } = await runWithin({ leftMs: limits.headersMs }, signal, (either) =>
    client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { 'user-agent': userAgent, accept, 'accept-encoding': 'gzip, deflate, br' },
      reset: true,
      signal: either,
    }),
  )
  // An unread body may fail as well. A reader receives the error from its own read.
  body.on('error', () => undefined)
  return { status: statusCode, headers, body }
}

// Uses the open socket. The client cannot reconnect, because a new connection would skip the address check.
function createClient(socket: Socket, { origin }: URL, limits: WebLimits): Client {
  const sockets = [socket]
  return new Client(origin, {
    connect: (_, done) => {
      const next = sockets.pop()
      // Asynchronous, because the client is not ready for the callback during its own call.
      queueMicrotask(() => (next ? done(null, next) : done(new PageRefused('unreachable'), null)))
    },
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    maxResponseSize: Math.max(limits.textBytes, limits.pdfBytes),
    // `runWithin` limits the total time. These would limit only the pauses.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function toPageRefused(error: unknown): PageRefused {
  if (error instanceof PageRefused) return error
  return new PageRefused(toReason(error), { cause: error })
}

function toReason(error: unknown): PageRefusalReason {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large'
  // The response is not HTTP, or does not match its content encoding.
  if (error instanceof errors.HTTPParserError || /^(Z_|ERR__)/.test(code)) return 'unreadable'
  return 'unreachable'
}
