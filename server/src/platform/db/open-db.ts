// Db over a real PostgreSQL: the pool, transactions with a reach, retries, notifications.

import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Log } from '../log/log.ts'
import { isStaleStatement } from './driver/statement.ts'
import { isConflict, isConnectionFault, translateFault } from './errors.ts'
import { createBus } from './notifications.ts'
import { type ContentAccess, type ContentAttempt, createContentAccess } from './placement/content-access.ts'
import { createOwnPools, type OwnAddress } from './placement/dedicated-pools.ts'
import { visitPlaces } from './placement/each-placement.ts'
import { createBeliefs } from './placement/placement-cache.ts'
import { setReach } from './placement/placement-sql.ts'
import { openPool, statementsOn } from './pool.ts'
import { createSlots } from './semaphore.ts'
import type { Db, Sql, TenantScope, Tx } from './tx.ts'

const ATTEMPTS = 3
const QUEUE_MAX = 2_000
const POOL_WAIT_MS = 2_000
/** More would save some work, and make more of them wait behind one that is slow. */
const STATEMENTS_PER_CONNECTION = 2
/** Work that waits for other databases holds at most this part of the connections: one of those may be slow, or dead. */
const DEDICATED_SHARE = 4
/** A server that is there says after the time of a statement that it took too long. So much later it is not there. */
const SILENCE_MS = 1_000
const SESSION = { lock_timeout: 3_000, idle_in_transaction_session_timeout: 10_000 }

export type DbOptions = {
  clock: Clock
  /** Connections of this process. */
  max?: number
  /** Work as this role instead of the one that logged in. */
  role?: string | null
  statementTimeoutMs?: number
  /** How long a server may take to let us in. */
  connectTimeoutMs?: number
  onWarning?: Log['warn']
  /** Makes the database of an organisation that has one ready, and says where it is. */
  dedicated?: (org: OrgId) => Promise<OwnAddress>
}

export type OpenDb = Db & {
  usage(): { inUse: number; waiting: number }
  /** Learns where content is and hears of changes. Without it that is learnt from being turned away. */
  followPlaces(): Promise<void>
}

/** One attempt at a transaction: what has to be known of it when it fails. */
type Attempt = { committing: boolean; content?: ContentAttempt; readonly afterCommit: (() => void)[] }

export function openDb(
  url: string,
  {
    clock,
    max = 16,
    role = null,
    statementTimeoutMs = 5_000,
    connectTimeoutMs = 3_000,
    onWarning = () => undefined,
    dedicated,
  }: DbOptions,
): OpenDb {
  const timeouts = { statementTimeoutMs, connectTimeoutMs }
  const pool = openPool(url, {
    ...timeouts,
    max,
    session: sessionOf(role),
    // A commit may wait for the standby, and no statement timeout ends that.
    silenceMs: connectTimeoutMs + statementTimeoutMs + SILENCE_MS,
  })
  const connections = createSlots(max, POOL_WAIT_MS, QUEUE_MAX)
  const lanes = createSlots(max * STATEMENTS_PER_CONNECTION, POOL_WAIT_MS, QUEUE_MAX)
  const bus = createBus(pool, onWarning)

  /** Waits for a place in the pool, runs, and says what a failure means. */
  async function admitted<T>(run: () => Promise<T>): Promise<T> {
    const wait = connections.take()
    if (wait) await wait
    try {
      return await run()
    } finally {
      connections.give()
    }
  }

  const direct = statementsOn(async (text, values) => {
    // While transactions leave a connection, single statements share it: the driver sends them one behind the other.
    const admission = connections.inUse < max ? lanes : connections
    const wait = admission.take()
    if (wait) await wait
    try {
      return await pool.run(text, values)
    } catch (error) {
      throw translateFault(error, false)
    } finally {
      admission.give()
    }
  })
  const beliefs = createBeliefs(direct, onWarning)
  const ownPools = createOwnPools({
    addressOf: dedicated,
    open: (own, connectionsMax) =>
      openPool(own.url, {
        ...timeouts,
        max: connectionsMax,
        session: sessionOf(own.role),
        silenceMs: SILENCE_MS,
      }),
    clock,
    sharesMax: Math.max(1, Math.floor(max / DEDICATED_SHARE)),
    connectTimeoutMs,
  })

  async function tx<T>(reach: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    const access = createContentAccess(reach, { beliefs, ownPools })
    try {
      for (let failures = 0; ; ) {
        const attempt: Attempt = { committing: false, afterCommit: [] }
        try {
          const result = await admitted(() => attemptTx(reach, work, access, attempt))
          for (const action of attempt.afterCommit) action()
          return result
        } catch (error) {
          attempt.content?.rollBack()
          if (await access.putRight()) continue
          if (!isRetryable(error, attempt) || ++failures === ATTEMPTS)
            throw translateFault(error, attempt.committing)
          await new Promise((resolve) => setTimeout(resolve, 20 * failures * (1 + Math.random())))
        }
      }
    } finally {
      access.end()
    }
  }

  function attemptTx<T>(
    reach: TenantScope,
    work: (tx: Tx) => Promise<T>,
    access: ContentAccess,
    attempt: Attempt,
  ) {
    const run = async ({ rows, one, maybe }: Sql) => {
      const statements = { rows, one, maybe }
      const handle: Tx = {
        ...statements,
        get content() {
          attempt.content ??= access.attempt(statements)
          return attempt.content.sql
        },
        now: clock.now(),
        lock: async (name) => {
          await statements.rows`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
        },
        afterCommit: (action) => attempt.afterCommit.push(action),
        notify: (topic, id) => attempt.afterCommit.push(() => bus.notify(topic, id)),
      }
      const result = await work(handle)
      await attempt.content?.commit(() => {
        attempt.committing = true
      })
      attempt.committing = true
      return result
    }
    return pool.begin(run, { prelude: (sql) => setReach(sql, reach) })
  }

  return {
    tx,
    everyPlace: (work, signal) => visitPlaces({ tx, readPlaces: beliefs.readAll, work, signal, onWarning }),
    reachTogether: (org) => (beliefs.of(org) === 'shared' ? 'platform' : org),
    followPlaces: () => beliefs.follow(bus.listen),
    direct,
    notify: bus.notify,
    listen: bus.listen,
    usage: () => ({
      inUse: Math.min(max, connections.inUse + lanes.inUse),
      waiting: connections.waiting + lanes.waiting,
    }),
    async ping(timeoutMs) {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('the database did not answer in time')), timeoutMs).unref()
      })
      await Promise.race([pool.rows`select 1`, late])
    },
    async close() {
      bus.close()
      await Promise.all([pool.end({ timeout: 5 }), ownPools.close()])
    },
  }
}

const sessionOf = (role: string | null) => ({ ...SESSION, ...(role && { role }) })

/** What is certain not to have happened may be tried again; what another database keeps has happened. */
function isRetryable(error: unknown, { committing, content }: Attempt): boolean {
  if (content?.isKept) return false
  return isConflict(error) || isStaleStatement(error) || (isConnectionFault(error) && !committing)
}
