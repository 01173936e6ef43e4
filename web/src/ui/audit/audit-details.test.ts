import { expect, test } from 'vitest'
import { auditDetails } from './audit-details.ts'

test('a change shows old and new value in every recorded format', () => {
  expect(auditDetails({ from: 'pending', to: 'verified' })).toEqual([
    { name: '', before: 'pending', after: 'verified' },
  ])
  expect(auditDetails({ fromMinor: 5n, toMinor: 7n })).toEqual([{ name: 'minor', before: '5', after: '7' }])
  expect(
    auditDetails({
      before: { tier: 'team', region: null },
      after: { tier: 'enterprise', region: 'ng' },
      by: 'x',
    }),
  ).toEqual([
    { name: 'tier', before: 'team', after: 'enterprise' },
    { name: 'region', before: '–', after: 'ng' },
    { name: 'by', before: null, after: 'x' },
  ])
})

test('a field with only one of both values stays a separate field', () => {
  expect(auditDetails({ from: 'org_1' })).toEqual([{ name: 'from', before: null, after: 'org_1' }])
})

test('lists and nested fields are expanded, and an empty value is a dash', () => {
  expect(auditDetails({ scopes: ['a', 'b'], none: [], reason: null, deep: { n: 1n } })).toEqual([
    { name: 'scopes', before: null, after: 'a, b' },
    { name: 'none', before: null, after: '–' },
    { name: 'reason', before: null, after: '–' },
    { name: 'deep', before: null, after: '{"n":1}' },
  ])
})
