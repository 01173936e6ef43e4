import type { App } from '../platform/app.ts'
import type { ExportReader, OrgClosure, TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import {
  countOpen,
  type ExportedEntry,
  type ExportedPayment,
  paymentsAfter,
  refundsAfter,
  returnsAfter,
} from './sql/data-export.ts'

export const paymentsTenantData: TenantData<App> = {
  exports: {
    topups: payments(true),
    otherPayments: payments(false),
    paymentReturns: byTime(returnsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
    refunds: byTime(refundsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
  },
  tables: ['payments', 'payment_returns', 'wallet_refunds'],
  withheld: {
    payment_events: 'webhooks of providers; their results are in the payments',
    paybill_accounts: 'the account number is shown in the wallet',
    paybill_receipts: 'notices of M-Pesa; their results are in the payments',
    payment_cases: 'internal cases of staff; their results are in the payments',
  },
  mayClose: (_app, tx, closing) => closingProblem(tx, closing),
}

function payments(areTopups: boolean): ExportReader {
  return byTime(
    (tx, org, after, limit) => paymentsAfter(tx, org, areTopups, after, limit),
    ({ createdAt, reference }: ExportedPayment) => [createdAt, reference],
  )
}

async function closingProblem(tx: Tx, { orgId }: OrgClosure): Promise<string | null> {
  const { pending, review } = await countOpen(tx, orgId)
  if (review > 0) return 'A payment is under review. Wait for the decision, or contact support.'
  return pending > 0 ? 'A payment is still pending. Complete it or wait until it expires.' : null
}
