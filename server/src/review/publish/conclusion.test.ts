// The conclusion of the check by policy and findings.
import { expect, test } from 'vitest'
import type { BlockingPolicy } from '../installations/installations-sql.ts'
import { decideConclusion } from './conclusion.ts'

const finding = (severity: 'error' | 'warn' | 'note', confidence: 'high' | 'medium' | 'low') => ({
  severity,
  confidence,
})

test.for<[string, Record<BlockingPolicy, string>]>([
  ['', { off: 'success', errors: 'success', strict: 'success' }],
  ['error high', { off: 'neutral', errors: 'failure', strict: 'failure' }],
  ['error medium', { off: 'neutral', errors: 'neutral', strict: 'failure' }],
  ['warn high', { off: 'neutral', errors: 'neutral', strict: 'failure' }],
  ['note high', { off: 'neutral', errors: 'neutral', strict: 'neutral' }],
])('the policy decides the conclusion for "%s"; an incomplete review never passes', ([text, expected]) => {
  const [severity, confidence] = text.split(' ') as ['error', 'high']
  const findings = text === '' ? [] : [finding(severity, confidence)]
  for (const policy of ['off', 'errors', 'strict'] as const) {
    expect(decideConclusion(policy, { findings, hasFailedValidation: false, isIncomplete: false })).toBe(
      expected[policy],
    )
    const incomplete = expected[policy] === 'success' ? 'neutral' : expected[policy]
    expect(decideConclusion(policy, { findings, hasFailedValidation: false, isIncomplete: true })).toBe(
      incomplete,
    )
  }
})

test('failed validation fails the check, except with the policy off', () => {
  const input = { findings: [], hasFailedValidation: true, isIncomplete: false }
  const conclusions = (['off', 'errors', 'strict'] as const).map((policy) => decideConclusion(policy, input))
  expect(conclusions).toEqual(['neutral', 'failure', 'failure'])
})
