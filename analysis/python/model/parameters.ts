// Parameters that a request controls: views, route handlers, cloud functions.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { tainted } from '../../engine/values/values.ts'
import type { Annotation, FunctionDefinition, Parameter } from '../../ir.ts'
import type { LanguageModel } from '../../language-model.ts'
import type { EventContext } from '../../rule.ts'
import { REQUEST_TYPE, VIEW_CLASS } from '../lowering/definitions.ts'

export const parameter: LanguageModel['parameter'] = (taken, index, definition, where, registered) => {
  const name = nameOf(taken)
  if (name === 'self' || name === 'cls') return undefined
  if (isRequest(taken, index, definition, where)) return { taints: [], type: REQUEST_TYPE, name }
  if (isCloudFunction(name, definition)) return fromRequest(taken, where)
  const route = definition.annotations.find((mark) => isRouteMark(mark, where))
  if (route) return ofRoute(taken, route, where)
  if (isViewMethod(definition, where)) return isIdentifier(name) ? UNTAINTED : fromRequest(taken, where)
  if (registered && hasRequest(definition)) return isIdentifier(name) ? UNTAINTED : fromRequest(taken, where)
  return isHarmlessType(taken.type) ? UNTAINTED : undefined
}

const nameOf = ({ target }: Parameter): string => (target.kind === 'name' ? target.name : '')

const fromRequest = (taken: Parameter, where: EventContext): AbstractValue =>
  tainted('request', `parameter ${nameOf(taken)}`, taken.target.at, where.path)

function isRequest(
  taken: Parameter,
  index: number,
  definition: FunctionDefinition,
  where: EventContext,
): boolean {
  if (taken.type !== null) return REQUESTS.test(taken.type)
  const name = nameOf(taken)
  if (name !== 'request' && name !== 'req') return false
  if (
    where.imports(
      /^(?:django|rest_framework|aiohttp|starlette|fastapi|sanic|pyramid|tornado|ninja|falcon|webob)\b/,
    )
  )
    return true
  return index === 0 && name === 'request' && definition.annotations.length > 0
}

const REQUESTS =
  /^(?:[\w.]*\.)?(?:HttpRequest|Request|WSGIRequest|ASGIRequest|AuthenticatedHttpRequest|web\.Request|WebSocket|HTTPConnection)$/

function isCloudFunction(name: string, { name: called, parameters }: FunctionDefinition): boolean {
  const second = parameters.at(-1)
  return (
    name === 'event' && /handler|lambda/i.test(called) && second !== undefined && nameOf(second) === 'context'
  )
}

function isRouteMark({ name }: Annotation, where: EventContext): boolean {
  if (/\.(?:route|api_route|websocket|view)$/.test(name)) return true
  if (/\.(?:get|post|put|patch|delete)$/.test(name)) return !/^(?:self|mock|responses|httpretty)\b/.test(name)
  return /^(?:route|get|post|put|delete)$/.test(name) && where.imports('bottle')
}

/** A part of the URL, or for FastAPI whatever its type and default declare. */
function ofRoute(taken: Parameter, mark: Annotation, where: EventContext): AbstractValue {
  const name = nameOf(taken)
  if (isHarmlessType(taken.type) || isInjected(taken, where)) return UNTAINTED
  const address = mark.args.find(({ name: given }) => given === null)?.value
  const text = address?.kind === 'literal' && typeof address.value === 'string' ? address.value : ''
  if (new RegExp(`<(?:int|float|uuid)(?:\\([^)]*\\))?:${name}>`).test(text)) return UNTAINTED
  if (new RegExp(`<${name}:(?:int|float)>`).test(text)) return UNTAINTED
  if (!isTypedFramework(where) && text !== '' && !new RegExp(`[<:{]${name}\\b|:${name}>`).test(text))
    return UNTAINTED
  const of = taken.type === null ? undefined : where.lookUp(taken.type)?.classDefinition
  const brought = fromRequest(taken, where)
  if (!of) return brought
  const fields = new Map(
    of.fields.map(({ name: called, type }) => [called, isHarmlessType(type) ? UNTAINTED : brought]),
  )
  return { ...brought, fields }
}

const isTypedFramework = (where: EventContext): boolean =>
  where.imports(/^(?:fastapi|starlette|litestar|ninja)\b/)

/** Injected by the framework, not sent by the client: a session, the signed-in user. */
function isInjected(taken: Parameter, where: EventContext): boolean {
  const given = taken.default === null ? '' : where.source(taken.default.at)
  if (/\b(?:Depends|Security|Provide|inject)\s*\(/.test(`${given} ${taken.type ?? ''}`)) return true
  return (
    taken.type !== null &&
    /^(?:\w+\.)*(?:Session|AsyncSession|BackgroundTasks|Response|Connection|Settings)$/.test(taken.type)
  )
}

/** Numbers, booleans, dates, ids and enums cannot contain arbitrary text. */
export function isHarmlessType(type: string | null): boolean {
  if (type === null) return false
  const inner =
    /^(?:Optional|Annotated|list|List|set|Set|Sequence|Union)\[\s*([\w.]+)/.exec(type)?.[1] ?? type
  const parts = inner.split('|').map((part) => part.trim())
  return parts.every((part) => part === 'None' || HARMLESS.test(part))
}

const HARMLESS =
  /^(?:[\w.]*\.)?(?:int|float|bool|UUID\d?|UUID4|Decimal|date|datetime|time|timedelta|PositiveInt|NonNegativeInt|conint|Literal\b.*|\w*Enum|IPv4Address|ObjectId)$/

const isViewMethod = ({ name }: FunctionDefinition, { classes }: EventContext): boolean =>
  /^(?:get|post|put|patch|delete|head|dispatch|retrieve|list|create|update|destroy|partial_update)$/.test(
    name,
  ) &&
  (classes[0]?.bases.some((base) => VIEW_CLASS.test(base)) ?? false)

/** URL parameters with these names are usually numbers. */
const isIdentifier = (name: string): boolean =>
  /^(?:pk|id|uid|uuid|year|month|day|page|format|args|kwargs)$|_(?:id|pk|uuid)$/.test(name)

const hasRequest = ({ parameters }: FunctionDefinition): boolean =>
  parameters.slice(0, 2).some((each) => /^(?:request|req)$/.test(nameOf(each)))
