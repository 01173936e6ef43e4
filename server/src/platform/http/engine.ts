// Sets up the HTTP framework: limits, raw bodies, hooks, error responses and unknown routes.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../app.ts'
import { type Trace, traceOf, withTrace } from '../log/trace-context.ts'
import type { Span } from '../log/tracing.ts'
import { acceptedLanguage } from '../texts/language.ts'
import type { Gate } from './access/access.ts'
import { type Admission, type AdmitRequest, createGuard } from './access/guard.ts'
import { createRequestLog, logFieldsOf, traceparentOf } from './exchange/request-log.ts'
import { createServe } from './exchange/serve.ts'
import { createInternalClient, type InternalClient } from './internal-client.ts'
import type { RateLimiter } from './rate/rate.ts'
import { prefersEvents } from './reply/accept.ts'
import { compress, encodingFor } from './reply/content-encoding.ts'
import { errorFormatOf, jsonTypeOf } from './reply/error-format.ts'
import { errorResponse, toApiError } from './reply/error-response.ts'
import { defaultHeaders, isValidRequestId, prefersMinimal, ResponseHead } from './reply/headers.ts'
import { createOpenStreams } from './reply/open-streams.ts'
import { standingHeaders } from './reply/write-response.ts'
import { createHeadCheck } from './request/check-head.ts'
import { decodeBody, isEncoded } from './request/decode-body.ts'
import { rewriteUrl } from './request/rewrite-url.ts'
import { type Route, takesEncodedBody } from './route.ts'

const HEADERS_MAX_BYTES = 16 * 1024
const URL_MAX_CHARACTERS = 8 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const READINESS = 'system.ready'
const UNKNOWN_ROUTE = 'unknown'

export type Engine = {
  readonly http: FastifyInstance
  /** Begins a graceful shutdown: the readiness check fails and connections are no longer kept alive. */
  startDraining(): void
  readonly call: InternalClient
  /** Ends open streams, stops accepting requests and waits for running ones, including work whose client disconnected. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    head: ResponseHead | null
    /** The result of the guard; null until it has admitted the request. */
    admission: Admission | null
    span: Span | null
    routeName: string
    trace: Trace | null
  }
  interface FastifyContextConfig {
    name?: string
    /** The path of the route description, and the name of its spans. */
    path?: string
    spanName?: string
    stream?: 'always' | 'accept'
    takesEncodedBody?: boolean
    /** The guard of a described route. */
    admit?: AdmitRequest
  }
}

