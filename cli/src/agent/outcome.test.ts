import type { AgentRunResult } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import type { Result } from '../results/result.ts'
import { outcomeOfRun } from './outcome.ts'

test('a result lists the secrets withheld from the model', () => {
  const reply = {
    id: 'agr_1',
    summary: '',
    edits: [],
    warnings: ['answer_cut'],
    withheld: [
      { path: '.env', reason: 'file that holds secrets' },
      { path: 'src/pay.js', line: 3, reason: 'GitHub token' },
    ],
    costMinor: 1n,
    balanceMinor: 2n,
  } as unknown as AgentRunResult
  expect(outcomeOfRun({} as Result, reply).result.warnings).toEqual([
    'answer_cut',
    'withheld: .env (file that holds secrets)',
    'withheld: src/pay.js:3 (GitHub token)',
  ])
})
