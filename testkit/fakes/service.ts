// A fake HTTP service with scripted replies, for failures that the real service cannot produce on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  atMs: number
  /** Resolves when the connection closes. */
  closed: Promise<void>
}
export type ReplyWriter = (response: ServerResponse, request: ReceivedRequest) => void

export type FakeService = { url: string; requests: ReceivedRequest[]; close(): Promise<void> }

/** Each request gets the next reply. Further requests get a 500, which no test expects. */
export async function startFakeService(...answers: ReplyWriter[]): Promise<FakeService> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const closed = new Promise<void>((resolve) => response.on('close', resolve))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      atMs: performance.now(),
      closed,
    }
    const write =
      answers[requests.length] ?? json(500, { error: 'This request was not expected.', code: 'unexpected' })
    requests.push(one)
    write(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): ReplyWriter =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

export const page =
  (status: number, html: string): ReplyWriter =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(html)

/** Closes the connection without a reply. */
export const drop: ReplyWriter = (response) => response.destroy()

/** Closes the connection in the middle of the reply. */
export const breakOff =
  (type: string, beginning: string): ReplyWriter =>
  (response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(beginning, () => response.destroy())
  }

/** Sends each chunk separately, then ends the stream. */
export const stream =
  (...chunks: (string | Uint8Array)[]): ReplyWriter =>
  (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': 'req_of_the_stream',
    })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }

/** Starts a stream and then sends nothing more. */
export const silent =
  (...chunks: string[]): ReplyWriter =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
    for (const chunk of chunks) response.write(chunk)
  }

/** Never replies. */
export const never: ReplyWriter = () => undefined
