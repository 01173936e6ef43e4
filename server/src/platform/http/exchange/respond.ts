// Sends the outcome of a handler: complete, compressed where route and client allow it, or in chunks.
import { assert } from '../../../kernel/assert.ts'
import { Answer } from '../answer.ts'
import { CommittedReply, type EncodedReply } from '../idempotency/idempotency.ts'
import { compress, type Encoding, encodingFor } from '../reply/content-encoding.ts'
import { type Chunks, isChunks } from '../reply/download.ts'
import { isRaw } from '../route.ts'
import { encodeReply, requireDescribedType } from './encode.ts'
import type { Exchange } from './exchange.ts'
import { logFieldsOf } from './request-log.ts'

/** Returns a promise only for a response that takes time: compression on another thread, or chunks. */
export function respond(exchange: Exchange, outcome: unknown): undefined | Promise<void> {
  const value = outcome instanceof CommittedReply ? outcome.value : outcome
  if (value instanceof Answer) {
    for (const [name, line] of Object.entries(value.headers)) exchange.head.setChecked(name, line)
    if (isChunks(value.body)) return respondInChunks(exchange, value, value.body)
  }
  return sendEncoded(
    exchange,
    outcome instanceof CommittedReply ? outcome.encoded : encodeReply(exchange, outcome),
  )
}

export function sendEncoded(exchange: Exchange, encoded: EncodedReply): undefined | Promise<void> {
  const { endpoint, request, head } = exchange
  const { contentType, text } = encoded
  const encoding = endpoint.route.carriesSecret ? null : encodingFor(request, head, contentType, text)
  const compressed = encoding ? compress(text, encoding) : null
  if (!compressed) return write(exchange, encoded, text, null)
  if (!(compressed instanceof Promise)) return write(exchange, encoded, compressed, encoding)
  return compressed.then(
    (body) => write(exchange, encoded, body, encoding),
    (error) => {
      endpoint.app.log.warn({ err: error, ...logFieldsOf(request) }, 'http.compression_failed')
      write(exchange, encoded, text, null)
    },
  )
}

function write(
  { reply, head }: Exchange,
  { status, contentType }: EncodedReply,
  body: string | Buffer,
  encoding: Encoding | null,
): undefined {
  // After a timeout the client already has its response.
  if (!reply.sent) head.write(reply.raw, status, contentType, body, encoding)
}

/** The handler timeout ends here: the body may take as long as the route allows for downloads. */
async function respondInChunks(
  exchange: Exchange,
  { status, headers }: Answer,
  chunks: Chunks,
): Promise<void> {
  const { endpoint, request, reply, head } = exchange
  const { app, route, streams } = endpoint
  if (reply.sent) return
  const spec = route.reply[status]
  assert(spec && isRaw(spec), `${route.name} describes its reply in chunks`)
  const type = headers['content-type']
  if (type !== undefined) requireDescribedType(route, type)
  reply.hijack()
  head.begin(reply.raw, status, type ?? spec.contentType)
  const { error } = await streams.download(route, reply.raw, chunks)
  if (error !== undefined) app.log.error({ err: error, ...logFieldsOf(request) }, 'http.download_failed')
}
