// The ledger integrity check for staff.
import { billingChecks } from '../../billing/billing.ts'
import { invoiceChecks } from '../../invoices/invoices.ts'
import { usageChecks } from '../../metering/metering.ts'
import { paymentChecks } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { route } from '../../platform/http/route.ts'
import { checkHashes, runChecks, trialBalance, walletChecks } from '../../wallet/wallet.ts'
import { LedgerInvariants, LedgerInvariantsQuery } from './schema.ts'

const TIMEOUT_MS = 240_000

export const ledgerRoutes = [
  route('admin.ledger.invariants', 'GET /admin/ledger/invariants', {
    summary: 'Check the consistency of wallets, postings, holds, payments, refunds and invoices.',
    detail:
      'Each check reads one snapshot and changes nothing; a check over one minute is aborted and reported as unfinished. Hashes are recomputed for 200 000 postings per call; `nextCursor` continues. The trial balance compares wallet balances with the postings of all other accounts: a sum other than zero means that money appeared or disappeared.',
    access: { staff: 'any' },
    rate: 'global',
    query: LedgerInvariantsQuery,
    reply: { 200: LedgerInvariants },
    timeoutMs: TIMEOUT_MS,
    handle: ({ app, query }) => checkLedger(app, query.cursor),
  }),
]

async function checkLedger(app: App, cursor: string | undefined) {
  const { result, nextCursor } = await checkHashes(app, cursor)
  const checks = [
    ...(await runChecks(app, [
      ...walletChecks,
      ...usageChecks,
      ...paymentChecks,
      ...invoiceChecks,
      ...billingChecks,
    ])),
    result,
  ]
  const trial = await trialBalance(app)
  const ok = [...checks, ...trial].every((each) => each.ok)
  return { ok, at: app.clock.now(), checks, trialBalance: trial, nextCursor }
}
