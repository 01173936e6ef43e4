// Parameters of request handlers and platform functions.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Expr, FunctionDefinition } from '../../ir.ts'
import type { LanguageModel } from '../../language-model.ts'
import type { EventContext } from '../../rule.ts'
import { fromFolder, fromMessage, fromResolver, fromTool } from './callback-parameters.ts'
import { nameOf, type ParameterQuery } from './parameter-query.ts'
import { isExecutor, RESOLVER } from './promises.ts'
import {
  contextValue,
  eventValue,
  RESPONSE,
  requestTaint,
  requestValue,
  type SourcePosition,
} from './requests.ts'

export const parameterValue: LanguageModel['parameter'] = (
  parameter,
  index,
  definition,
  where,
  registered,
) => {
  const name = nameOf(parameter)
  const source: SourcePosition = {
    label: name === '' ? 'the request' : name,
    at: parameter.target.at,
    path: where.path,
  }
  if (index === 0 && isExecutor(registered?.by)) return { taints: [], name: RESOLVER }
  const question: ParameterQuery = { parameter, index, definition, where, registered, name, source }
  return (
    fromDecorator(question) ??
    fromServer(question) ??
    fromRequest(question) ??
    fromContext(question) ??
    fromPlatform(question) ??
    fromMessage(question) ??
    fromFolder(question) ??
    fromResolver(question) ??
    fromTool(question) ??
    untaintedByName(question)
  )
}

/** Nest declares the source of a parameter with a decorator. */
function fromDecorator({ parameter, source }: ParameterQuery): AbstractValue | undefined {
  for (const { name, args } of parameter.annotations) {
    const inner = name.split('.').at(-1) ?? ''
    if (REQUEST_DECORATORS.has(inner)) {
      const key = args[0]?.value
      const label = key?.kind === 'literal' ? `@${inner}('${key.value}')` : `@${inner}()`
      const value = requestTaint({ ...source, label })
      // The framework converts the value to the declared number or boolean.
      if (/^(number|boolean|bigint)$/.test(parameter.type ?? '')) return UNTAINTED
      return inner === 'Param' || inner === 'Headers'
        ? { ...value, others: { ...value, type: 'string' } }
        : value
    }
    if (inner === 'Req' || inner === 'Request') return requestValue(source)
    if (inner === 'Res' || inner === 'Response') return { taints: [], type: RESPONSE }
  }
  return undefined
}

const REQUEST_DECORATORS = new Set([
  'Body',
  'Query',
  'Param',
  'Headers',
  'RawBody',
  'MessageBody',
  'Args',
  'Payload',
])

/** The handler of a server of Node.js: its parameters may have any names. */
function fromServer({ index, definition, registered, source }: ParameterQuery): AbstractValue | undefined {
  const by = registered?.by ?? ''
  const isListener = SERVER_LISTENER.test(by) && definition.parameters.length === 2
  if (!isListener && !SERVER_CALL.test(by)) return undefined
  if (index === 0) return requestValue(source)
  return index === 1 ? { taints: [], type: RESPONSE } : undefined
}

const SERVER_CALL = /^(?:https?|http2|spdy|connect)\.(?:createServer|createSecureServer|Server)$/

const SERVER_LISTENER =
  /^(?:https?|http2)\.(?:createServer|createSecureServer|Server)\(\)\.(?:on|addListener)$/

/** `(req, res)`, `(request, reply)`, `(err, req, res, next)`, or a declared type. */
function fromRequest(question: ParameterQuery): AbstractValue | undefined {
  const { parameter, index, name, source } = question
  const type = parameter.type?.replace(/<.*$/s, '').split('.').at(-1) ?? ''
  if (RESPONSE_TYPES.has(type)) return { taints: [], type: RESPONSE }
  if (REQUEST_TYPES.has(type)) return requestValue(source)
  if (REQUEST_NAME.test(name)) return isIncoming(question) ? requestValue(source) : undefined
  const before = question.definition.parameters[index - 1]
  if (!before) return undefined
  if (isRouteMatch(question)) return requestTaint(source)
  const isAfterRequest = REQUEST_NAME.test(nameOf(before)) || (before.target.kind === 'map' && index === 1)
  return isAfterRequest && RESPONSE_NAME.test(name) ? { taints: [], type: RESPONSE } : undefined
}

