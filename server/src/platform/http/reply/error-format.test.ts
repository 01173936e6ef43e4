// Errors in the format that a client of each API expects.
import { describe, expect, test } from 'vitest'
import { ApiError, type ErrorCode, invalidFields } from '../../../kernel/errors.ts'
import { type ErrorFormat, errorBody, errorFormatOf, errorFrame } from './error-format.ts'

describe('the format follows the address and the headers of the request:', () => {
  const versioned = { 'anthropic-version': '2023-06-01' }
  test.for<[url: string, headers: Record<string, string>, ErrorFormat]>([
    ['/', {}, 'native'],
    ['/chat/threads', versioned, 'native'],
    ['/v1', {}, 'native'],
    ['/v1betamax', {}, 'native'],
    ['/v1/chat/completions', {}, 'openai'],
    ['/v1/unknown?x=1', {}, 'openai'],
    ['/v1/messagesx', {}, 'openai'],
    ['/v1/models', {}, 'openai'],
    ['/v1/models', versioned, 'anthropic'],
    ['/v1/models/open?limit=1', versioned, 'anthropic'],
    ['/v1/files', versioned, 'anthropic'],
    ['/v1/messages', {}, 'anthropic'],
    ['/v1/messages?beta=true', {}, 'anthropic'],
    ['/v1/messages/batches', {}, 'anthropic'],
    ['/v1beta', {}, 'gemini'],
    ['/v1beta/models/x:generateContent?alt=sse', {}, 'gemini'],
    ['/v1beta/files', versioned, 'gemini'],
    ['/v1/files', { 'x-goog-api-client': 'google-genai-sdk/3.1.0' }, 'gemini'],
  ])('%s with %o is %s', ([url, headers, format]) => {
    expect(errorFormatOf(url, headers)).toBe(format)
  })
})

describe('each format names the kind of error:', () => {
  test.for<[ErrorCode, openai: string, anthropic: string, gemini: string]>([
    ['malformed_json', 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
    ['unauthenticated', 'authentication_error', 'authentication_error', 'UNAUTHENTICATED'],
    ['insufficient_funds', 'insufficient_quota', 'billing_error', 'FAILED_PRECONDITION'],
    ['insufficient_scope', 'permission_error', 'permission_error', 'PERMISSION_DENIED'],
    ['model_not_found', 'invalid_request_error', 'not_found_error', 'NOT_FOUND'],
    ['method_not_allowed', 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
    ['idempotency_in_progress', 'invalid_request_error', 'invalid_request_error', 'ABORTED'],
    ['body_too_large', 'invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'],
    ['rate_limited', 'rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
    ['residency_blocked', 'invalid_request_error', 'permission_error', 'FAILED_PRECONDITION'],
    ['internal', 'server_error', 'api_error', 'INTERNAL'],
    ['upstream_failed', 'server_error', 'api_error', 'UNAVAILABLE'],
    ['upstream_unavailable', 'server_error', 'overloaded_error', 'UNAVAILABLE'],
  ])('%s', ([code, openai, anthropic, gemini]) => {
    const error = new ApiError(code)
    const { message, status } = error
    expect(errorBody(error, 'req_1', 'native')).toEqual({ error: message, code, requestId: 'req_1' })
    expect(errorBody(error, 'req_1', 'openai')).toEqual({
      error: { message, type: openai, param: null, code },
      requestId: 'req_1',
    })
    expect(errorBody(error, 'req_1', 'anthropic')).toEqual({
      type: 'error',
      error: { type: anthropic, message, code },
      request_id: 'req_1',
    })
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'cowrie' }
    expect(errorBody(error, 'req_1', 'gemini')).toMatchObject({
      error: { code: status, message, status: gemini },
    })
    expect(detailsOf(error)[0]).toEqual(info)
    expect(errorFrame(error, 'native')).toEqual({ error: message, code })
    expect(errorFrame(error, 'openai')).toMatchObject({ error: { type: openai, code } })
    expect(errorFrame(error, 'anthropic')).toMatchObject({ type: 'error', error: { type: anthropic, code } })
    expect(errorFrame(error, 'gemini')).toMatchObject({ error: { code: status, status: gemini } })
  })
})

const detailsOf = (error: ApiError) =>
  (errorBody(error, 'req_1', 'gemini') as { error: { details: object[] } }).error.details

test('the message of a validation error names its first field', () => {
  const fields = [
    { path: 'messages', message: 'is required' },
    { path: 'max_tokens', message: 'is required' },
  ] as const
  const error = invalidFields(...fields)
  const message = 'messages: is required.'
  expect(errorBody(error, 'r', 'openai')).toMatchObject({ error: { message, param: 'messages', fields } })
  expect(errorBody(error, 'r', 'anthropic')).toMatchObject({ error: { message, fields } })
  expect(errorBody(error, 'r', 'gemini')).toMatchObject({ error: { message } })
  expect(detailsOf(error)).toContainEqual({
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: fields.map(({ path, message: description }) => ({ field: path, description })),
  })
})

test("details are texts in Google's format, with the time to wait and the id of the request", () => {
  const error = new ApiError('rate_limited', { retryAfter: 7, requiredMinor: 12n, channels: ['card'] })
  expect(detailsOf(error)).toMatchObject([
    { reason: 'rate_limited', metadata: { requiredMinor: '12', channels: '["card"]' } },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
    { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'req_1' },
  ])
})
