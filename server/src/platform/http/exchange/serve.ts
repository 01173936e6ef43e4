// The life of a request after the guard: prove, parse, claim, handle, answer. Every route goes this way.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { assert } from '../../../kernel/assert.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { toJson } from '../../../kernel/json.ts'
import type { App } from '../../app.ts'
import { idempotencyStaleMinutes } from '../../settings/platform-settings.ts'
import type { Admission } from '../access/guard.ts'
import { Answer } from '../answer.ts'
import {
  type Claim,
  Committed,
  checkKey,
  claim,
  type EncodedReply,
  isDecided,
  isReplay,
  isFinalError,
  isValidationError,
  waitForOutcome,
  type Replay,
  unkeyed,
} from '../idempotency/idempotency.ts'
import { RecordedStream, Unstored } from '../idempotency/recorded-stream.ts'
import { isChunks, type Chunks } from '../reply/download.ts'
import { errorCodesOf, fieldErrors, errorFrame, errorResponse, toApiError } from '../reply/error-response.ts'
import type { ResponseHead } from '../reply/headers.ts'
import type { OpenStreams } from '../reply/open-streams.ts'
import { createSendAnswer } from '../reply/send-answer.ts'
import { frameText, type OpenEventStream } from '../reply/sse.ts'
import { undescribedIn } from '../reply/undescribed.ts'
import { readInput } from '../request/input.ts'
import { disconnectSignal, IncomingRequest } from '../request/request-info.ts'
import { isRail, isRaw, type Proof, type RequestInfo, type Route, streamsFor } from '../route.ts'

// What is left to say how it ended.
const ANSWER_MS = 1_000
const JSON_CONTENT = 'application/json; charset=utf-8'

/** Answers a request. A promise is made only where something is waited for. */
export type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  passage: Admission,
) => undefined | Promise<unknown>

