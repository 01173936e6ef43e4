// One request and its response: the values that every step of serving it shares.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../../kernel/assert.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { App } from '../../app.ts'
import type { Actor, OrgToken } from '../actor.ts'
import { jsonTypeOf } from '../reply/error-format.ts'
import { errorCodesOf } from '../reply/error-response.ts'
import type { ResponseHead } from '../reply/headers.ts'
import type { OpenStreams } from '../reply/open-streams.ts'
import type { Input } from '../request/input.ts'
import type { RequestInfo, Route } from '../route.ts'
import { logFieldsOf } from './request-log.ts'

/** A route as this process serves it. Prepared once at start. */
export type Endpoint = {
  readonly app: App
  readonly route: Route
  readonly streams: OpenStreams
  readonly successStatus: number
  readonly jsonType: string
  /** Outside production, replies and errors are compared with their description. */
  readonly checksReplies: boolean
  /** How many requests wait for the outcome of a detached call, by user and idempotency key. */
  readonly waiters: Map<string, number>
}

export type Exchange = {
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly actor: Actor | null
  readonly token: OrgToken | null
  readonly head: ResponseHead
  readonly info: RequestInfo
  readonly input: Input
}

export function createEndpoint(app: App, route: Route, streams: OpenStreams): Endpoint {
  return {
    app,
    route,
    streams,
    successStatus: successStatusOf(route),
    jsonType: jsonTypeOf(route.path),
    checksReplies: app.config.environment !== 'production',
    waiters: new Map(),
  }
}

/** The argument of a handler, without what only streams and idempotent routes add. */
export const contextOf = ({ endpoint, actor, token, info, input }: Exchange) => ({
  app: endpoint.app,
  actor: token ?? actor,
  request: info,
  params: input.params,
  query: input.query,
  body: input.body,
})

export function checkDeclared({ endpoint, request }: Exchange, error: unknown): void {
  const { app, route, checksReplies } = endpoint
  if (checksReplies && error instanceof ApiError && !errorCodesOf(route).includes(error.code))
    app.log.error({ ...logFieldsOf(request), errorCode: error.code }, 'http.undeclared_error')
}

function successStatusOf(route: Route): number {
  const statuses = route.stream && !route.lastFrame ? [200] : Object.keys(route.reply).map(Number)
  assert(statuses.length >= 1, `${route.name} describes a reply`)
  return Math.min(...statuses)
}
