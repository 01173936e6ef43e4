// The statements that walk a chain. Hashes are computed anew where the entries are, by the function that first made them.
import type { Tx } from '../../platform/db/tx.ts'

/** A chain is an organisation's id, or `platform`. */
export type Head = { chain: string; seq: bigint; hash: string }
export type Link = { seq: bigint; id: string | null; hash: string }
export type Reason = 'missing' | 'edited' | 'unexpected' | 'rewritten'
export type Fault = { seq: bigint; id: string | null; reason: Reason }

export async function findHead(tx: Tx, chain: string): Promise<Head | undefined> {
  return tx.maybe<Head>`select chain, seq, hash from audit_heads where chain = ${chain}`
}

/** The ends of all chains in order, after this one; a chain that only its anchor remembers is at nothing. */
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
 * The first entry after `from` and up to `last` that is not what it was: gone, changed, or changed and hashed anew. The
 * latter shows in its successor, which still remembers the true hash; the entry itself is named.
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

/** The last entry at or before `seq`; what should follow it is missing. */
export async function findLastLink(tx: Tx, chain: string, seq: bigint): Promise<Link | undefined> {
  return tx.maybe<Link>`
    select seq, id, hash from audit_entries where chain = ${chain} and seq <= ${seq} order by seq desc limit 1`
}

/** An entry behind the end of its chain: it was not appended but put there. One statement sees both tables at one instant. */
export async function findUnexpected(tx: Tx, chain: string): Promise<Fault | undefined> {
  return tx.maybe<Fault>`
    select seq, id, 'unexpected' as reason from audit_entries
    where chain = ${chain} and seq > coalesce((select seq from audit_heads where chain = ${chain}), 0)
    order by seq limit 1`
}

/** A chain whose end is forgotten altogether. */
export async function findHeadless(tx: Tx): Promise<{ chain: string } | undefined> {
  return tx.maybe<{ chain: string }>`
    select e.chain from audit_entries e where not exists (select from audit_heads h where h.chain = e.chain) limit 1`
}

/**
 * What a chain lacks of what was noted down about it: its tail, or the very entry. An entry with another hash than the
 * one noted means that it, or any before it, was changed and everything since then hashed anew.
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

/** The first fault against any of these entries, where there are any. */
export async function firstFault(
  tx: Tx,
  chain: string,
  marks: readonly ({ seq: bigint; hash: string } | null)[],
): Promise<Fault | undefined> {
  let first: Fault | undefined
  for (const mark of marks) {
    const fault = mark ? await faultAt(tx, { chain, seq: mark.seq, hash: mark.hash }) : undefined
    if (fault && (!first || fault.seq < first.seq)) first = fault
  }
  return first
}
