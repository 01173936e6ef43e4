// Operations on wallets that are distributed over nodes: each goes to the node that has the wallet, also while wallets are moved.
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../platform/db/errors.ts'
import type { MoneyNodes, Sql } from '../../platform/db/tx.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { type Batcher, createBatcher } from './batcher.ts'

/** A node has not all wallets of a call. It refuses the call before any effect. */
const SHARD_ELSEWHERE = 'CW002'
const MOVES_MAX = 5
const MOVED_DELAY_MS = 20

type ApplyAtNode = (node: Sql, ops: readonly WalletOp[]) => Promise<OpResult[]>

/** Applies each operation at the node of its wallet. Where a wallet has moved, looks up its node again. */
export async function applyAtNodes(
  nodes: MoneyNodes,
  ops: readonly WalletOp[],
  apply: ApplyAtNode,
  moves = 0,
): Promise<OpResult[]> {
  const places = await Promise.all(ops.map(({ org }) => nodes.nodeOf(org)))
  const results: OpResult[] = []
  await Promise.all(
    [...new Set(places)].map(async (node) => {
      const here = ops.flatMap((op, n) => (places[n] === node ? [{ op, n }] : []))
      const applied = await applyAt(
        node,
        here.map(({ op }) => op),
      )
      for (const [i, { n }] of here.entries()) results[n] = applied[i] as OpResult
    }),
  )
  return results

  async function applyAt(node: string, part: readonly WalletOp[]): Promise<OpResult[]> {
    try {
      return await apply(nodes.on(node), part)
    } catch (error) {
      if (codeOf(error) !== SHARD_ELSEWHERE || moves === MOVES_MAX) throw error
      await pause(MOVED_DELAY_MS * moves)
      nodes.forgetPlaces()
      return applyAtNodes(nodes, part, apply, moves + 1)
    }
  }
}

/** One batcher for each node, because a batch is one statement to one node. */
export function createNodeBatcher(
  nodes: MoneyNodes,
  apply: (ops: readonly WalletOp[]) => Promise<OpResult[]>,
): Pick<Batcher, 'run'> {
  const batchers = new Map<string, Batcher>()

  function batcherOf(node: string): Batcher {
    const existing = batchers.get(node)
    if (existing) return existing
    const batcher = createBatcher(apply)
    batchers.set(node, batcher)
    return batcher
  }

  return { run: async (op) => batcherOf(await nodes.nodeOf(op.org)).run(op) }
}
