// The few connections to one database that an organisation has for itself.
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { isAway } from '../errors.ts'
import type { Pool } from '../pool.ts'
import { createSlots, type Slots } from '../semaphore.ts'
import { type Branch, beginBranch } from './transaction-branch.ts'

/** One connection of such a database, to be used once or given back. */
export type Admission = { begin(): Branch; give(): void }

export type OwnPool = {
  readonly isIdle: boolean
  /** Undefined where one would have to wait, or to look whether the database is there. */
  admitNow(): Admission | undefined
  admit(): Promise<Admission>
  close(): Promise<void>
}

export type OwnPoolOptions = {
  org: OrgId
  pool: Pool
  connectionsMax: number
  /** All work with such databases has them together. One is held as long as a connection. */
  shares: Slots
  /** Runs what finds out whether the database is there; may refuse to. */
  looking(look: () => Promise<void>): Promise<void>
}

const WAIT_MS = 2_000
const QUEUE_MAX = 200
const LOOKS_MAX = 2

export function createOwnPool(options: OwnPoolOptions): OwnPool {
  const { org, pool, connectionsMax, shares, looking } = options
  const slots = createSlots(connectionsMax, WAIT_MS, QUEUE_MAX)
  let isThere = false

  function begin(): Branch {
    const branch = beginBranch(pool, org)
    branch.done.catch((error) => {
      if (!isAway(error)) return
      // The next one looks before it holds anything that others wait for, and not over what may be dead as well.
      isThere = false
      pool.cutIdle()
    })
    return branch
  }

  function admission(): Admission {
    let isHeld = true
    const give = () => {
      if (!isHeld) return
      isHeld = false
      slots.give()
      shares.give()
    }
    return {
      give,
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
      await shares.take()
      if (isThere) return
      shares.give()
    }
    throw new ApiError('database_unavailable')
  }

  return {
    get isIdle() {
      return slots.inUse === 0
    },
    admitNow() {
      if (!isThere || !slots.takeNow()) return undefined
      if (shares.takeNow()) return admission()
      slots.give()
      return undefined
    },
    async admit() {
      await slots.take()
      try {
        await takeShare()
      } catch (error) {
        slots.give()
        throw error
      }
      return admission()
    },
    close: () => pool.end(),
  }
}
