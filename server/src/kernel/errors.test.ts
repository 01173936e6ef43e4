import { describe, expect, test } from 'vitest'
import { ApiError, ERRORS, type ErrorCode, type ErrorEntry } from './errors.ts'

const entries = Object.entries(ERRORS) as [ErrorCode, ErrorEntry][]

describe('the catalogue of refusals', () => {
  test.for(entries)('%s is a snake_case name with a whole sentence that says what to do', ([code, entry]) => {
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

test('a refusal carries its details, and a better sentence where one is known', () => {
  const error = new ApiError('busy', { error: 'Come back on Monday.', retryAfter: 7, requiredMinor: 5n })
  expect(error).toMatchObject({
    message: 'Come back on Monday.',
    status: 503,
    retryAfter: 7,
    detail: { requiredMinor: 5n },
  })
  expect(new ApiError('busy').retryAfter).toBe(2)
})
