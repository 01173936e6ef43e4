// Pools of the databases that organisations have for themselves: few connections each, opened when they are first needed.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Branch, beginBranch } from './branch.ts'
import { isAway } from './faults.ts'
import { createSlots, type Slots } from './slots.ts'
import type { Pool } from './statements.ts'

/** One connection of such a database, to be used once or given back. */
export type Admission = { begin(): Branch; give(): void }

export type OwnPools = {
  /** At once or not at all: for those who hold a connection that others wait for. */
  admitNow(org: OrgId): Admission | undefined
  /** Waits until the database is ready and has a connection. Refuses as the pool does, and when it cannot be reached. */
  admit(org: OrgId): Promise<Admission>
  close(): Promise<void>
}

type OwnPool = { readonly pool: Pool; readonly slots: Slots; isReady: boolean }

export const OWN_CONNECTIONS_MAX = 4
const POOLS_MAX = 200
const WAIT_MS = 2_000
const QUEUE_MAX = 200

/** `urlOf` makes the database ready, and may take its time. */
export function createOwnPools(
  urlOf: ((org: OrgId) => Promise<string>) | undefined,
  open: (url: string, max: number) => Pool,
): OwnPools {
  /** The one that was used last comes last. */
  const pools = new Map<OrgId, OwnPool>()
  const opening = new Map<OrgId, Promise<OwnPool>>()

  function used(org: OrgId): OwnPool | undefined {
    const own = pools.get(org)
    if (!own) return undefined
    pools.delete(org)
    pools.set(org, own)
    return own
  }

  /** Asked for by many at once, it is opened once. A failure is not remembered. */
  function opened(org: OrgId): Promise<OwnPool> {
    const under = opening.get(org) ?? openOne(org).finally(() => opening.delete(org))
    opening.set(org, under)
    return under
  }

  async function openOne(org: OrgId): Promise<OwnPool> {
    if (!urlOf) throw new ApiError('database_unavailable')
    const url = await urlOf(org)
    if (pools.size >= POOLS_MAX) makeRoom()
    const slots = createSlots(OWN_CONNECTIONS_MAX, WAIT_MS, QUEUE_MAX)
    const own = { pool: open(url, OWN_CONNECTIONS_MAX), slots, isReady: false }
    pools.set(org, own)
    return own
  }

  /** The one that nobody has used for longest goes. Its connections closed by themselves, most likely long ago. */
  function makeRoom(): void {
    const idle = [...pools].find(([, { slots }]) => slots.inUse === 0)
    if (!idle) throw new ApiError('busy')
    pools.delete(idle[0])
    void idle[1].pool.end({ timeout: 5 })
  }

  return {
    admitNow(org) {
      const own = used(org)
      if (!own?.isReady || own.slots.inUse >= OWN_CONNECTIONS_MAX) return undefined
      own.slots.take()
      return admission(own, org)
    },
    async admit(org) {
      const own = used(org) ?? (await opened(org))
      await own.slots.take()
      try {
        if (!own.isReady) await own.pool.begin(async () => undefined)
        own.isReady = true
      } catch (error) {
        own.slots.give()
        throw error
      }
      return admission(own, org)
    },
    async close() {
      await Promise.all([...pools.values()].map(({ pool }) => pool.end({ timeout: 5 })))
      pools.clear()
    },
  }
}

function admission(own: OwnPool, org: OrgId): Admission {
  let isHeld = true
  return {
    give() {
      if (isHeld) own.slots.give()
      isHeld = false
    },
    begin() {
      isHeld = false
      const branch = beginBranch(own.pool, org)
      branch.done
        .catch((error) => {
          // The next one looks before it holds anything that others wait for.
          if (isAway(error)) own.isReady = false
        })
        .finally(own.slots.give)
      return branch
    },
  }
}
