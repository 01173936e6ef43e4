// A result for tests.
import type { Result } from '../src/results/result.ts'

export const RESULT: Result = {
  id: '7k2f',
  kind: 'run',
  baseUrl: 'http://cowrie.test',
  payer: { userId: 'usr_1', orgId: 'org_1' },
  idempotencyKey: 'cli_1',
  runId: 'agr_1',
  root: '/srv/adder',
  prompt: 'Make add() add.',
  order: { frontier: false, maxMinor: 26_500n, loop: null },
  createdAt: '2026-11-16T09:00:00.000Z',
  state: 'done',
  reason: null,
  sent: [{ path: 'src/add.js', content: 'a - b\n' }],
  edits: [
    { path: 'src/add.js', action: 'update', content: 'a + b\n', description: 'asked for', baseSha256: null },
  ],
  summary: 'It adds.',
  warnings: [],
  verified: null,
  costMinor: 9_223_372_036_854_775_807n,
  currency: { symbol: '₦', minorUnit: 100 },
  appliedAt: null,
}
