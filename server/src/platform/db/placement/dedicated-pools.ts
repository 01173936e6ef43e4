// The pools of all dedicated content databases: few connections each, opened on first use.
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool } from '../pool.ts'
import { createSemaphore } from '../semaphore.ts'
import { createDatabaseBreaker } from './database-breaker.ts'
import { createDedicatedPool, type DedicatedPool, type ReservedConnection } from './dedicated-pool.ts'

export type DedicatedPools = {
  /** Never waits: for callers that hold a connection which others need. */
  tryReserve(org: OrgId): ReservedConnection | undefined
  /** Waits until the database is ready and has a free connection. Fails with `busy` or `database_unavailable`. */
  reserve(org: OrgId): Promise<ReservedConnection>
  close(): Promise<void>
}

/** The URL of a dedicated database, and the role for its sessions; null: the login role. */
export type DedicatedDatabase = { readonly url: string; readonly role: string | null }

export type DedicatedPoolsOptions = {
  /** Prepares the database, which may take long. */
  prepare: ((org: OrgId) => Promise<DedicatedDatabase>) | undefined
  open(database: DedicatedDatabase, connectionsMax: number): Pool
  clock: Clock
  /** The maximum number of connections to all dedicated databases together. */
  totalMax: number
  connectTimeoutMs: number
  /** How long a call waits for a free connection. */
  poolWaitMs: number
}

const CONNECTIONS_MAX = 4
const POOLS_MAX = 200
const QUEUE_MAX = 2_000

/** `timeout` rejects when callers should stop waiting for the pool. */
type Opening = { readonly pool: Promise<DedicatedPool>; readonly timeout: Promise<never> }

export function createDedicatedPools(options: DedicatedPoolsOptions): DedicatedPools {
  const { prepare, open, clock, totalMax, connectTimeoutMs, poolWaitMs } = options
  /** The most recently used pool is last. */
  const pools = new Map<OrgId, DedicatedPool>()
  const opening = new Map<OrgId, Opening>()
  const breaker = createDatabaseBreaker(clock, connectTimeoutMs / 3)
  const totalSlots = createSemaphore(totalMax, poolWaitMs, QUEUE_MAX)
  // One database that hangs never holds all slots, unless there is only one.
  const connectionsMax = Math.max(1, Math.min(CONNECTIONS_MAX, totalMax - 1))

  function findPool(org: OrgId): DedicatedPool | undefined {
    const pool = pools.get(org)
    if (!pool) return undefined
    pools.delete(org)
    pools.set(org, pool)
    return pool
  }

  /** Concurrent callers share one opening. It continues when they have given up. */
  function openPoolOnce(org: OrgId): Promise<DedicatedPool> {
    let current = opening.get(org)
    if (!current) {
      const pool = breaker.run(org, () => openPool(org)).finally(() => opening.delete(org))
      current = { pool, timeout: rejectAfter(connectTimeoutMs) }
      opening.set(org, current)
    }
    return Promise.race([current.pool, current.timeout])
  }

  async function openPool(org: OrgId): Promise<DedicatedPool> {
    if (!prepare) throw new ApiError('database_unavailable')
    const database = await prepare(org)
    if (pools.size >= POOLS_MAX) evictIdle()
    const pool = createDedicatedPool({
      org,
      pool: open(database, connectionsMax),
      connectionsMax,
      totalSlots,
      poolWaitMs,
      runProbe: (probe) => breaker.run(org, probe),
    })
    pools.set(org, pool)
    return pool
  }

  /** Evicts the least recently used idle pool. Its connections have probably reached their idle timeout already. */
  function evictIdle(): void {
    const idle = [...pools].find(([, { isIdle }]) => isIdle)
    if (!idle) throw new ApiError('busy')
    pools.delete(idle[0])
    void idle[1].close()
  }

  return {
    tryReserve: (org) => findPool(org)?.tryReserve(),
    async reserve(org) {
      breaker.throwIfOpen(org)
      const pool = findPool(org) ?? (await openPoolOnce(org))
      return pool.reserve()
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
      pools.clear()
    },
  }
}

function rejectAfter(ms: number): Promise<never> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new ApiError('database_unavailable')), ms).unref()
  })
  // Usually all callers have their pool by then, and the rejection has no handler.
  timeout.catch(() => undefined)
  return timeout
}
