// The statements about anchors: which chains have moved on since they were noted down.
import type { Tx } from '../platform/db/tx.ts'
import type { Head } from './verify-sql.ts'

/**
 * Chains whose end is not the one that was noted down, in order; a chain that has no end any more is at nothing. Also
 * those that went back: whoever notes them down will see. Needs the reach of the platform.
 */
export function listUnanchored(tx: Tx, afterChain: string, limit: number): Promise<Head[]> {
  return tx.rows<Head>`
    select chain, coalesce(h.seq, 0) as seq, coalesce(h.hash, '') as hash
    from audit_heads h full join audit_anchors a using (chain)
    where chain > ${afterChain} and (h.seq is distinct from a.seq or h.hash is distinct from a.hash)
    order by chain limit ${limit}`
}

export async function saveAnchors(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.rows`
    insert into audit_anchors (chain, seq, hash, anchored_at)
    select chain, seq, hash, ${tx.now} from unnest(
      ${heads.map(({ chain }) => chain)}::text[], ${heads.map(({ seq }) => seq)}::bigint[],
      ${heads.map(({ hash }) => hash)}::text[]) as noted (chain, seq, hash)
    on conflict (chain) do update set seq = excluded.seq, hash = excluded.hash, anchored_at = excluded.anchored_at`
}

export async function isAnchored(tx: Tx, chain: string): Promise<boolean> {
  return (await tx.maybe`select seq from audit_anchors where chain = ${chain}`) !== undefined
}
