import { expect, test } from 'vitest'
import { auditDetails } from './audit-details.ts'

test('a change is told from what to what, whichever way it was noted', () => {
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

test('what was only before or only after stays a fact of its own', () => {
  expect(auditDetails({ from: 'org_1' })).toEqual([{ name: 'from', before: null, after: 'org_1' }])
})

test('lists and nested facts are written out, and nothing is a dash', () => {
  expect(auditDetails({ scopes: ['a', 'b'], none: [], reason: null, deep: { n: 1n } })).toEqual([
    { name: 'scopes', before: null, after: 'a, b' },
    { name: 'none', before: null, after: '–' },
    { name: 'reason', before: null, after: '–' },
    { name: 'deep', before: null, after: '{"n":1}' },
  ])
})
