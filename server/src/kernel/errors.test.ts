import { describe, expect, test } from 'vitest'
import { ApiError, ERRORS, type ErrorCode, type ErrorEntry } from './errors.ts'

const entries = Object.entries(ERRORS) as [ErrorCode, ErrorEntry][]

describe('the error catalogue', () => {
  test.for(entries)('%s is in snake_case with a full sentence that says what to do', ([code, entry]) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(entry.message).toMatch(/^[A-Z].*\.$/)
    expect(entry.status).toBeGreaterThanOrEqual(400)
    expect(entry.status).toBeLessThan(600)
  })

  test('is sorted by status', () => {
    const statuses = entries.map(([, entry]) => entry.status)
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b))
  })
})

test('an error carries its details, and a more specific message where there is one', () => {
  const error = new ApiError('busy', { error: 'Retry in a minute.', retryAfter: 7, requiredMinor: 5n })
  expect(error).toMatchObject({
    message: 'Retry in a minute.',
    status: 503,
    retryAfter: 7,
    detail: { requiredMinor: 5n },
  })
  expect(new ApiError('busy').retryAfter).toBe(2)
})
