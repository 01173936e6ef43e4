// The life of a request after the guard: prove, parse, claim, handle, answer. Every route goes this way.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { assert } from '../../kernel/assert.ts'
import { ApiError, type Field } from '../../kernel/errors.ts'
import { toJson } from '../../kernel/json.ts'
import type { App } from '../app.ts'
import { idempotencyStaleMinutes } from '../settings/platform-settings.ts'
import { Answer } from './answer.ts'
import type { Passage } from './guard.ts'
import {
  type Claim,
  Committed,
  checkKey,
  claim,
  type Encoded,
  isReplay,
  isStoredRefusal,
  unkeyed,
} from './idempotency.ts'
import { parseBody } from './inspect.ts'
import type { Streams } from './open-streams.ts'
import { errorsOf, fieldsOf, refusalOf } from './refusals.ts'
import { isRail, isRaw, type RequestInfo, type Route } from './route.ts'
import { frameText, type OpenEventStream } from './sse.ts'

const JSON_CONTENT = 'application/json; charset=utf-8'

export type Serve = (request: FastifyRequest, reply: FastifyReply, passage: Passage) => Promise<unknown>

/** Prepares one route once, so that a request does only what its own description asks for. */
export function createServe(app: App, route: Route, streams: Streams): Serve {
  const success = successOf(route)
  const declared = new Set<string>(errorsOf(route))
  const checksReplies = app.config.environment !== 'production'

  return async (request, reply, passage) => {
    const info = requestInfo(request, reply, passage)
    if (isRail(route.access))
      await route.access.proof(app, {
        raw: info.raw ?? Buffer.alloc(0),
        headers: info.headers,
        address: info.address,
        query: request.query as Record<string, unknown>,
      })
    const input = readInput(route, request, info)
    const context = { app, actor: passage.actor, request: info, ...input }
    if (route.idempotency === 'none') return run(request, reply, passage, context, null)

    const key = checkKey(request.headers['idempotency-key'], route.idempotency === 'required')
    if (key === undefined)
      return run(request, reply, passage, { ...context, once: unkeyed(app.db, encode) }, null)
    assert(passage.actor, 'a route with idempotency knows its caller')
    const { userId, orgId } = passage.actor
    const intent = { userId, orgId, route: route.name, key, params: input.params, body: input.given }
    const found = await claim(app.db, app.clock, intent, app.settings.get(idempotencyStaleMinutes), encode)
    if (isReplay(found)) {
      reply
        .code(found.status)
        .header('content-type', found.contentType)
        .header('idempotency-replayed', 'true')
      return reply.send(found.body)
    }
    return run(request, reply, passage, { ...context, once: found.once }, found)
  }

  async function run(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Passage,
    context: object,
    held: Claim | null,
  ): Promise<unknown> {
    let stream: OpenEventStream | null = null
    const open = () => {
      stream = streams.open(route, request, reply, passage.actor)
      return stream
    }
    try {
      const outcome = await route.handle(route.stream ? { ...context, open } : context)
      return stream ? await finishStream(stream, outcome) : send(reply, outcome)
    } catch (error) {
      const refusal = await settleRefusal(error, request.id, held)
      if (!stream) throw error
      const { code, message } = refusal ?? new ApiError('internal')
      if (!refusal) app.log.error({ err: error, route: route.name, requestId: request.id }, 'a stream failed')
      ;(stream as OpenEventStream).cut({ error: message, code })
      return reply
    } finally {
      if (stream) streams.closed(passage.actor)
    }
  }

  /** Refusals on the merits are remembered under the key; anything else leaves it free for the next try. */
  async function settleRefusal(
    error: unknown,
    requestId: string,
    held: Claim | null,
  ): Promise<ApiError | null> {
    const refusal = error instanceof ApiError ? error : null
    if (refusal && !declared.has(refusal.code) && checksReplies)
      app.log.error(
        { route: route.name, code: refusal.code },
        'a route gave a refusal that its description does not name',
      )
    if (!held) return refusal
    if (refusal && isStoredRefusal(refusal))
      await held.refuse(refusal.status, refusalOf(refusal, requestId).body)
    else
      await held
        .release()
        .catch((failure) =>
          app.log.warn(
            { err: failure, route: route.name },
            'an idempotency key stays claimed until it is stale',
          ),
        )
    return refusal
  }

  async function finishStream(stream: OpenEventStream, outcome: unknown): Promise<FastifyReply | undefined> {
    if (outcome instanceof Committed) await stream.sendText(outcome.encoded.text)
    else if (outcome !== undefined) await stream.send(outcome as object)
    stream.end()
    return undefined
  }

  function send(reply: FastifyReply, outcome: unknown): FastifyReply {
    if (outcome instanceof Answer) reply.headers(outcome.headers)
    const { status, contentType, text } = outcome instanceof Committed ? outcome.encoded : encode(outcome)
    return reply.code(status).header('content-type', contentType).send(text)
  }

  /** From what a handler returned to what is sent and, under a key, stored. */
  function encode(outcome: unknown): Encoded {
    if (route.stream && !(outcome instanceof Answer))
      return {
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
        text: frameText(outcome as object),
      }
    const status = outcome instanceof Answer ? outcome.status : success
    const body = outcome instanceof Answer ? outcome.body : outcome
    const type = outcome instanceof Answer ? outcome.headers['content-type'] : undefined
    if (type !== undefined) {
      assert(
        Object.hasOwn(route.also, type.split(';')[0] ?? ''),
        `${route.name} describes its replies of type ${type}`,
      )
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
      `the reply of ${route.name} has its described shape: ${checked.success ? '' : toJson(fieldsOf(checked.error.issues))}`,
    )
  }
}

type Input = { params: unknown; query: unknown; body: unknown; given: unknown }

/** Params, query and body through their shapes; all that is wrong is told at once. */
function readInput(route: Route, request: FastifyRequest, info: RequestInfo): Input {
  const fields: Field[] = []
  const take = (shape: z.ZodType, value: unknown, place?: 'query') => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    fields.push(...fieldsOf(parsed.error.issues, place))
    return undefined
  }
  // An absent body is an empty one: a route whose fields are all optional can be called without any.
  const given = route.body ? (info.raw?.length ? parseBody(info.raw) : {}) : undefined
  const body = route.body ? take(route.body, given) : undefined
  const query = route.query ? take(route.query, request.query, 'query') : undefined
  const params = route.params ? route.params.safeParse(request.params) : null
  if (params && !params.success) throw new ApiError('not_found')
  if (fields.length > 0) throw new ApiError('invalid_fields', { fields })
  return { params: params ? params.data : request.params, query, body, given }
}

function requestInfo(request: FastifyRequest, reply: FastifyReply, passage: Passage): RequestInfo {
  const { headers } = request
  return {
    id: request.id,
    address: passage.address,
    headers,
    raw: request.body instanceof Buffer ? request.body : undefined,
    get userAgent() {
      return (headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 300)
    },
    cookie: (name) => cookieOf(headers.cookie, name),
    setCookie: (cookie) => reply.header('set-cookie', cookie),
    setHeader: (name, value) => reply.header(name, value),
  }
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return undefined
}

function successOf(route: Route): number {
  const statuses = route.stream ? [200] : Object.keys(route.reply).map(Number)
  assert(statuses.length >= 1, `${route.name} describes a reply`)
  return Math.min(...statuses)
}
