// The HTTP server under a provider's stand-in: this machine only, one handler, and the ways in which a line can fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FakeProvider } from './fake-provider.ts'

export type Fault = Parameters<FakeProvider['fault']>[0]
export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly raw: string
}
/** An object is sent as JSON, a text as it is. `never` takes the question and leaves the caller waiting. */
export type FakeReply = { readonly status: number; readonly body: object | string } | 'never'

export type LoopbackServer = {
  readonly url: string
  /** What the next calls meet; null when all is well. The handler sees to `reject` itself. */
  fault: Fault | null
  /** Answers for the next calls, one each, before the handler is asked again. */
  readonly scriptedReplies: FakeReply[]
  /** Every call that came, oldest first. */
  readonly requests: FakeRequest[]
  close(): Promise<void>
}

/** Calls that `isSpared` go well whatever is in store for the next, unless all is down: those for an access token. */
export async function startLoopbackServer(
  handle: (question: FakeRequest) => FakeReply,
  isSpared: (question: FakeRequest) => boolean = () => false,
): Promise<LoopbackServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const question = await readRequest(request)
    loopback.requests.push(question)
    if (loopback.fault === 'down') return send(response, { status: 503, body: 'upstream unavailable' })
    if (isSpared(question)) return send(response, handle(question))
    const reply = loopback.scriptedReplies.shift() ?? handle(question)
    // Silence and garbage come after the request took effect: that is what makes them dangerous.
    if (loopback.fault === 'silent') return request.socket.destroy()
    if (loopback.fault === 'garbage') return send(response, { status: 200, body: '<html>It works!</html>' })
    return send(response, reply)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const loopback: LoopbackServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: null,
    scriptedReplies: [],
    requests: [],
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return loopback
}

async function readRequest(request: IncomingMessage): Promise<FakeRequest> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: request.headers,
    raw: await text(request),
  }
}

function send(response: ServerResponse, reply: FakeReply): void {
  if (reply === 'never') return
  const isText = typeof reply.body === 'string'
  response.writeHead(reply.status, { 'content-type': isText ? 'text/html' : 'application/json' })
  response.end(isText ? reply.body : JSON.stringify(reply.body))
}
