// The wallet's endpoints: what is in it, what happened to it, and the proof of both.
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { route } from '../platform/http/route.ts'
import { readBalances } from './balances.ts'
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
    summary: 'What is in your wallet, and what of it is free.',
    access: 'any',
    rate: 'global',
    reply: { 200: Wallet },
    handle: ({ app, actor }) => readBalances(app.db.direct, actor.orgId),
  }),

  route('wallet.ledger', 'GET /wallet/ledger', {
    summary: 'Every credit and debit of your wallet, newest first.',
    detail:
      'Reservations are no entries: only what changes the balance is. With `Accept: text/csv` the filtered rows come as a file of up to 10 000 rows; `X-Next-Cursor` says where to go on when there are more.',
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
    summary: 'Show that your balance is the sum of its movements, and that none of them was changed.',
    detail: `All figures are of one instant. The chain of hashes is checked over the newest ${CHECKED_MAX} movements; \`checked.olderFrom\` goes further back. You need not take our word: read \`GET /wallet/proof/movements\` and compute the head yourself. ${HASH_RECIPE}`,
    access: 'any',
    rate: 'global',
    query: ProofQuery,
    reply: { 200: Proof },
    handle: ({ app, actor, query }) => proveBalance(app, actor.orgId, query.from),
  }),

  route('wallet.movements', 'GET /wallet/proof/movements', {
    summary: 'Every movement of your wallet with all that its hash covers, the oldest first.',
    detail: `The seven amounts of a movement sum to zero: the four places of your wallet, what we earned, what your plan gave, and the account on the other side. ${HASH_RECIPE}`,
    access: 'any',
    rate: 'global',
    query: MovementsQuery,
    reply: { 200: MovementsPage },
    handle: ({ app, actor, query }) => listPostings(app, actor.orgId, query),
  }),

  route('wallet.settings.get', 'GET /wallet/settings', {
    summary: 'The threshold below which you are warned.',
    access: { role: 'admin' },
    rate: 'global',
    reply: { 200: WalletSettingsReply },
    handle: ({ app, actor }) => readSettings(app, actor.orgId),
  }),

  route('wallet.settings.set', 'PATCH /wallet/settings', {
    summary: 'Set the threshold below which you are warned.',
    detail:
      'Owner and admins get one mail when the balance falls below it, and no further one until it was above again.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: WalletSettingsEdit,
    reply: { 200: WalletSettingsReply },
    handle: ({ app, actor, body, request }) =>
      setThreshold(app, actor, body.lowBalanceThresholdMinor, request.address),
  }),
]
