// The few connections to one database that an organisation has for itself.
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { isUnavailable } from '../errors.ts'
import type { Pool } from '../pool.ts'
import { createSemaphore, type Semaphore } from '../semaphore.ts'
import { beginBranch, type TransactionBranch } from './transaction-branch.ts'

/** One connection of such a database, to be used once or given back. */
export type ReservedConnection = { begin(): TransactionBranch; release(): void }

export type DedicatedPool = {
  readonly isIdle: boolean
  /** Undefined where one would have to wait, or to look whether the database is there. */
  tryReserve(): ReservedConnection | undefined
  reserve(): Promise<ReservedConnection>
  close(): Promise<void>
}

export type DedicatedPoolOptions = {
  org: OrgId
  pool: Pool
  connectionsMax: number
  /** All work with such databases has them together. One is held as long as a connection. */
  shares: Semaphore
  /** Runs what finds out whether the database is there; may refuse to. */
  probing(look: () => Promise<void>): Promise<void>
}

const WAIT_MS = 2_000
const QUEUE_MAX = 200
const LOOKS_MAX = 2

export function createDedicatedPool(options: DedicatedPoolOptions): DedicatedPool {
  const { org, pool, connectionsMax, shares, probing: looking } = options
  const slots = createSemaphore(connectionsMax, WAIT_MS, QUEUE_MAX)
  let isThere = false

  function begin(): TransactionBranch {
    const branch = beginBranch(pool, org)
    branch.done.catch((error) => {
      if (!isUnavailable(error)) return
      // The next one looks before it holds anything that others wait for, and not over what may be dead as well.
      isThere = false
      pool.cutIdle()
    })
    return branch
  }

  function admission(): ReservedConnection {
    let isHeld = true
    const give = () => {
      if (!isHeld) return
      isHeld = false
      slots.release()
      shares.release()
    }
    return {
      release: give,
      begin() {
        const branch = begin()
        // Who admitted us hears of what went wrong.
        branch.done.catch(() => undefined).finally(give)
        return branch
      },
    }
  }

  /** Of a database that was there a moment ago. It may have gone while one waited for the share. */
  async function takeShare(): Promise<void> {
    for (let look = 0; look < LOOKS_MAX; look++) {
      if (!isThere) await looking(() => begin().commit())
      isThere = true
      await shares.acquire()
      if (isThere) return
      shares.release()
    }
    throw new ApiError('database_unavailable')
  }

  return {
    get isIdle() {
      return slots.inUse === 0
    },
    tryReserve() {
      if (!isThere || !slots.tryAcquire()) return undefined
      if (shares.tryAcquire()) return admission()
      slots.release()
      return undefined
    },
    async reserve() {
      await slots.acquire()
      try {
        await takeShare()
      } catch (error) {
        slots.release()
        throw error
      }
      return admission()
    },
    close: () => pool.end(),
  }
}
