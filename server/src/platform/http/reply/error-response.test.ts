import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError, type ErrorCode, invalidFields } from '../../../kernel/errors.ts'
import { errorFrame, errorResponse, fieldErrors } from './error-response.ts'

const Shape = z.object({ name: z.string().max(5), tags: z.array(z.string()).optional() })

describe('a field error is reported', () => {
  test.for<[string, given: unknown, path: string, message: string]>([
    ['when it is missing', {}, 'name', 'is required'],
    ['when it is of another type', { name: 5 }, 'name', 'expected string, received number'],
    ['when it is null', { name: null }, 'name', 'expected string, received null'],
    ['when it is too long', { name: 'Chinua' }, 'name', 'must have at most 5 characters'],
    ['when it is nested', { name: 'Ada', tags: ['a', 7] }, 'tags.1', 'expected string, received number'],
    ['when it is the whole body', [], '', 'expected object, received array'],
  ])('%s', ([, given, path, message]) => {
    const parsed = Shape.safeParse(given)
    expect(fieldErrors(parsed.error?.issues ?? [])).toEqual([{ path, message }])
  })
})

describe('in the OpenAI-compatible API an error has the format of OpenAI', () => {
  test('with type, parameter and code', () => {
    const error = invalidFields({ path: 'messages', message: 'is required' })
    expect(JSON.parse(errorResponse(error, 'req_1', '/v1/chat/completions').body)).toEqual({
      error: {
        message: 'messages: is required.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'invalid_fields',
        fields: [{ path: 'messages', message: 'is required' }],
      },
      requestId: 'req_1',
    })
  })

  test.for<[ErrorCode, string]>([
    ['unauthenticated', 'authentication_error'],
    ['insufficient_funds', 'insufficient_quota'],
    ['insufficient_scope', 'permission_error'],
    ['model_not_found', 'invalid_request_error'],
    ['rate_limited', 'rate_limit_error'],
    ['upstream_unavailable', 'server_error'],
  ])('%s is a %s', ([code, type]) => {
    const error = new ApiError(code)
    expect(JSON.parse(errorResponse(error, 'req_1', '/v1/models').body).error).toMatchObject({ type, code })
    expect(errorFrame(error, '/v1/responses')).toMatchObject({ error: { type, code } })
  })

  test('and only there', () => {
    const error = new ApiError('unauthenticated')
    expect(JSON.parse(errorResponse(error, 'req_1', '/v1').body)).toMatchObject({ code: 'unauthenticated' })
    expect(errorFrame(error, '/chat/threads')).toEqual({ error: error.message, code: error.code })
  })
})
