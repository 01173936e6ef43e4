// The ledger integrity check for staff.
import { route } from '../../platform/http/route.ts'
import { CHECK_TIMEOUT_MS, checkLedger } from './check-ledger.ts'
import { LedgerInvariants, LedgerInvariantsQuery } from './schema.ts'

export const ledgerRoutes = [
  route('admin.ledger.invariants', 'GET /admin/ledger/invariants', {
    summary: 'Check the consistency of wallets, postings, holds, payments, refunds and invoices.',
    detail:
      'Each check reads one snapshot and changes nothing; a check over one minute is aborted and reported as unfinished. Hashes are recomputed for 200 000 postings per call; `nextCursor` continues. The trial balance compares wallet balances with the postings of all other accounts: a sum other than zero means that money appeared or disappeared.',
    access: { staff: 'any' },
    rate: 'global',
    query: LedgerInvariantsQuery,
    reply: { 200: LedgerInvariants },
    timeoutMs: CHECK_TIMEOUT_MS,
    handle: ({ app, query }) => checkLedger(app, query.cursor),
  }),
]
