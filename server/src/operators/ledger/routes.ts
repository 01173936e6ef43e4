// Whether all money is where it should be, for staff.

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
    summary: 'Check that every wallet, movement, hold, payment, refund and invoice agrees with the others.',
    detail:
      'Each check sees one instant and changes nothing; one that takes longer than a minute is given up and says so. Hashes are recomputed for 200 000 movements per call; `nextCursor` goes on with the others. The trial balance takes what customers have from their wallets and the other side from movements: money that appeared or went shows as a sum other than zero.',
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
