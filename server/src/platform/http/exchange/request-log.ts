// The end of every request, told once to its trace, the metrics and the log.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'

/** For the log only: the client went away before there was an answer. */
const CLIENT_GONE = 499

type FinishedRequest = { request: FastifyRequest; name: string; status: number; elapsedMs: number }
export type WatchRequest = (request: FastifyRequest, reply: FastifyReply, name: string, isStream: boolean) => void

/** Watches requests until their answer is over or their client has gone, whichever comes first. */
export function createRequestLog(app: App): WatchRequest {
  let endings: FinishedRequest[] = []

  return (request, { raw }, name, isStream) => {
    const startMs = performance.now()
    raw.on('close', () => {
      // A stream ends in many ways, and each of them is its end.
      const status = raw.writableEnded || isStream ? raw.statusCode : CLIENT_GONE
      request.span?.set({ 'http.request.method': request.method, 'http.response.status_code': status })
      request.span?.end(status >= 500 ? 'error' : 'ok')
      const ending = { request, name, status, elapsedMs: performance.now() - startMs }
      if (endings.push(ending) === 1) setImmediate(noteAll)
    })
  }

  // What ends in one turn of the event loop is noted after it in one go, at half the cost of one by one.
  function noteAll(): void {
    const ended = endings
    endings = []
    for (const ending of ended) note(ending)
  }

  function note({ request, name, status, elapsedMs }: FinishedRequest): void {
    app.metrics.request(name, request.method, status, elapsedMs / 1000)
    app.log.access({
      method: request.method,
      route: name,
      status,
      ms: Math.round(elapsedMs * 10) / 10,
      requestId: request.id,
      address: request.passage?.address ?? request.raw.socket.remoteAddress ?? '',
    })
  }
}
