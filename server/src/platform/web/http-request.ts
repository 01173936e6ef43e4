// One request over one connection: nothing is sent that tells who asks, nothing is kept for the next one.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Client, errors } from 'undici'
import { connect } from './connection.ts'
import type { Destination } from './destination.ts'
import { type PageRefusalReason, PageRefused, type WebEnvironment, type WebLimits } from './page.ts'
import { runWithin } from './time-budget.ts'

export type WebResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Still as it was packed. */
  readonly body: Readable
}
export type RequestHeaders = { readonly userAgent: string; readonly accept: string }

/** Whatever `use` does with the answer, the connection ends with it. */
export async function sendRequest<T>(
  to: Destination,
  asking: RequestHeaders,
  world: WebEnvironment,
  signal: AbortSignal,
  use: (answer: WebResponse) => Promise<T>,
): Promise<T> {
  const { limits } = world
  try {
    const socket = await runWithin({ leftMs: limits.connectMs }, signal, (either) =>
      connect(to, world, either),
    )
    const client = createClient(socket, to.url, limits)
    try {
      return await use(await receiveResponse(client, to.url, asking, limits, signal))
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
  // A body that nobody reads may still break. Who reads it hears of that himself.
  body.on('error', () => undefined)
  return { status: statusCode, headers, body }
}

// The connection is made already. A client that lost it and wants another is told no.
function createClient(socket: Socket, { origin }: URL, limits: WebLimits): Client {
  const sockets = [socket]
  return new Client(origin, {
    connect: (_, done) => {
      const next = sockets.pop()
      // Not before it has asked to the end: it would miss the answer.
      queueMicrotask(() => (next ? done(null, next) : done(new PageRefused('unreachable'), null)))
    },
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    maxResponseSize: Math.max(limits.textBytes, limits.pdfBytes),
    // Ours are exact and count the whole; these would only count pauses.
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
  // What came is no HTTP, or not packed as it says.
  if (error instanceof errors.HTTPParserError || /^(Z_|ERR__)/.test(code)) return 'unreadable'
  return 'unreachable'
}
