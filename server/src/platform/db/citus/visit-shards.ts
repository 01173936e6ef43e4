// Work at the shards of a database with Citus, also while an operator moves shards and while nodes are down.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { codeOf, isShardElsewhere, toApiError } from '../errors.ts'
import type { MoneyShards, Sql } from '../tx.ts'

const MOVES_MAX = 5
const MOVED_DELAY_MS = 20
const UNDEFINED_TABLE = '42P01'

/** Reads with the rights of platform work. */
export type ReadWallets = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>

/** Repeats work that a node has refused, before any effect, because it has no longer the shard. */
export async function followShard<T>(shards: MoneyShards, work: () => Promise<T>): Promise<T> {
  for (let moves = 0; ; moves++) {
    try {
      return await work()
    } catch (error) {
      if (!isShardElsewhere(error)) throw error
      if (moves === MOVES_MAX) throw toApiError(error, false)
      await pause(MOVED_DELAY_MS * moves)
      shards.forgetNodes()
    }
  }
}

/** Reads every shard, each in one transaction at its node. Fails when a node does. */
export async function readShards<T>(
  shards: MoneyShards,
  read: (sql: Sql) => Promise<T>,
  timeoutMs?: number,
): Promise<T[]> {
  const ids = await shards.list()
  return Promise.all(ids.map((shard) => followShard(shards, () => readShard(shards, shard, read, timeoutMs))))
}

/**
 * Runs `work` for all wallets: once where they are in one database, otherwise for each shard, all at the same time. A shard that
 * fails is logged and skipped, so that a dead node delays only its organisations.
 */
export async function visitWallets<T>(
  { db, log }: Pick<App, 'db' | 'log'>,
  work: (read: ReadWallets) => Promise<T>,
): Promise<T[]> {
  const { shards } = db
  if (!shards) return [await work((read) => db.tx('platform', read))]
  const visits = (await shards.list()).map(async (shard) => {
    try {
      return [await work((read) => followShard(shards, () => readShard(shards, shard, read)))]
    } catch (error) {
      log.warn({ err: error, shard }, 'database.shard.visit_failed')
      return []
    }
  })
  return (await Promise.all(visits)).flat()
}

/** A move drops the tables of the shard at the old node after a while. */
async function readShard<T>(
  shards: MoneyShards,
  shard: string,
  read: (sql: Sql) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  try {
    return await shards.read(shard, read, timeoutMs)
  } catch (error) {
    if (codeOf(error) !== UNDEFINED_TABLE) throw error
    throw Object.assign(new Error(`the shard ${shard} has moved`, { cause: error }), { code: 'CW003' })
  }
}
