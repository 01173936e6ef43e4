import type { Tx } from '../platform/db/tx.ts'
import type { Closing, Owned, OwnedReader } from '../platform/owned.ts'
import { byTime } from '../platform/owned-readers.ts'
import {
  countOpen,
  type ExportedEntry,
  type ExportedPayment,
  paymentsAfter,
  refundsAfter,
  returnsAfter,
} from './sql/data-export.ts'

export const paymentsTenantData: Owned = {
  exports: {
    topups: payments(true),
    otherPayments: payments(false),
    paymentReturns: byTime(returnsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
    refunds: byTime(refundsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
  },
  tables: ['payments', 'payment_returns', 'wallet_refunds'],
  withheld: {
    payment_events: 'what providers wrote to us; what came of it is in the payments',
    payment_cases: 'what our staff looked into; what came of it is in the payments',
  },
  mayClose: (_app, tx, closing) => closingProblem(tx, closing),
}

function payments(areTopups: boolean): OwnedReader {
  return byTime(
    (tx, org, after, limit) => paymentsAfter(tx, org, areTopups, after, limit),
    ({ createdAt, reference }: ExportedPayment) => [createdAt, reference],
  )
}

async function closingProblem(tx: Tx, { orgId }: Closing): Promise<string | null> {
  const { pending, review } = await countOpen(tx, orgId)
  if (review > 0) return 'We are looking into a payment; wait until it is decided, or ask support.'
  return pending > 0 ? 'A payment is not decided yet; finish it or wait until it has expired.' : null
}
