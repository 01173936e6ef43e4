// Pools of the databases that organisations have for themselves: few connections each, opened when they are first needed.
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool } from '../pool.ts'
import { createSlots } from '../semaphore.ts'
import { createAbsences } from './database-breaker.ts'
import { type Admission, createOwnPool, type OwnPool } from './dedicated-pool.ts'

export type OwnPools = {
  /** At once or not at all: for those who hold a connection that others wait for. */
  admitNow(org: OrgId): Admission | undefined
  /** Waits until the database is ready and has a connection. Refuses as the pool does, and when it cannot be reached. */
  admit(org: OrgId): Promise<Admission>
  close(): Promise<void>
}

/** Where an organisation's own database is, and the role to work as on its server; null: the one that logs in. */
export type OwnAddress = { readonly url: string; readonly role: string | null }

export type OwnPoolsOptions = {
  /** Makes the database ready, and may take its time. */
  addressOf: ((org: OrgId) => Promise<OwnAddress>) | undefined
  open(address: OwnAddress, connectionsMax: number): Pool
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
type Opening = { readonly pool: Promise<OwnPool>; readonly late: Promise<never> }

export function createOwnPools(options: OwnPoolsOptions): OwnPools {
  const { addressOf, open, clock, sharesMax, connectTimeoutMs } = options
  /** The one that was used last comes last. */
  const pools = new Map<OrgId, OwnPool>()
  const opening = new Map<OrgId, Opening>()
  const absences = createAbsences(clock, connectTimeoutMs / 3)
  const shares = createSlots(sharesMax, WAIT_MS, QUEUE_MAX)
  // One that is stuck leaves something to the others, where there is more than one to have.
  const connectionsMax = Math.max(1, Math.min(CONNECTIONS_MAX, sharesMax - 1))

  function used(org: OrgId): OwnPool | undefined {
    const own = pools.get(org)
    if (!own) return undefined
    pools.delete(org)
    pools.set(org, own)
    return own
  }

  /** Asked for by many at once, it is opened once. That goes on when they have gone. */
  function opened(org: OrgId): Promise<OwnPool> {
    let under = opening.get(org)
    if (!under) {
      const pool = absences.asking(org, () => openOne(org)).finally(() => opening.delete(org))
      under = { pool, late: lateAfter(connectTimeoutMs) }
      opening.set(org, under)
    }
    return Promise.race([under.pool, under.late])
  }

  async function openOne(org: OrgId): Promise<OwnPool> {
    if (!addressOf) throw new ApiError('database_unavailable')
    const address = await addressOf(org)
    if (pools.size >= POOLS_MAX) makeRoom()
    const own = createOwnPool({
      org,
      pool: open(address, connectionsMax),
      connectionsMax,
      shares,
      looking: (look) => absences.asking(org, look),
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
    admitNow: (org) => used(org)?.admitNow(),
    async admit(org) {
      absences.refuse(org)
      const own = used(org) ?? (await opened(org))
      return own.admit()
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
