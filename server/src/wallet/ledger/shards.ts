// Operations on wallets that are distributed over shards: each goes to the node that has the shard, also while shards are moved.
import { setTimeout as pause } from 'node:timers/promises'
import type { OrgId } from '../../kernel/ids.ts'
import { isShardElsewhere, toApiError } from '../../platform/db/errors.ts'
import type { MoneyShards, Sql } from '../../platform/db/tx.ts'

const MOVES_MAX = 5
const MOVED_DELAY_MS = 20

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
      const applied = await whereverItIs(shards, shard, (sql) => apply(sql, part))
      for (const [i, { n }] of here.entries()) results[n] = applied[i] as Result
    }),
  )
  return results
}

async function whereverItIs<T>(
  shards: MoneyShards,
  shard: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  for (let moves = 0; ; moves++) {
    try {
      return await work(await shards.on(shard))
    } catch (error) {
      if (!isShardElsewhere(error)) throw error
      if (moves === MOVES_MAX) throw toApiError(error, false)
      await pause(MOVED_DELAY_MS * moves)
      shards.forgetNodes()
    }
  }
}
