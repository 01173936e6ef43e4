import { expect, test } from 'vitest'
import { restoreDrill } from './drill.ts'

test('a restore keeps all payments before the instant, status checks find later ones, and the audit chains are accepted', async () => {
  const report = await restoreDrill({ customers: 2, rounds: 1, settings: { fsync: 'off' } })
  expect(report).toMatchObject({
    payments: 6,
    lostPayments: 2,
    invariants: true,
    proofs: true,
    objects: { restored: ['changed', 'missing', 'orphaned'], remedied: 0 },
    audit: { before: false, after: true },
    paidLater: { restored: 'pending', checked: 'settled' },
  })
}, 400_000)
