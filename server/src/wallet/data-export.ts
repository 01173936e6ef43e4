// The money of an organisation in its data export, and the wallet's conditions for closing the organisation.

import type { OrgId } from '../kernel/ids.ts'
import { format, money } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import { bySeq, byText } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import { lockWallet, readBalances, toBalances, type WalletRow } from './balances.ts'
import { readPostings } from './integrity/proof-sql.ts'
import { type ExportedTrial, trialsAfter } from './trial/sql.ts'

export const walletTenantData: TenantData<App> = {
  facts: { wallet: (_app, tx, org) => readWalletWithHead(tx, org) },
  exports: {
    ledger: bySeq(entriesAfter),
    movements: bySeq(readPostings),
    holds: byText(holdsAfter, ({ ref }: ExportedHold) => ref),
    memberMonths: byText(memberMonthsAfter, ({ userId, month }: MemberMonth) => `${userId} ${month}`),
    trialCredits: byText(trialsAfter, ({ id }: ExportedTrial) => id),
    accruals: byText(accrualsAfter, ({ orgId }: ExportedAccrual) => orgId),
    keySpend: byText(keySpendAfter, ({ keyId, day }: KeyDay) => `${keyId} ${day}`),
  },
  tables: ['wallets', 'movements', 'holds', 'member_months', 'key_spend', 'trial_credits', 'wallet_accruals'],
  mayClose: (_app, tx, closing) => problemWith(tx, closing),
}

/** Locks the wallet, so that nothing is posted between this check and the end of the transaction. */
async function problemWith(tx: Tx, { orgId, forfeitMinor }: OrgClosure): Promise<string | null> {
  await lockWallet(tx, orgId)
  if ((await countOpenHolds(tx, orgId)) > 0)
    return 'Work is still running. Stop it or wait until it ends, then try again.'
  const { balanceMinor, currency } = await readBalances(tx, orgId)
  if (balanceMinor === (forfeitMinor ?? 0n)) return null
  const amount = format(money(balanceMinor, currency))
  return balanceMinor === 0n
    ? 'The wallet is empty. Omit `forfeitMinor`.'
    : `The wallet has a balance of ${amount}. Spend it, ask support for a refund, or forfeit it by sending \`forfeitMinor\`: ${balanceMinor}.`
}

type WalletWithHead = WalletRow & {
  trialMinor: bigint
  trialExpiresAt: Date | null
  seq: bigint
  hash: string
}

/** One statement, so that the balances are those of the posting at `head`. The list of postings may be longer. */
async function readWalletWithHead(tx: Tx, org: OrgId) {
  const { seq, hash, trialMinor, trialExpiresAt, ...row } = await tx.one<WalletWithHead>`
    select w.balance_minor as "balanceMinor", w.held_minor as "heldMinor", w.included_minor as "includedMinor",
           w.included_held_minor as "includedHeldMinor", w.currency, t.trial_minor as "trialMinor",
           t.expires_at as "trialExpiresAt", w.seq, encode(w.head, 'hex') as hash
    from wallets w, wallet_trial(w.org_id) t where w.org_id = ${org}`
  return { ...toBalances(row), trialMinor, trialExpiresAt, head: { seq, hash } }
}

function entriesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, case when free_minor + held_minor > 0 then 'credit' else 'debit' end as type,
           abs(free_minor + held_minor) as "amountMinor", source, ref, balance_after_minor as "balanceAfterMinor",
           created_at as "createdAt"
    from movements where org_id = ${org} and seq > ${after} and free_minor + held_minor <> 0
    order by seq limit ${limit}`
}

type ExportedHold = { ref: string }

function holdsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<ExportedHold>`
    select id, ref, user_id as "userId", key_ids[1] as "keyId", source, state, amount_minor as "amountMinor", included_minor as "includedMinor",
           charged_minor as "chargedMinor", charged_included_minor as "chargedIncludedMinor", terms, usage,
           created_at as "createdAt", ended_at as "endedAt"
    from holds where org_id = ${org} and ref > ${after} order by ref limit ${limit}`
}

type MemberMonth = { userId: string; month: string }

function memberMonthsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<MemberMonth>`
    select user_id as "userId", to_char(month, 'YYYY-MM') as month, spent_minor as "spentMinor"
    from member_months where org_id = ${org} and user_id || ' ' || to_char(month, 'YYYY-MM') > ${after}
    order by user_id || ' ' || to_char(month, 'YYYY-MM') limit ${limit}`
}

type ExportedAccrual = { orgId: OrgId }

/** One row, if any charge of the organisation accrued. */
function accrualsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<ExportedAccrual>`
    select org_id as "orgId", charged_minor::bigint as "chargedMinor", exact_cost::text as "exactCost"
    from wallet_accruals where org_id = ${org} and org_id > ${after} order by org_id limit ${limit}`
}

type KeyDay = { keyId: string; day: string }

function keySpendAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<KeyDay>`
    select key_id as "keyId", day::text as day, spent_minor as "spentMinor"
    from key_spend where org_id = ${org} and key_id || ' ' || day::text > ${after}
    order by key_id || ' ' || day::text limit ${limit}`
}

async function countOpenHolds(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from holds where org_id = ${org} and state = 'open'`
  return n
}
