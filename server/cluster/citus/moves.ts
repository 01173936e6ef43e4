// Moves shards of wallets between nodes while they are used, as an operator does after adding a node.
import { setTimeout as pause } from 'node:timers/promises'
import { withPool } from '../../src/platform/db/pool.ts'

/** Moves random shards, one after the other, until `isOver`. Returns how many were moved. */
export async function moveShards(url: string, random: () => number, isOver: () => boolean): Promise<number> {
  let moves = 0
  while (!isOver()) {
    await pause(200 + random() * 800)
    if (!isOver() && (await moveOne(url, random))) moves++
  }
  return moves
}

/**
 * False when a node was down. Writes to the shard wait for the copy: PostgreSQL does not replicate into tables with row-level security,
 * so that the default mode of Citus never ends.
 */
export async function moveOne(url: string, random: () => number): Promise<boolean> {
  try {
    await withPool(url, async (sql) => {
      const shards = await sql.rows<{ id: bigint; group: number }>`
        select s.shardid as id, p.groupid as group from pg_dist_shard s join pg_dist_placement p using (shardid)
        where s.logicalrelid = 'wallets'::regclass order by s.shardid`
      const nodes = await sql.rows<{ group: number; host: string; port: number }>`
        select groupid as group, nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by groupid`
      const shard = pick(shards, random)
      const from = nodes.find(({ group }) => group === shard.group)
      const to = pick(
        nodes.filter(({ group }) => group !== shard.group),
        random,
      )
      if (!from || !to) return
      await sql.rows`
        select citus_move_shard_placement(${shard.id}, ${from.host}, ${from.port}, ${to.host}, ${to.port},
                                          shard_transfer_mode => 'block_writes')`
    })
    return true
  } catch {
    return false
  }
}

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T
