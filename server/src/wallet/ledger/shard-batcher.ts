// Batches operations on wallets that are distributed over shards.
import type { MoneyShards } from '../../platform/db/tx.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { type Batcher, type BatchFilling, createBatcher } from './batcher.ts'

/** Batches of one shard are small, and a statement costs a node as much as ten operations. */
const SHARED: BatchFilling = { gatherMs: 2, allowsAsync: () => false, crowd: Number.POSITIVE_INFINITY }

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
