// The formats of errors: ours, and those of the APIs that clients of other services use here.
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiError, Field } from '../../../kernel/errors.ts'
import { toJson } from '../../../kernel/json.ts'
import { errorSentence } from '../../texts/errors/errors.ts'
import type { Language } from '../../texts/language.ts'
import { translated } from '../../texts/texts.ts'

export type ErrorFormat = 'native' | 'openai' | 'anthropic' | 'gemini' | 'scim'

/** The format that a client of this address expects, also where no route matches. */
export function errorFormatOf(url: string, headers: IncomingHttpHeaders = {}): ErrorFormat {
  if (!url.startsWith('/v1')) return isAtOrBelow(url, '/scim/v2') ? 'scim' : 'native'
  if (isAtOrBelow(url, '/v1beta')) return 'gemini'
  if (!url.startsWith('/v1/')) return 'native'
  if (isAtOrBelow(url, '/v1/messages') || headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-client'] === undefined ? 'openai' : 'gemini'
}

const isAtOrBelow = (url: string, prefix: string): boolean =>
  url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length))

/** The media type of JSON for clients of this address, for replies and errors. */
export const jsonTypeOf = (url: string): string =>
  `application/${errorFormatOf(url) === 'scim' ? 'scim+json' : 'json'}; charset=utf-8`

type Kinds = Readonly<Record<Exclude<ErrorFormat, 'native' | 'scim'>, string>>

/** The kind of error by HTTP status. */
const KINDS: Readonly<Record<number, Kinds>> = {
  400: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', gemini: 'INVALID_ARGUMENT' },
  401: { openai: 'authentication_error', anthropic: 'authentication_error', gemini: 'UNAUTHENTICATED' },
  402: { openai: 'insufficient_quota', anthropic: 'billing_error', gemini: 'FAILED_PRECONDITION' },
  403: { openai: 'permission_error', anthropic: 'permission_error', gemini: 'PERMISSION_DENIED' },
  404: { openai: 'invalid_request_error', anthropic: 'not_found_error', gemini: 'NOT_FOUND' },
  409: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', gemini: 'ABORTED' },
  413: { openai: 'invalid_request_error', anthropic: 'request_too_large', gemini: 'INVALID_ARGUMENT' },
  429: { openai: 'rate_limit_error', anthropic: 'rate_limit_error', gemini: 'RESOURCE_EXHAUSTED' },
  451: { openai: 'invalid_request_error', anthropic: 'permission_error', gemini: 'FAILED_PRECONDITION' },
  500: { openai: 'server_error', anthropic: 'api_error', gemini: 'INTERNAL' },
  502: { openai: 'server_error', anthropic: 'api_error', gemini: 'UNAVAILABLE' },
  503: { openai: 'server_error', anthropic: 'overloaded_error', gemini: 'UNAVAILABLE' },
  504: { openai: 'server_error', anthropic: 'timeout_error', gemini: 'DEADLINE_EXCEEDED' },
}

const kindsOf = (status: number): Kinds => KINDS[status] ?? (KINDS[status >= 500 ? 500 : 400] as Kinds)

/** The body of an error response. Only our own format has translations: clients of other services compare its texts. */
export function errorBody(
  error: ApiError,
  requestId: string,
  format: ErrorFormat,
  language: Language = 'en',
): object {
  switch (format) {
    case 'native': {
      const { message, detail } = inLanguage(error, language)
      return { error: message, code: error.code, requestId, ...detail }
    }
    case 'openai':
      return { error: openAiError(error), requestId }
    case 'anthropic':
      return { type: 'error', error: anthropicError(error), request_id: requestId }
    case 'gemini':
      return { error: geminiError(error, requestId) }
    case 'scim':
      return scimError(error, requestId)
  }
}

/** The last frame of a stream that fails after it opened. */
export function errorFrame(error: ApiError, format: ErrorFormat, language: Language = 'en'): object {
  const { message, code, status } = error
  switch (format) {
    case 'native':
      return { error: inLanguage(error, language).message, code }
    case 'openai':
      return { error: { message, type: kindsOf(status).openai, param: null, code } }
    case 'anthropic':
      return { type: 'error', error: anthropicError(error) }
    case 'gemini':
      return { error: geminiError(error) }
    case 'scim':
      return scimError(error)
  }
}

/** The sentences of an error for people: its message, the problems of its fields, and its reasons. */
function inLanguage(error: ApiError, language: Language): Pick<ApiError, 'message' | 'detail'> {
  if (language === 'en') return error
  const { detail } = error
  const fields = fieldsOf(error).map((field) => ({ ...field, message: translated(language, field.message) }))
  return {
    message: errorSentence(language, error),
    detail: {
      ...detail,
      ...(fields.length > 0 && { fields }),
      ...(typeof detail.reason === 'string' && { reason: translated(language, detail.reason) }),
      ...(Array.isArray(detail.reasons) && {
        reasons: detail.reasons.map((reason) => translated(language, String(reason))),
      }),
    },
  }
}

const fieldsOf = ({ detail }: ApiError): readonly Field[] =>
  Array.isArray(detail.fields) ? (detail.fields as Field[]) : []

/** These formats have one message, so that of a validation error names its first field. */
function messageOf(error: ApiError): string {
  const [first] = fieldsOf(error)
  return first ? `${first.path || 'The body'}: ${first.message}.` : error.message
}

const openAiError = (error: ApiError): object => ({
  message: messageOf(error),
  type: kindsOf(error.status).openai,
  param: fieldsOf(error)[0]?.path || null,
  code: error.code,
  ...error.detail,
})

const anthropicError = (error: ApiError): object => ({
  type: kindsOf(error.status).anthropic,
  message: messageOf(error),
  code: error.code,
  ...error.detail,
})

/** The types of RFC 7644 for refusals of the pipeline. Handlers name theirs in the detail. */
const SCIM_TYPES: Readonly<Partial<Record<ApiError['code'], string>>> = {
  malformed_json: 'invalidSyntax',
  invalid_fields: 'invalidValue',
  already_member: 'uniqueness',
  name_taken: 'uniqueness',
}

function scimError(error: ApiError, requestId?: string): object {
  const { status, code } = error
  const { scimType = SCIM_TYPES[code], ...rest } = error.detail
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: messageOf(error),
    ...rest,
    code,
    ...(requestId !== undefined && { requestId }),
  }
}

const GOOGLE = 'type.googleapis.com/google.rpc'

function geminiError(error: ApiError, requestId?: string): object {
  const { status, code, retryAfter, detail } = error
  const { fields: _, ...rest } = detail
  const fields = fieldsOf(error)
  const metadata = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, textOf(value)]))
  return {
    code: status,
    message: messageOf(error),
    status: kindsOf(status).gemini,
    details: [
      {
        '@type': `${GOOGLE}.ErrorInfo`,
        reason: code,
        domain: 'cowrie',
        ...(Object.keys(rest).length > 0 && { metadata }),
      },
      ...(fields.length > 0
        ? [
            {
              '@type': `${GOOGLE}.BadRequest`,
              fieldViolations: fields.map(({ path, message }) => ({ field: path, description: message })),
            },
          ]
        : []),
      ...(retryAfter === undefined ? [] : [{ '@type': `${GOOGLE}.RetryInfo`, retryDelay: `${retryAfter}s` }]),
      ...(requestId === undefined ? [] : [{ '@type': `${GOOGLE}.RequestInfo`, requestId }]),
    ],
  }
}

/** The metadata of Google's errors are texts. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? toJson(value) : String(value)