/** Prepares one route once, so that a request does only what its own description asks for. */
export function createServe(app: App, route: Route, streams: OpenStreams): Serve {
  const success = successOf(route)
  const declared = new Set<string>(errorCodesOf(route))
  const checksReplies = app.config.environment !== 'production'
  const waiters = createWaiters()
  const answer = createSendAnswer(app, route)

  return (request, reply, passage) => {
    const info = new IncomingRequest(request, passage, reply.raw)
    const proven = isRail(route.access) ? prove(route.access.proof, request, info) : undefined
    const served = proven
      ? proven.then(() => serve(request, reply, passage, info))
      : serve(request, reply, passage, info)
    return served && !route.stream ? inTime(served, reply) : served
  }

  function prove(proof: Proof, request: FastifyRequest, info: RequestInfo): void | Promise<void> {
    return proof(app, {
      raw: info.raw ?? Buffer.alloc(0),
      headers: info.headers,
      address: info.address,
      query: request.query as Record<string, unknown>,
      params: request.params as Record<string, string>,
    })
  }

  function serve(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Admission,
    info: RequestInfo,
  ): undefined | Promise<unknown> {
    const input = readInput(route, request, info)
    const context = {
      app,
      actor: passage.actor,
      request: info,
      params: input.params,
      query: input.query,
      body: input.body,
    }
    if (route.idempotency !== 'none')
      return streams.track(runOnce(request, reply, passage, context, input.given))
    return route.stream
      ? streams.track(run(request, reply, passage, context, null))
      : runPlain(reply, passage.head, context)
  }

  function runPlain(reply: FastifyReply, head: ResponseHead, context: object): undefined | Promise<void> {
    try {
      const outcome = route.handle(context)
      if (outcome instanceof Promise) return sendLater(reply, head, outcome)
      return send(reply, head, outcome)
    } catch (error) {
      checkDeclared(error)
      throw error
    }
  }

  async function sendLater(reply: FastifyReply, head: ResponseHead, outcome: Promise<unknown>): Promise<void> {
    try {
      const long = send(reply, head, await outcome)
      if (long) await long
    } catch (error) {
      checkDeclared(error)
      throw error
    }
  }

  /** Answers for a handler that takes too long. What it still does is done; only its answer comes too late. */
  async function inTime(served: Promise<unknown>, reply: FastifyReply): Promise<void> {
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new ApiError('handler_timeout'))
    }, route.timeoutMs)
    try {
      await served
    } finally {
      clearTimeout(timer)
    }
  }

  async function runOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Admission,
    context: { params: unknown; body: unknown },
    given: unknown,
  ): Promise<unknown> {
    const key = checkKey(request.headers['idempotency-key'], route.idempotency === 'required')
    if (key === undefined)
      return run(request, reply, passage, { ...context, once: unkeyed(app.db, encode) }, null)
    assert(passage.actor, 'a route with idempotency knows its caller')
    const { userId, orgId } = passage.actor
    const { name, isContent } = route
    const intent = { userId, orgId, route: name, key, params: context.params, body: given, isContent }
    const staleMinutes = app.settings.get(idempotencyStaleMinutes)
    const ask = () => claim(app.db, app.clock, intent, staleMinutes, encode)
    const found = await ask()
    if (found === 'detached') {
      const look = () => isDecided(app.db, app.clock, intent, staleMinutes)
      const leave = waiters.enter(`${userId} ${key}`)
      const outcome = (gone: AbortSignal) => waitForOutcome(look, ask, gone)
      return attach(request, reply, passage, context, outcome).finally(leave)
    }
    if (!isReplay(found)) return run(request, reply, passage, { ...context, once: found.once }, found)
    passage.head.set('idempotency-replayed', 'true')
    return answer(reply, passage.head, replayOf(found))
  }

  /** Whoever lost the connection and comes back with the key gets the outcome of the call that still runs. */
  async function attach(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Admission,
    context: { body: unknown },
    outcome: (gone: AbortSignal) => Promise<Claim | Replay | null>,
  ): Promise<unknown> {
    passage.head.set('idempotency-replayed', 'true')
    const stream = streamsFor(route, context.body) ? openStream(request, reply, passage) : null
    if (stream) return attachStream(request, reply, passage, context, outcome, stream)
    // Who was told that it takes too long is not waited for: nothing is begun for them any more.
    const patience = AbortSignal.timeout(Math.max(0, route.timeoutMs - ANSWER_MS))
    const found = await outcome(AbortSignal.any([disconnectSignal(reply.raw), patience]))
    if (!found) throw new ApiError('idempotency_in_progress')
    if (!isReplay(found)) return run(request, reply, passage, { ...context, once: found.once }, found)
    return answer(reply, passage.head, replayOf(found))
  }

  async function attachStream(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Admission,
    context: object,
    outcome: (gone: AbortSignal) => Promise<Claim | Replay | null>,
    stream: OpenEventStream,
  ): Promise<unknown> {
    let isPassedOn = false
    try {
      const found = await outcome(stream.closed)
      if (found && !isReplay(found)) {
        isPassedOn = true
        return await run(request, reply, passage, { ...context, once: found.once }, found, stream)
      }
      if (found) await stream.sendRaw(framesOf(found))
      stream.end()
    } catch (error) {
      stream.cut(errorFrame(toApiError(error) ?? new ApiError('internal'), request.url))
    } finally {
      if (!isPassedOn) streams.release(passage.actor)
    }
    return reply
  }

  function openStream(request: FastifyRequest, reply: FastifyReply, passage: Admission): OpenEventStream {
    passage.head.copyTo(reply)
    return streams.open(route, request, reply, passage.actor)
  }

  async function run(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Admission,
    context: object,
    held: Claim | null,
    opened: OpenEventStream | null = null,
  ): Promise<unknown> {
    let stream = opened
    const open = () => {
      stream ??= openStream(request, reply, passage)
      return stream
    }
    const isDone = held ? detachWhenGone(reply, held) : () => undefined
    try {
      const handled = await route.handle(route.stream ? { ...context, open } : context)
      const outcome = handled instanceof Unstored ? handled.value : handled
      if (stream) await finishStream(stream, outcome)
      else {
        const long = send(reply, passage.head, outcome)
        if (long) await long
      }
      return undefined
    } catch (error) {
      const refusal = await settleRefusal(error, request, held)
      if (!stream) throw error
      if (!refusal) app.log.error({ err: error, route: route.name, requestId: request.id }, 'a stream failed')
      stream.cut(errorFrame(refusal ?? new ApiError('internal'), request.url))
      return reply
    } finally {
      isDone()
      if (stream) streams.release(passage.actor)
    }
  }

  /** Work under a key goes on when its caller is lost; the key then says so, until the returned function is called. */
  function detachWhenGone(reply: FastifyReply, held: Claim): () => void {
    let done = false
    const detach = () => {
      if (done) return
      held
        .detach()
        .catch((error) => app.log.warn({ err: error, route: route.name }, 'a lost caller was not noted'))
    }
    if (reply.raw.closed) detach()
    else reply.raw.once('close', detach)
    return () => {
      done = true
    }
  }

  /** Refusals on the merits are remembered under the key; anything else leaves it free for the next try. */
  async function settleRefusal(
    error: unknown,
    { id, url }: FastifyRequest,
    held: Claim | null,
  ): Promise<ApiError | null> {
    const refusal = error instanceof ApiError ? error : null
    checkDeclared(error)
    if (!held) return refusal
    if (refusal && isFinalError(refusal))
      await held.storeError(refusal.status, errorResponse(refusal, id, url).body)
    else
      await (refusal && isValidationError(refusal) ? held.forget() : held.release()).catch((failure) =>
        app.log.warn(
          { err: failure, route: route.name },
          'an idempotency key stays claimed until it is stale',
        ),
      )
    return refusal
  }

  function checkDeclared(error: unknown): void {
    if (checksReplies && error instanceof ApiError && !declared.has(error.code))
      app.log.error(
        { route: route.name, code: error.code },
        'a route gave a refusal that its description does not name',
      )
  }

  async function finishStream(stream: OpenEventStream, outcome: unknown): Promise<void> {
    if (outcome instanceof Committed) {
      const { value, encoded } = outcome
      await stream.sendRaw(value instanceof RecordedStream ? value.end : encoded.text)
    } else if (outcome !== undefined) await stream.send(outcome as object)
    stream.end()
  }

  function send(reply: FastifyReply, head: ResponseHead, outcome: unknown): undefined | Promise<void> {
    const value = outcome instanceof Committed ? outcome.value : outcome
    if (value instanceof Answer) {
      for (const [name, line] of Object.entries(value.headers)) head.setChecked(name, line)
      if (isChunks(value.body)) return sendLong(reply, head, value, value.body)
    }
    return answer(reply, head, outcome instanceof Committed ? outcome.encoded : encode(outcome))
  }

  /** Who is told that the answer takes too long was told before it began; from here on it goes on in its own time. */
  async function sendLong(
    reply: FastifyReply,
    head: ResponseHead,
    { status, headers }: Answer,
    pieces: Chunks,
  ) {
    if (reply.sent) return
    const spec = route.reply[status]
    assert(spec && isRaw(spec), `${route.name} describes what it sends in pieces`)
    const type = headers['content-type']
    if (type !== undefined) requireDescribed(type)
    reply.hijack()
    head.begin(reply.raw, status, type ?? spec.contentType)
    const { error: fault } = await streams.download(route, reply.raw, pieces)
    if (fault !== undefined) app.log.error({ err: fault, route: route.name }, 'a long answer was cut')
  }

  function requireDescribed(type: string): void {
    const isDescribed = Object.hasOwn(route.also, type.split(';')[0] ?? '')
    assert(isDescribed, `${route.name} describes its replies of type ${type}`)
  }

  /** From what a handler returned to what is sent and, under a key, stored. */
  function encode(outcome: unknown): EncodedReply {
    if (route.stream && !(outcome instanceof Answer))
      return {
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
        text: outcome instanceof RecordedStream ? outcome.text : frameText(outcome as object),
      }
    const status = outcome instanceof Answer ? outcome.status : success
    const body = outcome instanceof Answer ? outcome.body : outcome
    const type = outcome instanceof Answer ? outcome.headers['content-type'] : undefined
    if (type !== undefined) {
      requireDescribed(type)
      return { status, contentType: type, text: body as string }
    }
    const spec = route.reply[status]
    assert(spec, `${route.name} describes its reply with status ${status}`)
    if (isRaw(spec))
      return { status, contentType: spec.contentType || 'text/plain; charset=utf-8', text: body as string }
    if (checksReplies) requireShape(spec, body)
    return { status, contentType: JSON_CONTENT, text: toJson(body) }
  }

  function requireShape(shape: z.ZodType, body: unknown): void {
    const checked = shape.safeParse(body)
    assert(
      checked.success,
      `the reply of ${route.name} has its described shape: ${checked.success ? '' : toJson(fieldErrors(checked.error.issues))}`,
    )
    // Reading by a shape leaves out what the shape does not name, and a client that follows the document refuses that.
    const undescribed = undescribedIn(body, checked.data)
    assert(undescribed === null, `${undescribed} in the reply of ${route.name} is described`)
  }
}

const WAITERS_PER_KEY = 3

/** Those who wait for the outcome of a call that lost its caller: a few for each key, because one was enough. */
function createWaiters() {
  const counts = new Map<string, number>()
  return {
    enter(key: string): () => void {
      const count = counts.get(key) ?? 0
      if (count >= WAITERS_PER_KEY) throw new ApiError('idempotency_in_progress')
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

const replayOf = ({ status, contentType, body }: Replay): EncodedReply => ({ status, contentType, text: body })

/** A stored outcome as the end of a stream that is open already. A refusal becomes its last frame. */
const framesOf = ({ contentType, body }: Replay): string =>
  contentType.startsWith('text/event-stream') ? body : `data: ${body}\n\n`

function successOf(route: Route): number {
  const statuses = route.stream ? [200] : Object.keys(route.reply).map(Number)
  assert(statuses.length >= 1, `${route.name} describes a reply`)
  return Math.min(...statuses)
}
