// The HTTP server of a fake provider, on localhost, with one handler and injected faults.
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
/** An object is sent as JSON, a string unchanged. `never` accepts the request and sends no reply. */
export type FakeReply =
  | {
      readonly status: number
      readonly body: object | string
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'never'

export type LoopbackServer = {
  readonly url: string
  /** The fault of the next calls, or null. The handler implements `reject`. */
  fault: Fault | null
  /** Replies for the next calls, one each, instead of the handler's. */
  readonly scriptedReplies: FakeReply[]
  /** All received requests, oldest first. */
  readonly requests: FakeRequest[]
  close(): Promise<void>
}

/** Requests that `ignoresFaults`, such as those for an access token, fail only with `down`. */
export async function startLoopbackServer(
  handle: (received: FakeRequest) => FakeReply | Promise<FakeReply>,
  ignoresFaults: (received: FakeRequest) => boolean = () => false,
): Promise<LoopbackServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await readRequest(request)
    loopback.requests.push(received)
    if (loopback.fault === 'down') return send(response, { status: 503, body: 'upstream unavailable' })
    if (ignoresFaults(received)) return send(response, await handle(received))
    const reply = loopback.scriptedReplies.shift() ?? (await handle(received))
    // These faults happen after the request took effect, as in the dangerous real cases.
    if (loopback.fault === 'silent') return request.socket.destroy()
    if (loopback.fault === 'garbage') return send(response, { status: 200, body: '<html>It works!</html>' })
    return send(response, reply)
  }
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.destroy(error))
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
  const type = isText ? 'text/html' : 'application/json'
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers })
  response.end(isText ? reply.body : JSON.stringify(reply.body))
}
