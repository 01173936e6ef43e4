// A call of our own operations from inside this process, through the whole pipeline: caller, scope, rate, idempotency and
// metering are decided there, as for everybody else.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fromJson } from '../../kernel/json.ts'

export type InternalRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  /** Those of whoever is called for: nothing is added about who they are. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The address that limits are counted for. */
  readonly address: string
  /** Ends the call as a closed connection would. */
  readonly signal: AbortSignal
}

export type InternalResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly isStream: boolean
  text(): Promise<string>
  /** The frames of a stream, as they come. */
  frames(): AsyncGenerator<unknown, void, undefined>
}

export type InternalClient = (call: InternalRequest) => Promise<InternalResponse>

/** To be called before the routes are added: each call is watched from its beginning. */
export function createInternalClient(http: FastifyInstance): InternalClient {
  const signals = new AsyncLocalStorage<AbortSignal>()
  http.addHook('onRequest', (_request, { raw }, done) => {
    const signal = signals.getStore()
    if (signal) closeWith(signal, raw)
    done()
  })

  return async ({ method, path, headers, body, address, signal }) => {
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
}

/** As when a connection is closed: whoever works on the answer is told, and what is written is lost. */
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

/** We wrote them ourselves: each is one line of data, and the rest are comments. */
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
