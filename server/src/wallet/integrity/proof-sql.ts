// Reads for the proof of a balance. Each is a single statement, so that it sees one instant.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { ChainHead } from '../../platform/chains.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** The sum over millions of postings takes longer than the normal timeout. */
export async function raiseStatementTimeout(tx: Tx): Promise<void> {
  await tx.rows`select set_config('statement_timeout', '20s', true)`
}

export type ProofRow = {
  currency: Currency
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  headSeq: bigint
  headHash: string
  movements: bigint
  creditsMinor: bigint
  debitsMinor: bigint
  sumHeldMinor: bigint
  sumIncludedMinor: bigint
  sumIncludedHeldMinor: bigint
  holdsOpen: bigint
  heldByHoldsMinor: bigint
  includedByHoldsMinor: bigint
  toSeq: bigint
  /** The number of postings on the page, the hash of the last, and the first that breaks the chain. */
  found: bigint
  lastHash: string | null
  brokenAt: bigint | null
}

/**
 * The wallet, the sums of all its postings and holds, and the chain over the last `most` postings up to `upTo`. The posting
 * before that page provides the previous hash and balance.
 */
export function readProof(tx: Tx, org: OrgId, upTo: bigint, most: bigint): Promise<ProofRow> {
  return tx.one<ProofRow>`
    with w as (
      select currency, balance_minor, held_minor, included_minor, included_held_minor, seq, head,
             least(seq, ${upTo}::bigint) as to_seq, greatest(least(seq, ${upTo}::bigint) - ${most}::bigint, 0) as before_seq
      from wallets where org_id = ${org}),
    sums as (
      select count(*) as movements,
             coalesce(sum(free_minor + held_minor) filter (where free_minor + held_minor > 0), 0)::bigint as credits,
             coalesce(-sum(free_minor + held_minor) filter (where free_minor + held_minor < 0), 0)::bigint as debits,
             coalesce(sum(held_minor), 0)::bigint as held,
             coalesce(sum(included_minor + included_held_minor), 0)::bigint as included,
             coalesce(sum(included_held_minor), 0)::bigint as included_held
      from movements where org_id = ${org}),
    reserved as (
      select count(*) as holds, coalesce(sum(amount_minor - included_minor), 0)::bigint as held,
             coalesce(sum(included_minor), 0)::bigint as included
      from holds where org_id = ${org} and state = 'open'),
    page as (
      select m.seq, m.hash, m.balance_after_minor - m.free_minor - m.held_minor as balance_before, m::text::movements as movement,
             lag(m.seq) over by_seq as seq_before, lag(m.hash) over by_seq as hash_before,
             lag(m.balance_after_minor) over by_seq as balance_after_before
      from movements m, w where m.org_id = ${org} and m.seq >= w.before_seq and m.seq <= w.to_seq
      window by_seq as (order by m.seq)),
    linked as (
      select page.seq, page.hash,
             case when page.seq <> coalesce(page.seq_before, 0) + 1 then coalesce(page.seq_before, greatest(w.before_seq - 1, 0)) + 1
                  when page.hash <> movement_hash(coalesce(page.hash_before, ''::bytea), page.movement)
                    or page.balance_before <> coalesce(page.balance_after_before, 0) then page.seq
             end as broken_at
      from page, w where page.seq > w.before_seq)
    select w.currency, w.balance_minor as "balanceMinor", w.held_minor as "heldMinor", w.included_minor as "includedMinor",
           w.included_held_minor as "includedHeldMinor", w.seq as "headSeq", encode(w.head, 'hex') as "headHash",
           sums.movements, sums.credits as "creditsMinor", sums.debits as "debitsMinor", sums.held as "sumHeldMinor",
           sums.included as "sumIncludedMinor", sums.included_held as "sumIncludedHeldMinor",
           reserved.holds as "holdsOpen", reserved.held as "heldByHoldsMinor", reserved.included as "includedByHoldsMinor",
           w.to_seq as "toSeq", (select count(*) from linked) as found,
           (select encode(hash, 'hex') from linked where linked.seq = w.to_seq) as "lastHash",
           (select min(broken_at) from linked) as "brokenAt"
    from w, sums, reserved`
}

export type PostingRow = {
  seq: bigint
  id: string
  kind: string
  freeMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  revenueMinor: bigint
  allowanceMinor: bigint
  account: string | null
  accountMinor: bigint
  source: string
  ref: string
  balanceAfterMinor: bigint
  cause: string | null
  holdId: string | null
  createdAt: Date
  createdAtMicros: bigint
  hash: string
}

/** Postings after a sequence number, the oldest first, with every hashed field. */
export function readPostings(tx: Tx, org: OrgId, afterSeq: bigint, limit: number): Promise<PostingRow[]> {
  return tx.rows<PostingRow>`
    select seq, id, kind, free_minor as "freeMinor", held_minor as "heldMinor", included_minor as "includedMinor",
           included_held_minor as "includedHeldMinor", revenue_minor as "revenueMinor", allowance_minor as "allowanceMinor",
           account, account_minor as "accountMinor", source, ref, balance_after_minor as "balanceAfterMinor", cause,
           hold_id as "holdId", created_at as "createdAt",
           (extract(epoch from created_at) * 1000000)::bigint as "createdAtMicros", encode(hash, 'hex') as hash
    from movements where org_id = ${org} and seq > ${afterSeq} order by seq limit ${limit}`
}

/** The ends of the chains of all wallets after this one, by organisation. Needs the platform scope. */
export function listHeadsAfter(tx: Tx, org: string, limit: number): Promise<ChainHead[]> {
  return tx.rows<ChainHead>`
    select org_id as chain, seq, encode(head, 'hex') as hash from wallets
    where org_id > ${org} and seq > 0 order by org_id limit ${limit}`
}
