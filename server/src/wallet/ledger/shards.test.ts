import { describe, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'
import type { MoneyShards, Sql } from '../../platform/db/tx.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { createShardBatcher } from './shard-batcher.ts'
import { applyToShards } from './shards.ts'

const release = (org: string, id: string): WalletOp => ({ kind: 'release', org: org as OrgId, mid: '', id })
const resultOf = (op: WalletOp) =>
  ({ verdict: 'released', holdId: 'id' in op ? op.id : '' }) as unknown as OpResult
const elsewhere = () => Object.assign(new Error('the shard is on another node'), { code: 'CW003' })

/** Each organisation is in the shard of its first letter. `moved` nodes refuse as often as named. */
function nodesThat(moved: Record<string, number> = {}) {
  const calls: string[] = []
  let readings = 0
  const shards: MoneyShards = {
    shardOf: async (org) => org.slice(0, 1),
    on: async (shard) => ({ shard }) as unknown as Sql,
    forgetNodes: () => {
      readings++
    },
    list: async () => ['a', 'b'],
    read: async (shard, work) => work({ shard } as unknown as Sql),
  }
  const apply = async (sql: Sql, ops: readonly WalletOp[]) => {
    const { shard } = sql as unknown as { shard: string }
    calls.push(`${shard}: ${ops.map(({ org }) => org).join(' ')}`)
    if ((moved[shard] ?? 0) > 0) {
      moved[shard] = (moved[shard] ?? 0) - 1
      throw elsewhere()
    }
    return ops.map(resultOf)
  }
  return { shards, apply, calls, readings: () => readings }
}

describe('operations on several shards', () => {
  test('are one statement for each shard, with the results in the order of the operations', async () => {
    const { shards, apply, calls } = nodesThat()
    const ops = [release('a1', '1'), release('b1', '2'), release('a2', '3'), release('b1', '4')]
    const results = await applyToShards(shards, ops, apply)
    expect(results.map(({ holdId }) => holdId)).toEqual(['1', '2', '3', '4'])
    expect(calls.toSorted()).toEqual(['a: a1 a2', 'b: b1 b1'])
  })

  test('follow a shard that was moved, and send only its operations again', async () => {
    const { shards, apply, calls, readings } = nodesThat({ a: 2 })
    const results = await applyToShards(shards, [release('a1', '1'), release('b1', '2')], apply)
    expect(results.map(({ holdId }) => holdId)).toEqual(['1', '2'])
    expect(calls.filter((call) => call === 'a: a1')).toHaveLength(3)
    expect(calls.filter((call) => call === 'b: b1')).toHaveLength(1)
    expect(readings()).toBe(2)
  })

  test('are refused as busy when no node has the shard', async () => {
    const { shards, apply, calls } = nodesThat({ a: 100 })
    await expect(applyToShards(shards, [release('a1', '1')], apply)).rejects.toMatchObject({ code: 'busy' })
    expect(calls).toHaveLength(6)
  })
})

test('operations that arrive together share the statement of their shard', async () => {
  const { shards, apply, calls } = nodesThat()
  const batcher = createShardBatcher(shards, (ops) => applyToShards(shards, ops, apply))
  const ops = ['a1', 'a2', 'b1', 'a3', 'b2'].map((org, n) => release(org, String(n)))
  const results = await Promise.all(ops.map((op) => batcher.run(op)))
  expect(results.map(({ holdId }) => holdId)).toEqual(['0', '1', '2', '3', '4'])
  expect(calls.toSorted()).toEqual(['a: a1 a2 a3', 'b: b1 b2'])
})
