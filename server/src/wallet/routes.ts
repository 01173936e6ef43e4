// The endpoints of the wallet: balances, ledger, proof and settings.
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { route } from '../platform/http/route.ts'
import { atWallet, readWallet } from './balances.ts'
import { explainEntry } from './explain/explain.ts'
import { EntryExplanation, EntryParams } from './explain/explain-schema.ts'
import { CHECKED_MAX, HASH_RECIPE, listPostings, proveBalance } from './integrity/proof.ts'
import { exportLedger, listLedger } from './ledger/ledger.ts'
import { readSettings, setThreshold } from './low-balance/low-balance.ts'
import {
  LedgerPage,
  LedgerQuery,
  MovementsPage,
  MovementsQuery,
  Proof,
  ProofQuery,
  Wallet,
  WalletSettingsEdit,
  WalletSettingsReply,
} from './schema.ts'

export const walletRoutes = [
  route('wallet.get', 'GET /wallet', {
    summary: 'Show the balance of your wallet and the part that is available.',
    access: 'any',
    rate: 'global',
    reply: { 200: Wallet },
    handle: ({ app, actor: { orgId } }) => atWallet(app.db, orgId, (sql) => readWallet(sql, orgId)),
  }),

  route('wallet.ledger', 'GET /wallet/ledger', {
    summary: 'List the credits and debits of your wallet, newest first.',
    detail:
      'Only changes of the balance are entries; reservations are not. `Accept: text/csv` returns the filtered rows as a file of up to 10 000 rows. If there are more, `X-Next-Cursor` is the cursor of the next file.',
    access: 'any',
    rate: 'global',
    query: LedgerQuery,
    reply: { 200: LedgerPage },
    also: { 'text/csv': 'The filtered rows, up to 10 000.' },
    errors: ['staff_only', 'not_found'],
    async handle({ app, actor, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listLedger(app, actor, query)
      const { csv, nextCursor } = await exportLedger(app, actor, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="ledger.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('wallet.proof', 'GET /wallet/proof', {
    summary: 'Prove that your balance is the sum of its postings and that none was changed.',
    detail: `All figures are of one instant. The hash chain is checked over the newest ${CHECKED_MAX} postings; pass \`checked.olderFrom\` as \`from\` to check older ones. To verify independently, read \`GET /wallet/proof/movements\` and compute the head. ${HASH_RECIPE}`,
    access: 'any',
    rate: 'global',
    query: ProofQuery,
    reply: { 200: Proof },
    handle: ({ app, actor, query }) => proveBalance(app, actor.orgId, query.from),
  }),

  route('wallet.movements', 'GET /wallet/proof/movements', {
    summary: 'List the postings of your wallet with every hashed field, oldest first.',
    detail: `The seven amounts of a posting sum to zero: the four balances of your wallet, our revenue, the allowance of your plan, and the counter account. ${HASH_RECIPE}`,
    access: 'any',
    rate: 'global',
    query: MovementsQuery,
    reply: { 200: MovementsPage },
    handle: ({ app, actor, query }) => listPostings(app, actor.orgId, query),
  }),

  route('wallet.settings.get', 'GET /wallet/settings', {
    summary: 'Show the low-balance threshold.',
    access: { role: 'admin' },
    rate: 'global',
    reply: { 200: WalletSettingsReply },
    handle: ({ app, actor }) => readSettings(app, actor.orgId),
  }),

  route('wallet.settings.set', 'PATCH /wallet/settings', {
    summary: 'Set the low-balance threshold.',
    detail:
      'Owners and admins get one email when the balance falls below it. The next one is sent only after the balance was above it again.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: WalletSettingsEdit,
    reply: { 200: WalletSettingsReply },
    handle: ({ app, actor, body, request }) =>
      setThreshold(app, actor, body.lowBalanceThresholdMinor, request.address),
  }),

  route('wallet.explain', 'GET /wallet/ledger/{id}', {
    summary: 'Explain a ledger entry.',
    detail:
      'For work: the terms of the reservation, the usage, and the calculation of the charge, recomputed for this reply. Where charges accumulate exactly, a call that earlier calls paid for has an explanation too: its id is `ledgerId` in the request log. For payments and refunds: their origin.',
    access: 'any',
    rate: 'global',
    params: EntryParams,
    reply: { 200: EntryExplanation },
    handle: ({ app, actor, params, request }) => explainEntry(app, actor.orgId, params.id, request.language),
  }),
]
