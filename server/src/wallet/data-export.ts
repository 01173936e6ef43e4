// What an organisation owns in money, and what becomes of it at the end: it is never lost without a word.
import { format, money } from '../kernel/money.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import { bySeq, byText } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import { lockWallet, readBalances } from './balances.ts'
import {
  countOpenHolds,
  type ExportedHold,
  entriesAfter,
  holdsAfter,
  type MemberMonth,
  memberMonthsAfter,
} from './data-export-sql.ts'
import { readPostings } from './integrity/proof-sql.ts'

export const walletTenantData: TenantData = {
  facts: { wallet: (_app, tx, org) => readBalances(tx, org) },
  exports: {
    ledger: bySeq(entriesAfter),
    movements: bySeq(readPostings),
    holds: byText(holdsAfter, ({ ref }: ExportedHold) => ref),
    memberMonths: byText(memberMonthsAfter, ({ userId, month }: MemberMonth) => `${userId} ${month}`),
  },
  tables: ['wallets', 'movements', 'holds', 'member_months'],
  mayClose: (_app, tx, closing) => problemWith(tx, closing),
}

/** Looked at under the wallet's own lock: nothing moves between this and the end of the transaction. */
async function problemWith(tx: Tx, { orgId, forfeitMinor }: OrgClosure): Promise<string | null> {
  await lockWallet(tx, orgId)
  if ((await countOpenHolds(tx, orgId)) > 0)
    return 'Work is still running; stop it or wait until it has ended, and try again.'
  const { balanceMinor, currency } = await readBalances(tx, orgId)
  if (balanceMinor === (forfeitMinor ?? 0n)) return null
  const amount = format(money(balanceMinor, currency))
  return balanceMinor === 0n
    ? 'The wallet is empty; leave `forfeitMinor` out.'
    : `The wallet holds ${amount}; spend it, ask support for a refund, or give it up by sending \`forfeitMinor\`: ${balanceMinor}.`
}
