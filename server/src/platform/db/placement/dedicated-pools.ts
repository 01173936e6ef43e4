// Pools of the databases that organisations have for themselves: few connections each, opened when they are first needed.
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool } from '../pool.ts'
import { createSemaphore } from '../semaphore.ts'
import { createDatabaseBreaker } from './database-breaker.ts'
import { createDedicatedPool, type DedicatedPool, type ReservedConnection } from './dedicated-pool.ts'

export type DedicatedPools = {
  /** At once or not at all: for those who hold a connection that others wait for. */
  tryReserve(org: OrgId): ReservedConnection | undefined
  /** Waits until the database is ready and has a connection. Refuses as the pool does, and when it cannot be reached. */
  reserve(org: OrgId): Promise<ReservedConnection>
  close(): Promise<void>
}

/** Where an organisation's own database is, and the role to work as on its server; null: the one that logs in. */
export type DedicatedDatabase = { readonly url: string; readonly role: string | null }

export type DedicatedPoolsOptions = {
  /** Makes the database ready, and may take its time. */
  prepare: ((org: OrgId) => Promise<DedicatedDatabase>) | undefined
  open(address: DedicatedDatabase, connectionsMax: number): Pool
  clock: Clock
  /** How many may be admitted at once, all organisations together. */
  sharesMax: number
  connectTimeoutMs: number
}

const CONNECTIONS_MAX = 4
const POOLS_MAX = 200
const WAIT_MS = 2_000
const QUEUE_MAX = 2_000

/** `late` rejects when it takes longer than anybody should wait. */
type Opening = { readonly pool: Promise<DedicatedPool>; readonly late: Promise<never> }

export function createDedicatedPools(options: DedicatedPoolsOptions): DedicatedPools {
  const { prepare: addressOf, open, clock, sharesMax, connectTimeoutMs } = options
  /** The one that was used last comes last. */
  const pools = new Map<OrgId, DedicatedPool>()
  const opening = new Map<OrgId, Opening>()
  const absences = createDatabaseBreaker(clock, connectTimeoutMs / 3)
  const shares = createSemaphore(sharesMax, WAIT_MS, QUEUE_MAX)
  // One that is stuck leaves something to the others, where there is more than one to have.
  const connectionsMax = Math.max(1, Math.min(CONNECTIONS_MAX, sharesMax - 1))

  function used(org: OrgId): DedicatedPool | undefined {
    const own = pools.get(org)
    if (!own) return undefined
    pools.delete(org)
    pools.set(org, own)
    return own
  }

  /** Asked for by many at once, it is opened once. That goes on when they have gone. */
  function opened(org: OrgId): Promise<DedicatedPool> {
    let under = opening.get(org)
    if (!under) {
      const pool = absences.run(org, () => openOne(org)).finally(() => opening.delete(org))
      under = { pool, late: lateAfter(connectTimeoutMs) }
      opening.set(org, under)
    }
    return Promise.race([under.pool, under.late])
  }

  async function openOne(org: OrgId): Promise<DedicatedPool> {
    if (!addressOf) throw new ApiError('database_unavailable')
    const address = await addressOf(org)
    if (pools.size >= POOLS_MAX) makeRoom()
    const own = createDedicatedPool({
      org,
      pool: open(address, connectionsMax),
      connectionsMax,
      shares,
      probing: (look) => absences.run(org, look),
    })
    pools.set(org, own)
    return own
  }

  /** The one that nobody has used for longest goes. Its connections closed by themselves, most likely long ago. */
  function makeRoom(): void {
    const idle = [...pools].find(([, { isIdle }]) => isIdle)
    if (!idle) throw new ApiError('busy')
    pools.delete(idle[0])
    void idle[1].close()
  }

  return {
    tryReserve: (org) => used(org)?.tryReserve(),
    async reserve(org) {
      absences.throwIfOpen(org)
      const own = used(org) ?? (await opened(org))
      return own.reserve()
    },
    async close() {
      await Promise.all([...pools.values()].map((own) => own.close()))
      pools.clear()
    },
  }
}

function lateAfter(ms: number): Promise<never> {
  const late = new Promise<never>((_, refuse) => {
    setTimeout(() => refuse(new ApiError('database_unavailable')), ms).unref()
  })
  // Mostly nobody waits any more.
  late.catch(() => undefined)
  return late
}
