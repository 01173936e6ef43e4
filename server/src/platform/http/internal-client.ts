// Calls our own operations inside this process. Authentication, scopes, rate limits, idempotency and metering apply as
// they do to every client.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fromJson } from '../../kernel/json.ts'

export type InternalRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  /** Must contain the credentials of the caller: none are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The client address that rate limits count. */
  readonly address: string
  /** Aborting has the effect of a closed connection. */
  readonly signal: AbortSignal
}

export type InternalResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly isStream: boolean
  text(): Promise<string>
  /** The frames of a stream as they arrive. */
  frames(): AsyncGenerator<unknown, void, undefined>
}

export type InternalClient = (call: InternalRequest) => Promise<InternalResponse>

/** `watch` is called with the response of every request, and closes that of an internal one with its signal. */
export function createInternalClient(http: FastifyInstance) {
  const signals = new AsyncLocalStorage<AbortSignal>()

  const call: InternalClient = async ({ method, path, headers, body, address, signal }) => {
    const response = await signals.run(signal, () =>
      http.inject({
        method,
        url: path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: body }),
        remoteAddress: address,
        payloadAsStream: true,
      }),
    )
    const stream = response.stream()
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      isStream: String(response.headers['content-type']).startsWith('text/event-stream'),
      text: () => textOf(stream),
      frames: () => framesOf(stream),
    }
  }

  function watch(response: ServerResponse): void {
    const signal = signals.getStore()
    if (signal) closeWith(signal, response)
  }

  return { call, watch }
}

/** Destroys the response when the signal aborts, as a closed connection would. */
function closeWith(signal: AbortSignal, response: ServerResponse): void {
  const close = () => void response.destroy()
  if (signal.aborted) close()
  else signal.addEventListener('abort', close, { once: true })
  response.once('close', () => signal.removeEventListener('abort', close))
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

/** Our own streams: each frame is one line of data, and all other lines are comments. */
async function* framesOf(stream: Readable): AsyncGenerator<unknown, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of stream) {
    rest = Buffer.concat([rest, piece as Buffer])
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const line = rest.subarray(0, end).toString('utf8')
      rest = rest.subarray(end + 2)
      if (line.startsWith('data: ')) yield fromJson(line.slice('data: '.length))
    }
  }
}
