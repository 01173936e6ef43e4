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

/** Validation issues as field errors for the caller. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[], place?: 'query'): Field[] {
  return issues.slice(0, 50).map((issue) => ({
    path: [...(place ? [place] : []), ...issue.path].map(String).join('.'),
    message: messageFor(issue),
  }))
}

function messageFor(issue: z.core.$ZodIssue): string {
  // Only the message says that a value is missing.
  if (issue.message.endsWith(', received undefined')) return 'is required'
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'too_small':
      return `must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    default:
      return issue.message.replace(/^Invalid input: /, '')
  }
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
    implied.push('address_not_allowed', 'key_rate_limited')
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
  for (const code of implied) codes.add(code)
  return [...codes].sort((a, b) => ERRORS[a].status - ERRORS[b].status || (a < b ? -1 : 1))
}

const isOpenToKeys = (access: Access): boolean =>
  access === 'known' ||
  access === 'any' ||
  (typeof access === 'object' && ('scope' in access || 'scopeOrStaff' in access))

function accessErrors(access: Access): ErrorCode[] {
  if (access === 'none') return []
  if (access === 'known') return ['unauthenticated']
  if (access === 'any') return ['unauthenticated', 'sso_required']
  if (access === 'session') return ['unauthenticated', 'session_required']
  if ('rail' in access) return ['invalid_signature', 'wrong_secret', 'not_configured']
  if ('machine' in access) return ['wrong_secret', 'not_configured', 'staff_only']
  if ('scope' in access || 'scopeOrStaff' in access)
    return ['unauthenticated', 'insufficient_scope', 'sso_required']
  if ('staff' in access) return ['unauthenticated', 'session_required', 'staff_only', 'sso_required']
  return [
    'unauthenticated',
    'session_required',
    'forbidden',
    'sso_required',
    ...('orgParam' in access ? (['not_found'] as const) : []),
  ]
}
