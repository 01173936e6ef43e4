import { describe, expect, test } from 'vitest'
import { adaptDialect, type Dialect } from './request-dialect.ts'

const plain: Dialect = { maxTokensField: 'max_tokens', requestsUsage: true }

describe('an unknown field name is replaced:', () => {
  test.for([
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens is deprecated in favour of max_completion_tokens',
    'Unrecognized request argument supplied: max_tokens',
    '{"error":{"message":"Unknown field \\"max_tokens\\"","code":400}}',
    'Please use max_completion_tokens instead',
  ])('%s', (refusal) => {
    expect(adaptDialect(plain, refusal)).toEqual({ ...plain, maxTokensField: 'max_completion_tokens' })
  })

  test.for([
    'Unrecognized request argument supplied: stream_options',
    'This model does not support stream_options.',
    '[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]',
    'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
    'stream_options.include_usage is not supported',
  ])('%s', (refusal) => {
    expect(adaptDialect(plain, refusal)).toEqual({ ...plain, requestsUsage: false })
  })

  test('but only once', () => {
    const learnt: Dialect = { maxTokensField: 'max_completion_tokens', requestsUsage: false }
    expect(adaptDialect(learnt, 'Unknown field max_tokens. Unknown field stream_options.')).toBeUndefined()
  })
})

describe('a rejected value or another error changes nothing:', () => {
  test.for([
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    'max_tokens is too large: 500000. This model supports at most 16384 completion tokens.',
    'max_tokens must be less than or equal to 8192; larger values are not supported',
    'max_tokens: 500000 > 8192, which is the maximum allowed',
    'This model does not support max_tokens greater than 4096',
    "'max_tokens' or 'max_completion_tokens' is too large: 9000",
    "Invalid value for 'stream_options'",
    'The model does not exist. See the page about max_tokens for more.',
    'no',
  ])('%s', (refusal) => {
    expect(adaptDialect(plain, refusal)).toBeUndefined()
  })
})
