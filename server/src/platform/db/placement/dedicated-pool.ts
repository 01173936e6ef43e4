// The connection pool of one dedicated content database.
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { isUnavailable } from '../errors.ts'
import type { Pool } from '../pool.ts'
import { createSemaphore, type Semaphore } from '../semaphore.ts'
import { beginBranch, type TransactionBranch } from './transaction-branch.ts'

/** A connection to a dedicated database, for one transaction. The holder begins it or releases it. */
export type ReservedConnection = { begin(): TransactionBranch; release(): void }

export type DedicatedPool = {
  readonly isIdle: boolean
  /** Undefined when the caller would have to wait, or the database must be probed first. */
  tryReserve(): ReservedConnection | undefined
  reserve(): Promise<ReservedConnection>
  close(): Promise<void>
}

export type DedicatedPoolOptions = {
  org: OrgId
  pool: Pool
  connectionsMax: number
  /** Limits the connections to all dedicated databases together. A slot is held as long as its connection. */
  totalSlots: Semaphore
  /** How long a call waits for a free connection. */
  poolWaitMs: number
  /** Runs a probe of the database, unless its circuit breaker is open. */
  runProbe(probe: () => Promise<void>): Promise<void>
}

const QUEUE_MAX = 200
const PROBES_MAX = 2

export function createDedicatedPool(options: DedicatedPoolOptions): DedicatedPool {
  const { org, pool, connectionsMax, totalSlots, poolWaitMs, runProbe } = options
  const slots = createSemaphore(connectionsMax, poolWaitMs, QUEUE_MAX)
  let isReachable = false

  function begin(): TransactionBranch {
    const branch = beginBranch(pool, org)
    branch.done.catch((error) => {
      if (!isUnavailable(error)) return
      // The next caller probes the database on a new connection, before it holds a slot that others need.
      isReachable = false
      pool.cutIdle()
    })
    return branch
  }

  function reservation(): ReservedConnection {
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      slots.release()
      totalSlots.release()
    }
    return {
      release,
      begin() {
        const branch = begin()
        // The transaction that uses the branch reports its error.
        branch.done.catch(() => undefined).finally(release)
        return branch
      },
    }
  }

  /** The database may become unreachable while the caller waits for a slot: then it is probed again. */
  async function acquireTotalSlot(): Promise<void> {
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      if (!isReachable) await runProbe(() => begin().commit())
      isReachable = true
      await totalSlots.acquire()
      if (isReachable) return
      totalSlots.release()
    }
    throw new ApiError('database_unavailable')
  }

  return {
    get isIdle() {
      return slots.inUse === 0
    },
    tryReserve() {
      if (!isReachable || !slots.tryAcquire()) return undefined
      if (totalSlots.tryAcquire()) return reservation()
      slots.release()
      return undefined
    },
    async reserve() {
      await slots.acquire()
      try {
        await acquireTotalSlot()
      } catch (error) {
        slots.release()
        throw error
      }
      return reservation()
    },
    close: () => pool.end(),
  }
}
