// SQL that verifies a chain. The database recomputes hashes with the function that created them.
import type { Tx } from '../../platform/db/tx.ts'

/** `chain` is an organisation id or `platform`. */
export type Head = { chain: string; seq: bigint; hash: string }
export type Link = { seq: bigint; id: string | null; hash: string }
export type Reason = 'missing' | 'edited' | 'unexpected' | 'rewritten'
export type Fault = { seq: bigint; id: string | null; reason: Reason }

export async function findHead(tx: Tx, chain: string): Promise<Head | undefined> {
  return tx.maybe<Head>`select chain, seq, hash from audit_heads where chain = ${chain}`
}

/** The heads of all chains after this one, in order. A chain with only an anchor row has seq 0. */
export async function listHeadsAfter(tx: Tx, chain: string, limit: number): Promise<Head[]> {
  return tx.rows<Head>`
    (select chain, seq, hash from audit_heads where chain > ${chain} order by chain limit ${limit})
    union all
    (select a.chain, 0, repeat('0', 64) from audit_anchors a
     where a.chain > ${chain} and not exists (select from audit_heads h where h.chain = a.chain)
     order by a.chain limit ${limit})
    order by chain limit ${limit}`
}

/**
 * The first entry after `from` and up to `last` that is missing, edited, or edited with a recomputed hash. The latter is
 * detected by its successor, which has the original hash; the result names the edited entry.
 */
export async function findFault(tx: Tx, chain: string, from: Link, last: bigint): Promise<Fault | undefined> {
  return tx.maybe<Fault>`
    with page as (
      select e.seq, e.id, e.hash, e.prev_hash, audit_hash(e) as true_hash,
             lag(e.seq, 1, ${from.seq}::bigint) over w as before_seq,
             lag(e.id, 1, ${from.id}::text) over w as before_id,
             lag(e.hash, 1, ${from.hash}::text) over w as before_hash
      from audit_entries e where e.chain = ${chain} and e.seq > ${from.seq} and e.seq <= ${last}
      window w as (order by e.seq))
    select case when seq <> before_seq + 1 then before_seq + 1 when hash <> true_hash then seq else before_seq end as seq,
           case when seq <> before_seq + 1 then null when hash <> true_hash then id else before_id end as id,
           case when seq <> before_seq + 1 then 'missing' else 'edited' end as reason
    from page
    where seq <> before_seq + 1 or hash <> true_hash or prev_hash <> before_hash
    order by page.seq limit 1`
}

export async function findLink(tx: Tx, chain: string, seq: bigint): Promise<Link | undefined> {
  return tx.maybe<Link>`select seq, id, hash from audit_entries where chain = ${chain} and seq = ${seq}`
}

/** The last entry at or before `seq`. */
export async function findLastLink(tx: Tx, chain: string, seq: bigint): Promise<Link | undefined> {
  return tx.maybe<Link>`
    select seq, id, hash from audit_entries where chain = ${chain} and seq <= ${seq} order by seq desc limit 1`
}

/** An entry beyond the head, which was inserted and not appended. One statement, so that both tables are consistent. */
export async function findUnexpected(tx: Tx, chain: string): Promise<Fault | undefined> {
  return tx.maybe<Fault>`
    select seq, id, 'unexpected' as reason from audit_entries
    where chain = ${chain} and seq > coalesce((select seq from audit_heads where chain = ${chain}), 0)
    order by seq limit 1`
}

/** A chain with entries but no head. */
export async function findHeadless(tx: Tx): Promise<{ chain: string } | undefined> {
  return tx.maybe<{ chain: string }>`
    select e.chain from audit_entries e where not exists (select from audit_heads h where h.chain = e.chain) limit 1`
}

/**
 * Checks that the chain contains an anchored entry. A different hash means that this or an earlier entry was changed and
 * all later hashes were recomputed.
 */
async function faultAt(
  tx: Tx,
  { chain, seq, hash }: { chain: string; seq: bigint; hash: string },
): Promise<Fault | undefined> {
  const link = await findLink(tx, chain, seq)
  if (link) return link.hash === hash ? undefined : { seq, id: link.id, reason: 'rewritten' }
  const last = await findLastLink(tx, chain, seq)
  return { seq: (last?.seq ?? 0n) + 1n, id: null, reason: 'missing' }
}

/** The fault with the lowest seq for any of these points. */
export async function firstFault(
  tx: Tx,
  chain: string,
  points: readonly ({ seq: bigint; hash: string } | null)[],
): Promise<Fault | undefined> {
  let first: Fault | undefined
  for (const point of points) {
    const fault = point ? await faultAt(tx, { chain, seq: point.seq, hash: point.hash }) : undefined
    if (fault && (!first || fault.seq < first.seq)) first = fault
  }
  return first
}
