// When a merge is stopped.
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
])(
  'a change with "%s" ends by policy, and problem of ours only keeps it from passing',
  ([text, expected]) => {
    const [severity, confidence] = text.split(' ') as ['error', 'high']
    const findings = text === '' ? [] : [finding(severity, confidence)]
    for (const policy of ['off', 'errors', 'strict'] as const) {
      expect(decideConclusion(policy, { findings, hasFailedValidation: false, isIncomplete: false })).toBe(
        expected[policy],
      )
      const troubled = expected[policy] === 'success' ? 'neutral' : expected[policy]
      expect(decideConclusion(policy, { findings, hasFailedValidation: false, isIncomplete: true })).toBe(
        troubled,
      )
    }
  },
)

test('a failed step of validation fails the check, except where nothing may', () => {
  const standing = { findings: [], hasFailedValidation: true, isIncomplete: false }
  const ends = (['off', 'errors', 'strict'] as const).map((policy) => decideConclusion(policy, standing))
  expect(ends).toEqual(['neutral', 'failure', 'failure'])
})
