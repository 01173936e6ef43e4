// Operations on wallets that are distributed over shards: each goes to the node that has the shard, also while shards are moved.
import type { OrgId } from '../../kernel/ids.ts'
import { followShard } from '../../platform/db/citus/visit-shards.ts'
import type { MoneyShards, Sql } from '../../platform/db/tx.ts'

/** Applies each operation at the shard of its wallet. Where a shard has moved, looks up its node again. */
export async function applyToShards<Op extends { readonly org: OrgId }, Result>(
  shards: MoneyShards,
  ops: readonly Op[],
  apply: (sql: Sql, ops: readonly Op[]) => Promise<Result[]>,
): Promise<Result[]> {
  const places = await Promise.all(ops.map(({ org }) => shards.shardOf(org)))
  const results: Result[] = []
  await Promise.all(
    [...new Set(places)].map(async (shard) => {
      const here = ops.flatMap((op, n) => (places[n] === shard ? [{ op, n }] : []))
      const part = here.map(({ op }) => op)
      const applied = await followShard(shards, async () => apply(await shards.on(shard), part))
      for (const [i, { n }] of here.entries()) results[n] = applied[i] as Result
    }),
  )
  return results
}
