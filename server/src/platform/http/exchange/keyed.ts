// An idempotent route: the handler runs once for each key, and every retry gets the stored outcome.
import { assert } from '../../../kernel/assert.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { fromJson } from '../../../kernel/json.ts'
import { idempotencyStaleMinutes } from '../../settings/platform-settings.ts'
import {
  type Claim,
  checkKey,
  claim,
  type EncodedReply,
  type Intent,
  isDecided,
  isReplay,
  type Replay,
  unkeyed,
  waitForOutcome,
} from '../idempotency/idempotency.ts'
import { errorFrame } from '../reply/error-format.ts'
import { toApiError } from '../reply/error-response.ts'
import type { OpenEventStream } from '../reply/sse.ts'
import { type StreamFormat, streamFormatOf } from '../reply/stream-format.ts'
import { disconnectSignal } from '../request/request-info.ts'
import { streamsFor } from '../route.ts'
import { encodeReply } from './encode.ts'
import { contextOf, type Endpoint, type Exchange } from './exchange.ts'
import { sendEncoded } from './respond.ts'
import { openStream, run } from './run.ts'

/** A waiting request gives up this long before its timeout, so that it can still send a response. */
const RESPONSE_MS = 1_000
const WAITERS_PER_KEY = 3

export async function keyed(exchange: Exchange): Promise<unknown> {
  const { endpoint, request } = exchange
  const key = checkKey(request.headers['idempotency-key'], endpoint.route.idempotency === 'required')
  if (key === undefined || endpoint.route.isFree?.(exchange.input.body)) {
    const once = unkeyed(endpoint.app.db, (outcome) => encodeReply(exchange, outcome))
    return run(exchange, { ...contextOf(exchange), once }, null, null)
  }
  const intent = intentOf(exchange, key)
  const found = await claimKey(exchange, intent)
  if (found === 'detached') return attach(exchange, intent)
  if (!isReplay(found)) return runClaimed(exchange, found, null)
  exchange.head.set('idempotency-replayed', 'true')
  return sendEncoded(exchange, encodedOf(exchange, found))
}

function intentOf({ endpoint, actor, input }: Exchange, key: string): Intent {
  assert(actor, 'a route with idempotency knows its caller')
  const { name, isContent } = endpoint.route
  const { userId, orgId } = actor
  return { userId, orgId, route: name, key, params: paramsOf(input), body: input.given, isContent }
}

/** Also those of the query, which may choose the format of the reply. */
const paramsOf = ({ params, query }: Exchange['input']): unknown =>
  Object.keys(query ?? {}).length > 0 ? { params, query } : params

const claimKey = (exchange: Exchange, intent: Intent): Promise<Claim | Replay | 'detached'> => {
  const { app } = exchange.endpoint
  return claim(app.db, app.clock, intent, staleMinutesOf(exchange.endpoint), (outcome) =>
    encodeReply(exchange, outcome),
  )
}

const staleMinutesOf = ({ app }: Endpoint): number => app.settings.get(idempotencyStaleMinutes)

const runClaimed = (exchange: Exchange, held: Claim, opened: OpenEventStream | null): Promise<unknown> =>
  run(exchange, { ...contextOf(exchange), once: held.once }, held, opened)

/** A client that reconnects with its key waits for the outcome of the call that still runs. */
async function attach(exchange: Exchange, intent: Intent): Promise<unknown> {
  const { endpoint, reply, head, input } = exchange
  const { route, waiters } = endpoint
  const waiterKey = `${intent.userId} ${intent.key}`
  addWaiter(waiters, waiterKey)
  try {
    head.set('idempotency-replayed', 'true')
    if (streamsFor(route, input.body)) return await attachStream(exchange, intent, openStream(exchange))
    // After its timeout response a client gets nothing more, so nothing may start for it.
    const timeout = AbortSignal.timeout(Math.max(0, route.timeoutMs - RESPONSE_MS))
    const gone = AbortSignal.any([disconnectSignal(reply.raw), timeout])
    const found = await outcomeFor(exchange, intent, gone)
    if (!found) throw new ApiError('idempotency_in_progress')
    if (!isReplay(found)) return await runClaimed(exchange, found, null)
    return await sendEncoded(exchange, encodedOf(exchange, found))
  } finally {
    removeWaiter(waiters, waiterKey)
  }
}

async function attachStream(exchange: Exchange, intent: Intent, stream: OpenEventStream): Promise<unknown> {
  const { endpoint, request, reply, actor } = exchange
  const format = streamFormatOf(request.url, request.headers)
  let isHandedOver = false
  try {
    const found = await outcomeFor(exchange, intent, stream.closed)
    if (found && !isReplay(found)) {
      isHandedOver = true
      return await runClaimed(exchange, found, stream)
    }
    if (found) await stream.sendRaw(framesOf(exchange, found, format))
    stream.end()
  } catch (error) {
    stream.cut(
      errorFrame(toApiError(error) ?? new ApiError('internal'), format.errors, exchange.info.language),
    )
  } finally {
    if (!isHandedOver) endpoint.streams.release(actor)
  }
  return reply
}

const outcomeFor = (
  exchange: Exchange,
  intent: Intent,
  gone: AbortSignal,
): Promise<Claim | Replay | null> => {
  const { app } = exchange.endpoint
  return waitForOutcome(
    () => isDecided(app.db, app.clock, intent, staleMinutesOf(exchange.endpoint)),
    () => claimKey(exchange, intent),
    gone,
  )
}

function addWaiter(waiters: Map<string, number>, key: string): void {
  const count = waiters.get(key) ?? 0
  if (count >= WAITERS_PER_KEY) throw new ApiError('idempotency_in_progress')
  waiters.set(key, count + 1)
}

function removeWaiter(waiters: Map<string, number>, key: string): void {
  const left = (waiters.get(key) ?? 1) - 1
  if (left > 0) waiters.set(key, left)
  else waiters.delete(key)
}

/** A stored outcome in the form that this client asks for. */
function encodedOf({ endpoint, request }: Exchange, { status, contentType, body }: Replay): EncodedReply {
  const { lastFrame } = endpoint.route
  if (status !== 200 || !lastFrame) return { status, contentType, text: body }
  const format = streamFormatOf(request.url, request.headers)
  const text = format.frame({ seq: 1, ...lastFrame(fromJson(body)) })
  return { status, contentType: format.contentType, text }
}

/** A stored outcome as the end of a stream that is already open. A stored error becomes its last frame. */
const framesOf = (exchange: Exchange, found: Replay, format: StreamFormat): string =>
  found.status === 200 ? encodedOf(exchange, found).text : format.errorEnd(found.body, true)