/** Builds the HTTP server from the route descriptions. */
export function createEngine(app: App, routes: readonly Route[], gate: Gate, limiter: RateLimiter): Engine {
  const standing = defaultHeaders(app.config)
  const prepared = standingHeaders(standing)
  const streams = createOpenStreams()
  const watch = createRequestLog(app)
  const { guard, countAgainst, addressOf } = createGuard(app, gate, limiter)
  const checkHead = createHeadCheck(app.config)
  let isDraining = false
  app.metrics.watch('streams_open', () => streams.count)

  const http = fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 65_000,
    http: {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      // Checked by `checkHead`, so that the error has our format.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false, caseSensitive: true },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return isValidRequestId(given) ? given : newId('req')
    },
    rewriteUrl,
    clientErrorHandler: rejectUnreadable,
    frameworkErrors: (error, request, reply) => fail(error, request, reply as FastifyReply),
    return503OnClosing: false,
    exposeHeadRoutes: false,
  })

  const internal = createInternalClient(http)

  // Bodies stay raw bytes: webhook signatures need them, and `readInput` parses them.
  http.removeAllContentTypeParsers()
  // The framework finds a named type faster than the wildcard.
  http.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding']
    // An absent body needs no decoding, whatever its headers say.
    if (body.length === 0 || !isEncoded(encoding)) return done(null, body)
    const { config, bodyLimit = 0 } = request.routeOptions
    if (!config.takesEncodedBody) return done(null, body)
    decodeBody(body as Buffer, encoding, bodyLimit).then((decoded) => done(null, decoded), done)
  })
  http.decorateRequest('head', null)
  http.decorateRequest('admission', null)
  http.decorateRequest('span', null)
  http.decorateRequest('routeName', UNKNOWN_ROUTE)
  http.decorateRequest('trace', null)

  // One hook for all steps: each further hook of the framework has a cost.
  http.addHook('onRequest', (request, reply, done) => {
    const { name = UNKNOWN_ROUTE, spanName = 'HTTP', stream, admit } = request.routeOptions.config
    internal.watch(reply.raw)
    request.routeName = name
    const head = new ResponseHead(prepared, request.id, prefersMinimal(request.headers))
    request.head = head
    // Clients of the Messages API find the id of a request here.
    if (errorFormatOf(request.url, request.headers) === 'anthropic') head.add('request-id', request.id)
    const caller = traceparentOf(request)
    request.span = app.tracing.span(spanName, 'server', caller)
    request.trace = traceOf(request.span, caller)
    const isStream = stream === 'always' || (stream === 'accept' && prefersEvents(request.headers.accept))
    watch(request, reply, isStream)
    if (isDraining) {
      reply.raw.shouldKeepAlive = false
      if (name === READINESS) return done(new ApiError('restarting') as Error)
    }
    if (request.url.length > URL_MAX_CHARACTERS) return done(new ApiError('uri_too_long') as Error)
    if (request.url.includes('%00')) return done(new ApiError('bad_request') as Error)
    const refusal = checkHead(request.raw)
    if (refusal) return done(refusal)
    if (!admit) return done()
    const admitted = admit(request, head)
    if (admitted instanceof Promise) admitted.then((admission) => enter(request, admission, done), done)
    else enter(request, admitted, done)
  })
  // Described routes write their own responses. Strings that reach this hook are errors; some list many fields.
  http.addHook('onSend', (request, reply, payload, done) => {
    const { head } = request
    const encoding =
      head && typeof payload === 'string'
        ? encodingFor(request, head, String(reply.getHeader('content-type')), payload)
        : null
    head?.copyTo(reply)
    const compressed = encoding && compress(payload as string, encoding)
    if (!compressed) return done(null, payload)
    reply.header('content-encoding', encoding)
    if (compressed instanceof Promise) compressed.then((body) => done(null, body), done)
    else done(null, compressed)
  })
  http.setErrorHandler(fail)
  // Unknown `Expect` headers are ignored.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))
  http.setNotFoundHandler(rejectUnknownRoute)

  const allowed = methodsByPath(routes)
  for (const route of routes) {
    const serve = createServe(app, route, streams)
    http.route({
      method: route.method === 'GET' && route.head ? ['GET', 'HEAD'] : route.method,
      url: routerPath(route.path),
      bodyLimit: route.bodyLimitBytes,
      config: {
        name: route.name,
        path: route.path,
        spanName: `${route.method} ${route.path}`,
        ...(route.stream && { stream: 'always' }),
        ...(route.streamForm && { stream: 'accept' }),
        takesEncodedBody: takesEncodedBody(route),
        admit: guard(route),
      },
      // Events of the socket do not keep a context that a hook entered, so it is entered here.
      handler: (request, reply) =>
        withTrace(request.trace ?? undefined, () =>
          serve(request, reply, present(request.admission, 'the guard has admitted the request')),
        ),
    })
  }

  function enter(request: FastifyRequest, admission: Admission, done: () => void): void {
    request.admission = admission
    done()
  }

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = toApiError(error)
    if (!known) app.log.error({ err: error, ...logFieldsOf(request) }, 'http.request_failed')
    const { status, body, retryAfter } = errorResponse(
      known ?? new ApiError('internal'),
      request.id,
      errorFormatOf(request.url, request.headers),
      acceptedLanguage(request.headers['accept-language']),
    )
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    if (status === 401) {
      reply.header('www-authenticate', 'Bearer realm="cowrie"')
      // Without it, Claude Code repeats the request for three minutes before it shows the error.
      reply.header('x-should-retry', 'false')
    }
    reply.headers({
      ...standing,
      'x-request-id': request.id,
      'content-type': jsonTypeOf(request.url),
    })
    request.head?.vary('accept-language')
    return reply.code(status).send(body)
  }

  async function rejectUnknownRoute(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await countAgainst('global', addressOf(request), headOf(request))
    const methods = allowed(request.url.split('?')[0] ?? '')
    if (methods.length === 0)
      throw new ApiError('not_found', { error: 'There is no such address; see /docs for all of them.' })
    reply.header('allow', methods.join(', '))
    throw new ApiError('method_not_allowed')
  }

  /** Responds to bytes that Node's parser cannot read as a request. */
  function rejectUnreadable(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    // A complete request before these bytes still gets its response; do not write into it.
    const answering = (socket as AnsweringSocket)._httpMessage
    if (answering && (answering.headersSent || answering.req.complete)) {
      if (answering.shouldKeepAlive) answering.once('close', () => socket.end())
      answering.shouldKeepAlive = false
      return
    }
    const requestId = newId('req')
    const { status, body } = errorResponse(
      toApiError(error) ?? new ApiError('bad_request'),
      requestId,
      'native',
    )
    const headers = Object.entries({
      ...standing,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    socket.end(
      `HTTP/1.1 ${status} Refused\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
    )
  }

  const sockets = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    http,
    startDraining() {
      isDraining = true
    },
    call: internal.call,
    async close() {
      streams.closeAll(() => http.server.closeIdleConnections())
      const closed = http.close()
      // Node would wait for connections that clients opened in advance and never used.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      await closed
      await streams.waitForTracked()
    },
  }
}

/**
 * The path as the router writes it. A colon after a parameter, as in `{model}:countTokens`, is literal. `{path}` at the end may
 * contain slashes.
 */
const routerPath = (path: string): string =>
  path
    .replace(/\{path\}$/, '*')
    .replace(/\{(\w+)\}:/g, ':$1(.*)::')
    .replace(/\{(\w+)\}/g, ':$1')

/** Node stores the response in progress of a connection here, and reads it in the same situation. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null }

const headOf = ({ head }: FastifyRequest): ResponseHead =>
  present(head, 'the first hook creates the response head')

/** The methods of a path, for 405. Called only when no route matched. */
function methodsByPath(routes: readonly Route[]): (path: string) => string[] {
  const compile = () =>
    routes.map((route) => ({
      route,
      hasVerbs: routes.some(({ path }) => path.startsWith(`${route.path}:`)),
      pattern: new RegExp(
        `^${route.path
          .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
          .replace(/\{path\}$/, '.+')
          .replace(/\{\w+\}/g, '[^/]+')}$`,
      ),
    }))
  // Compiled at the first unknown address, so that the service starts faster.
  let patterns: ReturnType<typeof compile> | undefined
  return (path) => {
    patterns ??= compile()
    const methods = new Set<string>()
    const matching = patterns.filter(({ pattern }) => pattern.test(path))
    // An unknown verb such as `{model}:embed` is an unknown address, not a method of `{model}`.
    if (/:[^/]*$/.test(path) && matching.every(({ hasVerbs }) => hasVerbs)) return []
    for (const { route } of matching) {
      methods.add(route.method)
      if (route.method === 'GET' && route.head) methods.add('HEAD')
    }
    return [...methods]
  }
}
