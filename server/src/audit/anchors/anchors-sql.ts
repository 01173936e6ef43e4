// The statements about anchors: which chains have moved on since they were noted down, and what was.
import type { Tx } from '../../platform/db/tx.ts'
import type { Head } from '../verify/verify-sql.ts'

/** An entry that must still be there. */
export type ChainPoint = { seq: bigint; hash: string }
/** The end of a chain, and the one that was noted down before. */
export type UnanchoredHead = Head & { anchorRow: ChainPoint | null }

/**
 * Chains whose end is not the one that was noted down, in order; a chain that has no end any more is at nothing. Also
 * those that went back: whoever notes them down will see. Needs the reach of the platform.
 */
export async function listUnanchoredHeads(
  tx: Tx,
  afterChain: string,
  limit: number,
): Promise<UnanchoredHead[]> {
  const rows = await tx.rows<Head & { notedSeq: bigint | null; notedHash: string | null }>`
    select chain, coalesce(h.seq, 0) as seq, coalesce(h.hash, '') as hash, a.seq as "notedSeq", a.hash as "notedHash"
    from audit_heads h full join audit_anchors a using (chain)
    where chain > ${afterChain} and (h.seq is distinct from a.seq or h.hash is distinct from a.hash)
    order by chain limit ${limit}`
  return rows.map(({ notedSeq, notedHash, ...head }) => ({
    ...head,
    noted: notedSeq === null || notedHash === null ? null : { seq: notedSeq, hash: notedHash },
  }))
}

export async function saveAnchorRows(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.rows`
    insert into audit_anchors (chain, seq, hash, anchored_at)
    select chain, seq, hash, ${tx.now} from unnest(
      ${heads.map(({ chain }) => chain)}::text[], ${heads.map(({ seq }) => seq)}::bigint[],
      ${heads.map(({ hash }) => hash)}::text[]) as noted (chain, seq, hash)
    on conflict (chain) do update set seq = excluded.seq, hash = excluded.hash, anchored_at = excluded.anchored_at`
}

/** What the database itself remembers to have been noted. */
export async function findAnchorRow(tx: Tx, chain: string): Promise<ChainPoint | null> {
  return (await tx.maybe<ChainPoint>`select seq, hash from audit_anchors where chain = ${chain}`) ?? null
}
