// Reads the operations of an OpenAPI document for the SDK generator.
import { resolveComponents } from '../../server/src/platform/http/openapi/components.ts'

export type JsonObject = { readonly [key: string]: unknown }
export type ReplyKind = 'json' | 'text' | 'bytes' | 'stream'

export type Operation = {
  name: string
  method: string
  path: string
  summary: string
  /** Names of path parameters. */
  params: string[]
  query: { schema: JsonObject; required: boolean } | null
  body: { schema: JsonObject; required: boolean } | null
  idempotent: boolean
  reply: { kind: ReplyKind; schema: JsonObject }
}

/** MCP has its protocol and clients, so the SDK leaves it out. */
const ELSEWHERE = '/mcp'

/** All operations with a reply. Redirects are for browsers. */
export function readOperations(
  document: JsonObject,
  isWanted: (operation: JsonObject) => boolean = () => true,
): Operation[] {
  const operations: Operation[] = []
  for (const [path, methods] of entries(resolveComponents(document).paths))
    for (const [method, operation] of entries(methods)) {
      if (path === ELSEWHERE || !isWanted(operation)) continue
      const read = { ...readOperation(operation), method: method.toUpperCase(), path }
      for (const { suffix, reply } of formsOf(operation))
        operations.push({ ...read, name: read.name + suffix, reply })
    }
  return operations
}

export const readSchemas = (document: JsonObject): [string, JsonObject][] =>
  entries((document.components as JsonObject | undefined)?.schemas)

function readOperation(operation: JsonObject) {
  const parameters = (operation.parameters ?? []) as JsonObject[]
  const body = operation.requestBody as JsonObject | undefined
  return {
    name: String(operation.operationId),
    summary: String(operation.summary),
    params: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => String(parameter.name)),
    query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: body ? { schema: schemaIn(entries(body.content)[0]?.[1]), required: body.required === true } : null,
    idempotent: operation['x-idempotency'] !== undefined,
  }
}

function queryOf(parameters: readonly JsonObject[]): Operation['query'] {
  if (parameters.length === 0) return null
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name)
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  return {
    schema: { type: 'object', properties, required, additionalProperties: false },
    required: required.length > 0,
  }
}

type ReplyForm = { readonly suffix: '' | 'Stream'; readonly reply: Operation['reply'] }

/** An operation whose stream is chosen by `Accept` gets a second method, such as `agent.runStream`. */
function formsOf(operation: JsonObject): ReplyForm[] {
  const good = entries(operation.responses).filter(([status]) => /^2\d\d$/.test(status))
  if (good.length === 0) return []
  const media = good.flatMap(([, response]) => entries(response.content))
  if (operation['x-streams'] !== 'accept') return [{ suffix: '', reply: replyOf(media) }]
  const whole = media.filter(([type]) => type !== 'text/event-stream')
  return [
    { suffix: '', reply: replyOf(whole) },
    { suffix: 'Stream', reply: replyOf(media) },
  ]
}

function replyOf(media: readonly (readonly [string, JsonObject])[]): Operation['reply'] {
  const of = (pattern: RegExp) =>
    media.filter(([type]) => pattern.test(type)).map(([, content]) => schemaIn(content))
  const [frame] = of(/^text\/event-stream$/)
  if (frame) return { kind: 'stream', schema: frame }
  // The client asks for plain JSON. Other formats are for manual requests.
  const asked = of(/^application\/json$/)
  const json = asked.length > 0 ? asked : of(/json$/)
  // A document that the service passes through has a string schema, so its JSON type is unknown.
  if (json.length > 0)
    return { kind: 'json', schema: json.some((schema) => schema.type === 'string') ? {} : unionOf(json) }
  return { kind: media.every(([type]) => type.startsWith('text/')) ? 'text' : 'bytes', schema: {} }
}

const unionOf = (schemas: readonly JsonObject[]): JsonObject =>
  schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas }
const schemaIn = (media: JsonObject | undefined): JsonObject => (media?.schema ?? {}) as JsonObject
export const entries = (value: unknown): [string, JsonObject][] =>
  Object.entries((value ?? {}) as Record<string, JsonObject>)
