// One log line, one metric and one span for every finished request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { AccessFields } from '../../log/log.ts'
import type { Span } from '../../log/tracing.ts'

/** The client disconnected before there was a response. Used in the log and metrics only. */
const CLIENT_CLOSED_REQUEST = 499

export type WatchRequest = (request: FastifyRequest, reply: FastifyReply, isStream: boolean) => void

/** The fields by which every log line about a request can be found. */
export function logFieldsOf(request: FastifyRequest) {
  const { actor, token } = request.admission ?? {}
  return {
    requestId: request.id,
    route: request.routeName,
    orgId: (actor ?? token)?.orgId,
    userId: actor?.userId,
    ...traceFieldsOf(request),
  }
}

export function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined
}

/** A request that the server could not parse has no trace. */
const traceFieldsOf = ({ trace }: FastifyRequest) => ({
  trace_id: trace?.traceId ?? '',
  span_id: trace?.spanId ?? '',
})

/** Reports each request when its response is complete or its client has disconnected. */
export function createRequestLog(app: App): WatchRequest {
  return (request, { raw }, isStream) => {
    const startMs = performance.now()
    raw.on('close', () => {
      // The client may end a stream at any time: that is a normal end.
      const status = raw.writableEnded || isStream ? raw.statusCode : CLIENT_CLOSED_REQUEST
      const elapsedMs = performance.now() - startMs
      if (request.span?.isRecording) endSpan(request, request.span, status)
      app.metrics.request(request.routeName, request.method, status, elapsedMs / 1000)
      app.log.access(accessFieldsOf(request, status, elapsedMs))
    })
  }
}

/** In the semantic conventions of OpenTelemetry for HTTP servers. */
function endSpan({ method, routeName, routeOptions }: FastifyRequest, span: Span, status: number): void {
  span.set({
    'http.request.method': method,
    'http.route': routeOptions.config.path,
    'http.response.status_code': status,
    'cowrie.route': routeName,
    'error.type': status >= 500 ? String(status) : undefined,
  })
  span.end(status >= 500 ? 'error' : 'unset')
}

function accessFieldsOf(request: FastifyRequest, status: number, elapsedMs: number): AccessFields {
  const { id: requestId, method, routeName: route, admission, trace } = request
  return {
    method,
    route,
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    requestId,
    address: admission?.address ?? request.raw.socket.remoteAddress ?? '',
    trace_id: trace?.traceId ?? '',
    span_id: trace?.spanId ?? '',
    userId: admission?.actor?.userId,
    orgId: (admission?.actor ?? admission?.token)?.orgId,
  }
}
