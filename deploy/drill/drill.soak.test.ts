import { expect, test } from 'vitest'
import { restoreDrill } from './drill.ts'

test('what was told before the instant is there after a restore, what came after it is learnt from the provider, and the chains are accepted', async () => {
  const report = await restoreDrill({ customers: 2, rounds: 1, settings: { fsync: 'off' } })
  expect(report).toMatchObject({
    payments: 6,
    lostPayments: 2,
    invariants: true,
    proofs: true,
    audit: { before: false, after: true },
    paidLater: { restored: 'pending', asked: 'settled' },
  })
}, 400_000)
