import { expect, test } from 'vitest'
import { CowrieError, errorFromBody, errorFromFrame } from './errors.ts'

const error = new CowrieError({ status: 402, code: 'insufficient_funds', message: 'Not enough.' })

test.for([
  { it: 'its code', codes: ['insufficient_funds'], of: error, is: true },
  { it: 'one of several', codes: ['budget_too_low', 'insufficient_funds'], of: error, is: true },
  { it: 'any', codes: [], of: error, is: true },
  { it: 'another code', codes: ['timeout'], of: error, is: false },
  { it: 'another kind of error', codes: [], of: new Error('insufficient_funds'), is: false },
  { it: 'no error at all', codes: [], of: undefined, is: false },
])('CowrieError.is with $it: $is', ({ codes, of, is }) => {
  expect(CowrieError.is(of, ...codes)).toBe(is)
})

test.for([
  { it: 'ours', body: { error: 'No.', code: 'model_not_found', requestId: 'req_1', models: ['open'] } },
  {
    it: 'OpenAI',
    body: {
      error: {
        message: 'No.',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
        models: ['open'],
      },
      requestId: 'req_1',
    },
  },
  {
    it: 'Anthropic',
    body: {
      type: 'error',
      error: { type: 'not_found_error', message: 'No.', code: 'model_not_found', models: ['open'] },
      request_id: 'req_1',
    },
  },
])('an error in the format of $it is read', ({ body }) => {
  const expected = {
    code: 'model_not_found',
    message: 'No.',
    requestId: 'req_1',
    detail: { models: ['open'] },
  }
  expect(errorFromBody(body, { status: 404, requestId: null })).toMatchObject({ ...expected, status: 404 })
  expect(errorFromFrame(body, null)).toMatchObject({ ...expected, status: 404 })
})

test.for([
  null,
  'no',
  { error: null },
  { error: {} },
  { error: { message: 'No.', code: 404 } },
  { delta: 'error' },
])('%j is no error', (body) => expect(errorFromBody(body, { status: 500, requestId: null })).toBeNull())
