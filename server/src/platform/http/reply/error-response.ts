// Error responses: an ApiError by its code, any other error as a 500 without details.
import type { z } from 'zod'
import { ApiError, ERRORS, type ErrorCode, type Field } from '../../../kernel/errors.ts'
import { toJson } from '../../../kernel/json.ts'
import type { Language } from '../../texts/language.ts'
import type { Access, Route } from '../route.ts'
import { type ErrorFormat, errorBody } from './error-format.ts'

export type ErrorResponse = { status: number; code: string; body: string; retryAfter: number | undefined }

export function errorResponse(
  error: ApiError,
  requestId: string,
  format: ErrorFormat,
  language: Language = 'en',
): ErrorResponse {
  const body = toJson(errorBody(error, requestId, format, language))
  return { status: error.status, code: error.code, body, retryAfter: error.retryAfter }
}

/** Our error codes for errors of the framework and of Node. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_ASYNC_CONSTRAINT: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_HANDLER_TIMEOUT: 'handler_timeout',
  FST_ERR_REOPENED_CLOSE_SERVER: 'restarting',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ECONNRESET: 'bad_request',
}

export function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  const code = error instanceof Error && 'code' in error ? FRAMEWORK_CODES[String(error.code)] : undefined
  return code ? new ApiError(code) : null
}

type Issue = z.core.$ZodIssue

/** Validation issues as field errors for the caller. Parse with `reportInput`, so that a missing value is called missing. */
export function fieldErrors(issues: readonly Issue[], place?: 'query'): Field[] {
  return issues
    .flatMap((issue) => innerIssues(issue))
    .slice(0, 50)
    .map((issue) => ({
      path: [...(place ? [place] : []), ...issue.path].map(String).join('.'),
      message: messageFor(issue),
    }))
}

/** A value that fits none of several shapes has the problems of the shape that it is closest to. */
function innerIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || isMissing(issue)) return [issue]
  const distance = (problems: readonly Issue[]) =>
    problems.reduce((sum, each) => sum + (isMissing(each) ? 2 : 1), 0)
  const fitting = issue.errors.filter((problems) => problems.every(({ path }) => path.length > 0))
  const [closest] = fitting.sort((a, b) => distance(a) - distance(b))
  return closest?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })) ?? [issue]
}

const isMissing = (issue: Issue): boolean =>
  ('input' in issue && issue.input === undefined) || issue.message.endsWith(', received undefined')

function messageFor(issue: Issue): string {
  if (isMissing(issue)) return 'is required'
  const isOwnText = !issue.message.startsWith('Invalid')
  switch (issue.code) {
    case 'invalid_type':
      return isOwnText ? issue.message : `must be ${nameOf(issue.expected)}`
    case 'invalid_union':
      return isOwnText ? issue.message : unionMessage(issue)
    case 'invalid_value':
      return oneOf(issue.values)
    case 'too_big':
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'too_small':
      return `must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'unrecognized_keys':
      return `must not have the key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return FORMATS[issue.message] ?? issue.message.replace(/^Invalid (input|string): /, '')
  }
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`

function unionMessage(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (issue.discriminator !== undefined && 'options' in issue && Array.isArray(issue.options)) {
    const { input } = issue as { input?: unknown }
    const isGiven = typeof input !== 'object' || input === null || Object.hasOwn(input, issue.discriminator)
    return isGiven ? oneOf(issue.options) : 'is required'
  }
  const types = new Set(
    issue.errors.flat().map((each) => (each.code === 'invalid_type' ? nameOf(each.expected) : null)),
  )
  if (types.size === 0 || types.has(null)) return 'is not valid'
  return `must be ${[...types].join(', ').replace(/, ([^,]*)$/, ' or $1')}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const nameOf = (type: string): string => TYPE_NAMES[type] ?? `of type ${type}`

/** By the text of the library. */
const FORMATS: Readonly<Record<string, string>> = {
  'Invalid URL': 'must be a web address',
  'Invalid ISO datetime': 'must be an ISO 8601 date and time',
  'Invalid email address': 'must be an email address',
  'Invalid base64-encoded string': 'must be base64',
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  file: 'byte',
}
const bound = (origin: string): string => (UNITS[origin] ? 'have' : 'be')
const unit = (origin: string, count: number | bigint): string => {
  const word = UNITS[origin]
  return word ? ` ${word}${Number(count) === 1 ? '' : 's'}` : ''
}

/** All errors of a route: those that its description implies and those that it lists. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors)
  const implied: ErrorCode[] = ['bad_request', 'internal', 'busy', 'database_unavailable']
  if (route.rate) implied.push('rate_limited')
  if (route.body) implied.push('invalid_fields', 'malformed_json')
  if (route.query) implied.push('invalid_fields')
  if (/\{/.test(route.path)) implied.push('not_found')
  implied.push(...accessErrors(route.access))
  if (codes.has('residency_blocked')) implied.push('model_not_allowed')
  if (isOpenToKeys(route.access)) {
    implied.push('address_not_allowed', 'org_address_not_allowed', 'key_rate_limited')
    if (route.paid) implied.push('key_budget_exceeded')
  }
  if (route.method !== 'GET')
    implied.push('body_too_large', 'unsupported_media_type', 'cross_origin', 'maintenance', 'outcome_unknown')
  if (route.paid) implied.push('org_suspended', 'kyc_required', 'maintenance')
  if (route.idempotency !== 'none')
    implied.push('idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused')
  if (route.idempotency === 'required') implied.push('idempotency_key_required')
  if (route.stream || route.streamForm) implied.push('too_many_streams')
  if (!route.stream) implied.push('handler_timeout')
  if (route.stepUp) implied.push('step_up_required')
  for (const code of implied) codes.add(code)
  if (codes.has('sso_required') && route.access !== 'none') codes.add('org_address_not_allowed')
  if (codes.has('staff_only') && !isMachine(route.access)) codes.add('second_factor_required')
  return [...codes].sort((a, b) => ERRORS[a].status - ERRORS[b].status || (a < b ? -1 : 1))
}

const isOpenToKeys = (access: Access): boolean =>
  access === 'known' ||
  access === 'any' ||
  (typeof access === 'object' && ('scope' in access || 'scopeOrStaff' in access))

const isMachine = (access: Access): boolean => typeof access === 'object' && 'machine' in access

function accessErrors(access: Access): ErrorCode[] {
  if (access === 'none') return []
  if (access === 'known') return ['unauthenticated']
  if (access === 'any') return ['unauthenticated', 'sso_required']
  if (access === 'session') return ['unauthenticated', 'session_required']
  if ('rail' in access) return ['invalid_signature', 'wrong_secret', 'not_configured']
  if ('machine' in access) return ['wrong_secret', 'not_configured', 'staff_only']
  if ('token' in access) return ['unauthenticated', 'key_rate_limited']
  if ('scope' in access || 'scopeOrStaff' in access)
    return ['unauthenticated', 'insufficient_scope', 'sso_required']
  if ('staff' in access) return ['unauthenticated', 'session_required', 'staff_only', 'sso_required']
  return [
    'unauthenticated',
    'session_required',
    'forbidden',
    'sso_required',
    ...('roleOrStaff' in access ? (['second_factor_required'] as const) : []),
    ...('orgParam' in access ? (['not_found'] as const) : []),
  ]
}
