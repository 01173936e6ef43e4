// Runs a handler that may open a stream or works under an idempotency key, and sends its outcome.
import { ApiError } from '../../../kernel/errors.ts'
import { type Claim, CommittedReply, isFinalError, isValidationError } from '../idempotency/idempotency.ts'
import { RecordedStream, UnstoredReply } from '../idempotency/recorded-stream.ts'
import { errorFormatOf, errorFrame } from '../reply/error-format.ts'
import { errorResponse } from '../reply/error-response.ts'
import type { OpenEventStream } from '../reply/sse.ts'
import type { Route } from '../route.ts'
import { checkDeclared, contextOf, type Exchange } from './exchange.ts'
import { logFieldsOf } from './request-log.ts'
import { respond } from './respond.ts'

/** A streamed route without idempotency. */
export const streamed = (exchange: Exchange): Promise<unknown> =>
  run(exchange, contextOf(exchange), null, null)

/** `opened` is the stream that the client already reads, if there is one. */
export async function run(
  exchange: Exchange,
  context: object,
  claim: Claim | null,
  opened: OpenEventStream | null,
): Promise<unknown> {
  const { endpoint, request, reply, actor } = exchange
  const { app, route, streams } = endpoint
  const slot = new StreamSlot(exchange, opened)
  const stopWatching = claim ? detachOnDisconnect(exchange, claim) : null
  try {
    const handled = await route.handle(route.stream ? { ...context, open: slot.open } : context)
    const outcome = handled instanceof UnstoredReply ? handled.value : handled
    if (slot.stream) await finishStream(route, slot.stream, outcome)
    else await respond(exchange, outcome)
    return undefined
  } catch (error) {
    checkDeclared(exchange, error)
    const known = error instanceof ApiError ? error : null
    if (claim) await settleClaim(exchange, claim, known)
    if (!slot.stream) throw error
    if (!known) app.log.error({ err: error, ...logFieldsOf(request) }, 'http.stream_failed')
    slot.stream.cut(
      errorFrame(
        known ?? new ApiError('internal'),
        errorFormatOf(request.url, request.headers),
        exchange.info.language,
      ),
    )
    return reply
  } finally {
    stopWatching?.()
    if (slot.stream) streams.release(actor)
  }
}

export function openStream({ endpoint, request, reply, actor, head }: Exchange): OpenEventStream {
  head.copyToStream(reply)
  const stream = endpoint.streams.open(endpoint.route, request, reply, actor)
  return endpoint.route.lastFrame ? numbered(stream) : stream
}

function numbered(stream: OpenEventStream): OpenEventStream {
  let seq = 0
  return { ...stream, send: (frame) => stream.send({ seq: ++seq, ...frame }) }
}

/** The stream of one exchange. It opens when the handler first asks for it. */
class StreamSlot {
  readonly #exchange: Exchange
  stream: OpenEventStream | null

  constructor(exchange: Exchange, opened: OpenEventStream | null) {
    this.#exchange = exchange
    this.stream = opened
  }

  readonly open = (): OpenEventStream => {
    this.stream ??= openStream(this.#exchange)
    return this.stream
  }
}

async function finishStream({ lastFrame }: Route, stream: OpenEventStream, outcome: unknown): Promise<void> {
  if (outcome instanceof CommittedReply) {
    const { value, encoded } = outcome
    if (lastFrame) await stream.send(lastFrame(value))
    else await stream.sendRaw(value instanceof RecordedStream ? value.end : encoded.text)
  } else if (outcome !== undefined) await stream.send(outcome as object)
  stream.end()
}

/** Work under a key continues after its client disconnects. The key records that until the returned function is called. */
function detachOnDisconnect({ endpoint, request, reply }: Exchange, claim: Claim): () => void {
  const detach = () => {
    claim
      .detach()
      .catch((error) =>
        endpoint.app.log.warn(
          { err: error, ...logFieldsOf(request) },
          'http.client_disconnect.record_failed',
        ),
      )
  }
  if (reply.raw.closed) detach()
  else reply.raw.once('close', detach)
  return () => void reply.raw.off('close', detach)
}

/** A final error is stored under the key. Any other error frees the key for the next attempt. */
async function settleClaim(
  { endpoint, request, info }: Exchange,
  claim: Claim,
  error: ApiError | null,
): Promise<void> {
  if (error && isFinalError(error))
    return claim.storeError(
      error.status,
      errorResponse(error, request.id, errorFormatOf(request.url, request.headers), info.language).body,
    )
  const freed = error && isValidationError(error) ? claim.forget() : claim.release()
  await freed.catch((failure) =>
    endpoint.app.log.warn({ err: failure, ...logFieldsOf(request) }, 'http.idempotency.release_failed'),
  )
}
