// Headers and error schemas that many operations of the document share.
import type { Route } from '../route.ts'
import type { JsonSchema } from './example.ts'

const EVERY_RESPONSE = 'On every response.'
const LIMITED_RESPONSE = 'On every response of an operation whose `x-rate-bucket` is not null.'
const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema })
export const HEADERS = {
  'X-Service-Version': header(`The version and build that answered. ${EVERY_RESPONSE}`),
  'X-Request-Id': header(`Quote this when you report a problem. ${EVERY_RESPONSE}`),
  'RateLimit-Limit': header(`Requests in a window, for your address. ${LIMITED_RESPONSE}`, {
    type: 'integer',
  }),
  'RateLimit-Remaining': header(`Those that are left in it. ${LIMITED_RESPONSE}`, { type: 'integer' }),
  'RateLimit-Reset': header(`Seconds until the window ends. ${LIMITED_RESPONSE}`, { type: 'integer' }),
  'RateLimit-Policy': header(`Requests and seconds of the window. ${LIMITED_RESPONSE}`),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer' }),
  'Idempotency-Replayed': header('`true` when this is the stored outcome of an earlier call with the key.'),
}
type HeaderName = keyof typeof HEADERS

/** Headers of single responses. Those that every response carries are described once, in `components`. */
export const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  429: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'Retry-After'],
  503: ['Retry-After'],
}
export const withHeaders = (names: readonly HeaderName[] = []) =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
export const successHeaders = ({ idempotency }: Route) =>
  withHeaders(idempotency === 'none' ? [] : ['Idempotency-Replayed'])
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'One sentence that says what to do.' },
    code: { type: 'string', description: 'Stable name of the refusal.' },
    requestId: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  additionalProperties: true,
}
export const COMPATIBLE_ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error', 'requestId'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string', description: 'One sentence that says what to do.' },
        type: { type: 'string' },
        param: { type: ['string', 'null'], description: 'The field it is about.' },
        code: { type: 'string', description: 'Stable name of the refusal.' },
      },
      additionalProperties: true,
    },
    requestId: { type: 'string' },
  },
  additionalProperties: true,
}
export const ANTHROPIC_ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['type', 'error'],
  properties: {
    type: { type: 'string', enum: ['error'] },
    error: {
      type: 'object',
      required: ['type', 'message', 'code'],
      properties: {
        type: { type: 'string', description: "Anthropic's type for the HTTP status." },
        message: { type: 'string', description: 'One sentence that says what to do.' },
        code: { type: 'string', description: 'Stable name of the refusal.' },
      },
      additionalProperties: true,
    },
    request_id: { type: 'string' },
  },
  additionalProperties: true,
}
export const GEMINI_ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status', 'details'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { type: 'string', description: 'One sentence that says what to do.' },
        status: { type: 'string', description: "Google's name for the HTTP status." },
        details: {
          type: 'array',
          description: 'The `reason` of the first detail is the stable name of the refusal.',
          items: { type: 'object', additionalProperties: true },
        },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
}
export const SCIM_ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['schemas', 'status', 'detail', 'code'],
  properties: {
    schemas: { type: 'array', items: { type: 'string' } },
    status: { type: 'string', description: 'The HTTP status.' },
    scimType: { type: 'string', description: 'The type of RFC 7644.' },
    detail: { type: 'string', description: 'One sentence that says what to do.' },
    code: { type: 'string', description: 'Stable name of the refusal.' },
    requestId: { type: 'string' },
  },
  additionalProperties: true,
}
export const ERROR_FRAME_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The last frame of a stream that fails after it began.',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'One sentence that says what to do.' },
    code: { type: 'string', description: 'Stable name of the refusal.' },
  },
}
