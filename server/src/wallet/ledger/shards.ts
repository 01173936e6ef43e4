// Operations on wallets that are distributed over shards: each goes to the node that has the shard, also while shards are moved.
import { setTimeout as pause } from 'node:timers/promises'
import { isShardElsewhere, toApiError } from '../../platform/db/errors.ts'
import type { MoneyShards, Sql } from '../../platform/db/tx.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { type Batcher, type BatchFilling, createBatcher } from './batcher.ts'

const MOVES_MAX = 5
const MOVED_DELAY_MS = 20

/** Batches of one shard are small, and a statement costs a node as much as ten operations. */
const SHARED: BatchFilling = { gatherMs: 2, allowsAsync: () => false }

type Apply = (sql: Sql, ops: readonly WalletOp[]) => Promise<OpResult[]>

/** Applies each operation at the shard of its wallet. Where a shard has moved, looks up its node again. */
export async function applyToShards(
  shards: MoneyShards,
  ops: readonly WalletOp[],
  apply: Apply,
): Promise<OpResult[]> {
  const places = await Promise.all(ops.map(({ org }) => shards.shardOf(org)))
  const results: OpResult[] = []
  await Promise.all(
    [...new Set(places)].map(async (shard) => {
      const here = ops.flatMap((op, n) => (places[n] === shard ? [{ op, n }] : []))
      const part = here.map(({ op }) => op)
      const applied = await whereverItIs(shards, shard, (sql) => apply(sql, part))
      for (const [i, { n }] of here.entries()) results[n] = applied[i] as OpResult
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

/** One batcher for each shard, because a batch is one statement to one shard. */
export function createShardBatcher(
  shards: MoneyShards,
  apply: (ops: readonly WalletOp[]) => Promise<OpResult[]>,
): Pick<Batcher, 'run'> {
  const batchers = new Map<string, Batcher>()

  function batcherOf(shard: string): Batcher {
    const existing = batchers.get(shard)
    if (existing) return existing
    const batcher = createBatcher(apply, undefined, undefined, undefined, SHARED)
    batchers.set(shard, batcher)
    return batcher
  }

  return { run: async (op) => batcherOf(await shards.shardOf(op.org)).run(op) }
}
