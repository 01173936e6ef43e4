// The OpenAPI 3.1 document, printed from the descriptions of the routes.
import type { z } from 'zod'
import { ApiError, ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import { type ErrorFormat, errorFormatOf } from '../reply/error-format.ts'
import { errorCodesOf, errorResponse } from '../reply/error-response.ts'
import { isRaw, paramNames, type ReplySpec, type Route } from '../route.ts'
import {
  ANTHROPIC_ERROR_SCHEMA,
  COMPATIBLE_ERROR_SCHEMA,
  ERROR_FRAME_SCHEMA,
  ERROR_HEADERS,
  ERROR_SCHEMA,
  GEMINI_ERROR_SCHEMA,
  HEADERS,
  SCIM_ERROR_SCHEMA,
  successHeaders,
  withHeaders,
} from './common.ts'
import { shareComponents } from './components.ts'
import { exampleOf, type JsonSchema } from './example.ts'
import { resolve, type Schemas, toSchema } from './schema.ts'
import { accessText, SECURITY_SCHEMES, securityOf } from './security.ts'

export type Tag = { name: string; routes: readonly Route[] }

const DESCRIPTION = `A prepaid AI coding service: one gateway, a wallet in local currency that every metered operation debits.

Money is an integer count of minor units of the organisation's currency, exact over 64 bits. Errors are
\`{error, code, requestId}\`; \`code\` is stable. Clients ignore response fields they do not know.

Sentences for people (errors, problems of fields, ledger explanations, payment instructions, invoice lines) are in the language of
\`Accept-Language\`: \`en\`, \`fr\`, \`sw\` or \`ar\`, by default English. The formats of other APIs below \`/v1\` are always in English.

Answers above 1 kB are compressed with zstd, brotli or gzip, as \`Accept-Encoding\` allows; answers that carry secrets and
streams are not. JSON bodies may be sent with \`Content-Encoding: gzip\`, \`zstd\` or \`br\`; the limit of an operation counts
before and after decoding. Webhooks must be sent without an encoding, because their signature is over the bytes as sent.`

type Version = { version: string; apiVersion: number }

/** The published document. */
export const printOpenApi = (tags: readonly Tag[], version: Version): JsonSchema =>
  shareComponents(expandedOpenApi(tags, version))

/** The document with every parameter and response inlined. */
export function expandedOpenApi(tags: readonly Tag[], version: Version): JsonSchema {
  const schemas: Schemas = {
    Error: ERROR_SCHEMA,
    CompatibleError: COMPATIBLE_ERROR_SCHEMA,
    AnthropicError: ANTHROPIC_ERROR_SCHEMA,
    GeminiError: GEMINI_ERROR_SCHEMA,
    ErrorFrame: ERROR_FRAME_SCHEMA,
    // The published document has no route of this format.
    ...(tags.some(({ routes }) => routes.some(isScim)) && { ScimError: SCIM_ERROR_SCHEMA }),
  }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name: tag, routes } of tags) {
    for (const route of routes.filter((candidate) => !candidate.hidden)) {
      const operations = paths[route.path] ?? {}
      operations[route.method.toLowerCase()] = operationOf(route, tag, schemas)
      paths[route.path] = operations
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cowrie',
      version: version.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-api-version': version.apiVersion,
    },
    servers: [{ url: '/', description: 'The origin that serves this document' }],
    tags: tags.map(({ name }) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(schemas).sort()),
    },
  }
}

const isScim = ({ path, hidden }: Route): boolean => !hidden && errorFormatOf(path) === 'scim'

function operationOf(route: Route, tag: string, schemas: Schemas) {
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, schemas),
    ...headerParameters(route),
  ]
  return {
    operationId: route.name,
    tags: [tag],
    summary: route.summary,
    ...(route.detail ? { description: route.detail } : {}),
    security: securityOf(route),
    'x-access': accessText(route.access),
    'x-rate-bucket': route.rate,
    ...(route.paid ? { 'x-paid': true } : {}),
    ...(route.stepUp ? { 'x-step-up': true } : {}),
    ...(route.streamForm ? { 'x-streams': 'accept' } : {}),
    ...(route.idempotency === 'none' ? {} : { 'x-idempotency': route.idempotency }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBodyOf(route.body, route.form, schemas) } : {}),
    responses: { ...successResponses(route, schemas), ...errorResponses(route) },
  }
}

