// Every statement about what is remembered of verdicts.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type Remembered = { ruleId: string; shape: string; confirmed: number; refuted: number }

export function rememberedOf(
  tx: Tx,
  org: OrgId,
  wanted: readonly Pick<Remembered, 'ruleId' | 'shape'>[],
): Promise<Remembered[]> {
  return tx.content.rows<Remembered>`
    select rule_id as "ruleId", shape, confirmed, refuted from review_corpus
    where org_id = ${org} and (rule_id, shape) in (
      select rule, shape from unnest(${wanted.map(({ ruleId }) => ruleId)}::text[],
                                     ${wanted.map(({ shape }) => shape)}::text[]) as wanted (rule, shape))`
}

/** Adds weights, which may be negative for what is taken back. */
export async function addWeights(tx: Tx, org: OrgId, change: Remembered): Promise<void> {
  const { ruleId, shape, confirmed, refuted } = change
  await tx.content.rows`
    insert into review_corpus (org_id, rule_id, shape, confirmed, refuted, last_seen)
    values (${org}, ${ruleId}, ${shape}, ${Math.max(0, confirmed)}, ${Math.max(0, refuted)}, ${tx.now})
    on conflict (org_id, rule_id, shape) do update
    set confirmed = least(1000000, greatest(0, review_corpus.confirmed + ${confirmed})),
        refuted = least(1000000, greatest(0, review_corpus.refuted + ${refuted})), last_seen = ${tx.now}`
}

/** Keeps so many: what was seen just now, then what most was said about, then what was seen last. */
export async function evict(tx: Tx, org: OrgId, most: number): Promise<void> {
  await tx.content.rows`
    delete from review_corpus
    where org_id = ${org} and (rule_id, shape) in (
      select rule_id, shape from review_corpus where org_id = ${org}
      order by (last_seen = ${tx.now}) desc, confirmed + refuted desc, last_seen desc, rule_id, shape offset ${most})`
}
