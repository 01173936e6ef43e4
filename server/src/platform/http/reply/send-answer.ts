// Sends an answer that is complete, compressed where the route and the client allow it.
import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import type { EncodedReply } from '../idempotency/idempotency.ts'
import type { Route } from '../route.ts'
import { compress, type Encoding, encodingFor } from './content-encoding.ts'
import type { ResponseHead } from './headers.ts'

/** A promise is made only for an answer that is compressed on another thread. */
export type SendAnswer = (
  reply: FastifyReply,
  head: ResponseHead,
  encoded: EncodedReply,
) => undefined | Promise<void>

export function createSendAnswer(app: App, route: Route): SendAnswer {
  return (reply, head, { status, contentType, text }) => {
    const write = (body: string | Buffer, encoding: Encoding | null): undefined => {
      // A client that the timeout has answered already gets nothing more.
      if (!reply.sent) head.write(reply.raw, status, contentType, body, encoding)
    }
    const encoding = route.carriesSecret ? null : encodingFor(reply.request, head, contentType, text)
    const compressed = encoding ? compress(text, encoding) : null
    if (!compressed) return write(text, null)
    if (!(compressed instanceof Promise)) return write(compressed, encoding)
    return compressed.then(
      (body) => write(body, encoding),
      (error) => {
        app.log.warn({ err: error, route: route.name }, 'http.compression_failed')
        write(text, null)
      },
    )
  }
}