function pathParameters(route: Route) {
  return paramNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route, schemas: Schemas) {
  if (!route.query) return []
  const { properties = {}, required = [] } = toSchema(route.query, 'input', schemas) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function headerParameters(route: Route) {
  if (route.idempotency === 'none') return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: route.idempotency === 'required',
      description:
        'New for each intent, repeated on retries: the outcome is then replayed instead of done again.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
  ]
}

function requestBodyOf(body: z.ZodType, form: boolean, schemas: Schemas) {
  const schema = toSchema(body, 'input', schemas)
  const resolved = resolve(schema, schemas)
  const required = Array.isArray(resolved.required) && resolved.required.length > 0
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required, content: { [type]: { schema, example: exampleOf(schema, schemas, 'request') } } }
}

function successResponses(route: Route, schemas: Schemas) {
  const responses: Record<string, unknown> = {}
  for (const [status, spec] of Object.entries(route.reply))
    responses[status] = responseOf(route, spec, schemas)
  const stream = route.stream ?? route.streamForm?.frames
  if (stream) responses['200'] = streamOf(route, stream, schemas)
  return responses
}

/** The stream, together with the plain reply of a route that has both. */
function streamOf(route: Route, stream: z.ZodType, schemas: Schemas) {
  const frame = toSchema(stream, 'output', schemas)
  const whole = route.reply[200]
  const other = whole ? responseOf(route, whole, schemas) : undefined
  const frames =
    'A stream of frames, each `data: <json>` and a blank line. One that fails after it began ends with a frame of an error.'
  // Not part of the frame schema: clients throw it, so callers never receive it as a frame.
  const format = errorFormatOf(route.path)
  const failed = format === 'native' ? 'ErrorFrame' : ERROR_SCHEMAS[format]
  return {
    description: other ? `${other.description} Or, where asked for: ${frames}` : frames,
    ...successHeaders(route),
    content: {
      ...other?.content,
      'text/event-stream': {
        schema: frame,
        'x-error-frame': { $ref: schemaRef(failed) },
      },
    },
  }
}

type Response = { description: string; headers?: object; content?: Record<string, object> }

function responseOf(route: Route, spec: ReplySpec, schemas: Schemas): Response {
  const headers = successHeaders(route)
  if (isRaw(spec)) {
    const schema = spec.shape ? toSchema(spec.shape, 'output', schemas) : { type: 'string' }
    const type = spec.contentType.split(';')[0] ?? ''
    const content = type ? { content: { [type]: { schema } } } : {}
    return { description: spec.description, ...headers, ...content }
  }
  const schema = toSchema(spec, 'output', schemas)
  const others = Object.entries(route.also).map(([type, description]) => [
    type,
    { schema: { type: 'string', description } },
  ])
  return {
    description: 'Done.',
    ...headers,
    content: { 'application/json': { schema }, ...Object.fromEntries(others) },
  }
}

/** One response per status, with an example for each of its error codes. */
function errorResponses(route: Route) {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(route))
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code])
  const responses: Record<string, unknown> = {}
  for (const [status, codes] of byStatus) {
    const examples = Object.fromEntries(codes.map((code) => [code, exampleRefusal(code, route.path)]))
    responses[status] = {
      description: codes.join(', '),
      ...withHeaders(ERROR_HEADERS[status]),
      content: { 'application/json': { schema: { $ref: errorSchemaOf(route) }, examples } },
    }
  }
  return responses
}

// Cached, because most routes share their errors and creating an error captures the stack.
const refusals = new Map<string, object>()
function exampleRefusal(code: ErrorCode, path: string): object {
  const format = errorFormatOf(path)
  const name = `${code} ${format}`
  const known = refusals.get(name)
  if (known) return known
  const example = { value: JSON.parse(errorResponse(new ApiError(code), EXAMPLE_REQUEST, format).body) }
  refusals.set(name, example)
  return example
}

const schemaRef = (name: string): string => `#/components/schemas/${name}`
const errorSchemaOf = ({ path }: Route): string => schemaRef(ERROR_SCHEMAS[errorFormatOf(path)])
const ERROR_SCHEMAS: Readonly<Record<ErrorFormat, string>> = {
  native: 'Error',
  openai: 'CompatibleError',
  anthropic: 'AnthropicError',
  gemini: 'GeminiError',
  scim: 'ScimError',
}

const EXAMPLE_REQUEST = 'req_01kc3v5m7n8p9q0r1s2t3v4w5x'
