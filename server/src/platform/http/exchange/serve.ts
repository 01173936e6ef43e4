// A request after the guard: verify its signature, parse it, run its handler, respond. Every route is served here.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { App } from '../../app.ts'
import type { Admission } from '../access/guard.ts'
import { prefersEvents } from '../reply/accept.ts'
import type { OpenStreams } from '../reply/open-streams.ts'
import { readInput } from '../request/input.ts'
import { IncomingRequest } from '../request/request-info.ts'
import { isRail, type Proof, type RequestInfo, type Route, toStreamRoute } from '../route.ts'
import { checkDeclared, contextOf, createEndpoint, type Endpoint, type Exchange } from './exchange.ts'
import { keyed } from './keyed.ts'
import { respond } from './respond.ts'
import { streamed } from './run.ts'

/** Serves a request. Returns a promise only where something is waited for. */
export type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
) => undefined | Promise<unknown>

export function createServe(app: App, route: Route, streams: OpenStreams): Serve {
  const endpoint = createEndpoint(app, route, streams)
  const streamRoute = toStreamRoute(route)
  const streaming = streamRoute && createEndpoint(app, streamRoute, streams)
  return (request, reply, admission) => {
    const asked = streaming && prefersEvents(request.headers.accept) ? streaming : endpoint
    return serve(asked, request, reply, admission)
  }
}

function serve(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): undefined | Promise<unknown> {
  const { app, route } = endpoint
  const info = new IncomingRequest(request, admission, reply.raw)
  const verified = isRail(route.access) ? verify(app, route.access.proof, request, info) : undefined
  const served = verified
    ? verified.then(() => dispatch(exchangeOf(endpoint, request, reply, admission, info)))
    : dispatch(exchangeOf(endpoint, request, reply, admission, info))
  return served && !route.stream ? withTimeout(served, reply, route.timeoutMs) : served
}

const verify = (
  app: App,
  proof: Proof,
  { query, params }: FastifyRequest,
  { raw, headers, address }: RequestInfo,
): void | Promise<void> =>
  proof(app, {
    raw: raw ?? Buffer.alloc(0),
    headers,
    address,
    query: query as Record<string, unknown>,
    params: params as Record<string, string>,
  })

const exchangeOf = (
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { actor, token, head }: Admission,
  info: RequestInfo,
): Exchange => ({
  endpoint,
  request,
  reply,
  actor,
  token,
  head,
  info,
  input: readInput(endpoint.route, request, info),
})

function dispatch(exchange: Exchange): undefined | Promise<unknown> {
  const { route, streams } = exchange.endpoint
  if (route.idempotency !== 'none') return streams.track(keyed(exchange))
  return route.stream ? streams.track(streamed(exchange)) : plain(exchange)
}

/** A route with neither a stream nor idempotency. */
function plain(exchange: Exchange): undefined | Promise<void> {
  try {
    const outcome = exchange.endpoint.route.handle(contextOf(exchange))
    return outcome instanceof Promise ? respondLater(exchange, outcome) : respond(exchange, outcome)
  } catch (error) {
    checkDeclared(exchange, error)
    throw error
  }
}

async function respondLater(exchange: Exchange, outcome: Promise<unknown>): Promise<void> {
  try {
    const sending = respond(exchange, await outcome)
    if (sending) await sending
  } catch (error) {
    checkDeclared(exchange, error)
    throw error
  }
}

/** Responds for a handler that takes too long. The handler continues; its own response is dropped. */
async function withTimeout(served: Promise<unknown>, reply: FastifyReply, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => {
    if (!reply.sent) reply.send(new ApiError('handler_timeout'))
  }, timeoutMs)
  try {
    await served
  } finally {
    clearTimeout(timer)
  }
}
