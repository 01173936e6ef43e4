import type { App } from '../platform/app.ts'
import type { ExportReader, OrgClosure, TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import {
  countOpen,
  countUndecidedRefunds,
  type ExportedEntry,
  type ExportedPayment,
  paymentsAfter,
  refundsAfter,
  returnsAfter,
  sourceRefundsAfter,
} from './sql/data-export.ts'

export const paymentsTenantData: TenantData<App> = {
  exports: {
    topups: payments(true),
    otherPayments: payments(false),
    paymentReturns: byTime(returnsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
    refunds: byTime(refundsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
    sourceRefunds: byTime(sourceRefundsAfter, ({ createdAt, id }: ExportedEntry) => [createdAt, id]),
  },
  tables: ['payments', 'payment_returns', 'wallet_refunds', 'source_refunds'],
  withheld: {
    payment_attempts: 'calls to providers; their results are in the payments',
    payment_events: 'webhooks of providers; their results are in the payments',
    paybill_accounts: 'the account number is shown in the wallet',
    paybill_receipts: 'notices of M-Pesa; their results are in the payments',
    payment_cases: 'internal cases of staff; their results are in the payments',
    payment_disputes: 'answers of staff to banks; the disputes are in the payment returns',
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
  if ((await countUndecidedRefunds(tx, orgId)) > 0)
    return 'A refund is still in progress. Wait until the payment provider has paid it.'
  if (review > 0) return 'A payment is under review. Wait for the decision, or contact support.'
  return pending > 0 ? 'A payment is still pending. Complete it or wait until it expires.' : null
}
