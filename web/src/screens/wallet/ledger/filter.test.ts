import { expect, test } from 'vitest'
import { ALL, queryOf } from './filter.ts'

test('an empty filter requests everything, and the last day is included completely', () => {
  expect(queryOf(ALL)).toEqual({})
  const { source, from, to } = queryOf({ source: 'agent', from: '2026-11-01', to: '2026-11-01' })
  expect(source).toBe('agent')
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000)
})
