import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './error-response.ts'

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