/** `(req, res, params)`: small routers pass the matched parts of the path. */
function isRouteMatch({ index, name, definition }: ParameterQuery): boolean {
  const [first, second] = definition.parameters.map(nameOf)
  return (
    index === 2 &&
    ROUTE_MATCH.test(name) &&
    REQUEST_NAME.test(first ?? '') &&
    RESPONSE_NAME.test(second ?? '')
  )
}

const ROUTE_MATCH = /^(?:params|details|match|matches|captures|tokens|splats?)$/

const REQUEST_TYPES = new Set([
  'Request',
  'ExpressRequest',
  'FastifyRequest',
  'NextApiRequest',
  'NextRequest',
  'IncomingMessage',
  'VercelRequest',
])
const RESPONSE_TYPES = new Set([
  'Response',
  'ExpressResponse',
  'FastifyReply',
  'NextApiResponse',
  'ServerResponse',
  'VercelResponse',
])
const REQUEST_NAME = /^_?(?:req|request)$/
const RESPONSE_NAME = /^_?(?:res|resp|response|reply|rep|h|next)$/

/** An incoming request. Requests of an HTTP client have the same parameter names. */
function isIncoming({ index, definition, registered, name, where }: ParameterQuery): boolean {
  const next = definition.parameters[index + 1]
  if (next && RESPONSE_NAME.test(nameOf(next))) return true
  if (registered?.route) return true
  if (HANDLER_NAMES.has(definition.name) && definition.isExported) return true
  if (name === 'req') return where.imports(SERVERS) || definition.isExported
  return isModuleHandler(definition, where)
}

/** `module.exports = (request) => …` that reads parts of an incoming request. */
const isModuleHandler = (
  { name, isExported, parameters, at }: FunctionDefinition,
  { source }: EventContext,
) =>
  (name === '' || name === 'exports') &&
  isExported &&
  parameters.length === 1 &&
  /\brequest\.(?:query|params|cookies)\b/.test(source(at))

const HANDLER_NAMES = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'fetch',
  'handler',
  'loader',
  'action',
])
const SERVERS =
  /^(?:express|fastify|@fastify\/|restify|polka|connect|http|https|next|micro|@hapi\/|hapi|body-parser)/

/** The context of Koa (`ctx`, formerly `this` of a generator) and Hono (`c`). */
function fromContext({
  index,
  name,
  source,
  where,
  definition,
  registered,
}: ParameterQuery): AbstractValue | undefined {
  if (name === 'this') return contextValue(source)
  if (index !== 0) return undefined
  const isNamed = name === 'ctx' || name === 'context' || (name === 'c' && where.imports(/^hono/))
  if (!isNamed) return undefined
  const next = definition.parameters[1]
  const isHandler = registered?.route != null || (next !== undefined && nameOf(next) === 'next')
  return isHandler || where.imports(/^(?:koa|@koa\/|hono)/) ? contextValue(source) : undefined
}

/** Functions called by a platform: Lambda, Remix, and the second argument of Next.js handlers. */
function fromPlatform({
  index,
  name,
  definition,
  parameter,
  source,
  where,
}: ParameterQuery): AbstractValue | undefined {
  const isHandler = definition.isExported && HANDLER_NAMES.has(definition.name)
  if (index === 0 && name === 'event' && (isHandler || /\b(?:queryString|path)Parameters\b/.test(where.text)))
    return eventValue(source)
  if (!isHandler || parameter.target.kind !== 'map') return undefined
  const wanted = keysOf(parameter.target)
  if (!wanted.includes('params') && !wanted.includes('request')) return undefined
  const request = requestValue(source)
  return { ...request, fields: new Map([...(request.fields ?? []), ['request', request]]) }
}

const keysOf = (target: Expr): unknown[] =>
  target.kind === 'map' ? target.entries.map(({ key }) => (key?.kind === 'literal' ? key.value : null)) : []

/** Parameters that usually hold functions or numbers are untainted. */
function untaintedByName({ parameter, name }: ParameterQuery): AbstractValue | undefined {
  if (name === '$' || name === 'jQuery') return { taints: [], name: 'jQuery' }
  if (/^(?:number|boolean|bigint|Date|Buffer|RegExp|\(.*\) => .*)$/s.test(parameter.type ?? ''))
    return UNTAINTED
  return /^(?:cb|callback|done|next|fn|err|error|resolve|reject)$/.test(name) ? UNTAINTED : undefined
}
