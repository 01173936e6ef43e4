// SQL for anchor rows: the database's record of the last anchor of each chain.
import type { Tx } from '../../platform/db/tx.ts'
import type { Head } from '../verify/verify-sql.ts'

/** An entry that must still exist with this hash. */
export type ChainPoint = { seq: bigint; hash: string }
/** The head of a chain, and its last anchor row. */
export type UnanchoredHead = Head & { anchorRow: ChainPoint | null }

/**
 * Chains whose head differs from their anchor row, in order, including chains that became shorter; the caller detects
 * those. A chain without a head has seq 0. Needs the platform scope.
 */
export async function listUnanchoredHeads(
  tx: Tx,
  afterChain: string,
  limit: number,
): Promise<UnanchoredHead[]> {
  const rows = await tx.rows<Head & { anchorSeq: bigint | null; anchorHash: string | null }>`
    select chain, coalesce(h.seq, 0) as seq, coalesce(h.hash, '') as hash, a.seq as "anchorSeq", a.hash as "anchorHash"
    from audit_heads h full join audit_anchors a using (chain)
    where chain > ${afterChain} and (h.seq is distinct from a.seq or h.hash is distinct from a.hash)
    order by chain limit ${limit}`
  return rows.map(({ anchorSeq, anchorHash, ...head }) => ({
    ...head,
    anchorRow: anchorSeq === null || anchorHash === null ? null : { seq: anchorSeq, hash: anchorHash },
  }))
}

export async function saveAnchorRows(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.rows`
    insert into audit_anchors (chain, seq, hash, anchored_at)
    select chain, seq, hash, ${tx.now} from unnest(
      ${heads.map(({ chain }) => chain)}::text[], ${heads.map(({ seq }) => seq)}::bigint[],
      ${heads.map(({ hash }) => hash)}::text[]) as head (chain, seq, hash)
    on conflict (chain) do update set seq = excluded.seq, hash = excluded.hash, anchored_at = excluded.anchored_at`
}

/** The last anchor of a chain, as recorded in the database. */
export async function findAnchorRow(tx: Tx, chain: string): Promise<ChainPoint | null> {
  return (await tx.maybe<ChainPoint>`select seq, hash from audit_anchors where chain = ${chain}`) ?? null
}

/** The chains that have an anchor. Needs the platform scope. */
export async function listAnchoredChains(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ chain: string }>`
    select chain from audit_anchors where chain > ${after} order by chain limit ${limit}`
  return rows.map(({ chain }) => chain)
}

/** The next run of the anchor job verifies these chains against their anchors in the storage and anchors them again. */
export async function requestAnchors(tx: Tx, chains: readonly string[]): Promise<void> {
  await tx.rows`delete from audit_anchors where chain = any(${chains}::text[])`
}
