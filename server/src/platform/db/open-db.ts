// Db over PostgreSQL: pool, tenant-scoped transactions, retries and notifications.

import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Log } from '../log/log.ts'
import { openNodes } from './citus/nodes.ts'
import { withHost } from './connection-url.ts'
import { isStaleStatement } from './driver/statement.ts'
import { isConflict, isConnectionError, isShardElsewhere, toApiError } from './errors.ts'
import { createNotificationBus } from './notifications.ts'
import { type ContentAccess, type ContentAttempt, createContentAccess } from './placement/content-access.ts'
import { createDedicatedPools, type DedicatedDatabase } from './placement/dedicated-pools.ts'
import { visitPlacements } from './placement/each-placement.ts'
import { createPlacementCache } from './placement/placement-cache.ts'
import { sendTenantScope, tenantScopeSetting } from './placement/placement-sql.ts'
import { openPool, statementsOn } from './pool.ts'
import { createSemaphore } from './semaphore.ts'
import type { Db, Sql, TenantScope, Tx } from './tx.ts'

const ATTEMPTS = 3
const QUEUE_MAX = 2_000
/** More would save round trips, but a slow statement would delay more statements behind it. */
const STATEMENTS_PER_CONNECTION = 2
/** Work on dedicated databases holds at most 1/4 of the connections, because a dedicated database may be slow or dead. */
const DEDICATED_SHARE = 4
/** Connections to each node with wallets. The operations on its wallets are batched. */
const NODE_MAX = 8
/** The scope of a transaction reaches the nodes. A join that would crash the server (see citus/policies.sql) is refused. */
const CITUS_SESSION = {
  'citus.propagate_set_commands': 'local',
  'citus.local_table_join_policy': 'never',
}
/** A live server cancels a statement after its timeout. Without an answer this much later, it is considered dead. */
const SILENCE_MS = 1_000

/** The limits of the service. Tests on a slow machine need longer ones. */
export type DbTimeouts = {
  statementTimeoutMs?: number
  /** Timeout for connecting and logging in. */
  connectTimeoutMs?: number
  /** How long a statement waits for a lock. */
  lockTimeoutMs?: number
  /** How long a call waits for a free connection. */
  poolWaitMs?: number
  /** The server ends a transaction that pauses longer. */
  idleInTransactionMs?: number
}

export type DbOptions = DbTimeouts & {
  clock: Clock
  /** Connections of this process. */
  max?: number
  /** Whether Citus distributes the money of organisations over nodes. */
  isDistributed?: boolean
  /** SET ROLE for every session; null: the login role. */
  role?: string | null
  onWarning?: Log['warn']
  /** Called after a caller waited for a free connection. */
  onWait?: (seconds: number) => void
  /** Prepares the dedicated database of an organisation and returns its address. */
  dedicated?: (org: OrgId) => Promise<DedicatedDatabase>
}

export type OpenDb = Db & {
  usage(): { inUse: number; waiting: number }
  /** Loads all placements and follows changes. Without it, a transaction learns its placement from a rejection. */
  watchPlacements(): Promise<void>
}

/** State of one attempt at a transaction that its error handling needs. */
type Attempt = { committing: boolean; content?: ContentAttempt; readonly afterCommit: (() => void)[] }

export function openDb(
  url: string,
  {
    clock,
    max = 16,
    isDistributed = false,
    role = null,
    statementTimeoutMs = 5_000,
    connectTimeoutMs = 3_000,
    lockTimeoutMs = 3_000,
    poolWaitMs = 2_000,
    idleInTransactionMs = 10_000,
    onWarning = () => undefined,
    onWait = () => undefined,
    dedicated,
  }: DbOptions,
): OpenDb {
  const timeouts = { statementTimeoutMs, connectTimeoutMs }
  const limits = {
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }
  const sessionOf = (as: string | null) => ({ ...limits, ...(as && { role: as }) })
  // A commit may wait for the standby, which no statement timeout interrupts.
  const silenceMs = connectTimeoutMs + statementTimeoutMs + SILENCE_MS
  const pool = openPool(url, {
    ...timeouts,
    max,
    session: { ...sessionOf(role), ...(isDistributed && CITUS_SESSION) },
    silenceMs,
  })
  const connections = createSemaphore(max, poolWaitMs, QUEUE_MAX)
  const lanes = createSemaphore(max * STATEMENTS_PER_CONNECTION, poolWaitMs, QUEUE_MAX)
  const bus = createNotificationBus(pool, onWarning)

  /** Also reports a wait that was given up. */
  async function timed(wait: Promise<void>): Promise<void> {
    const startMs = performance.now()
    await wait.finally(() => onWait((performance.now() - startMs) / 1000))
  }

  /** Runs with a slot for a connection. */
  async function withConnectionSlot<T>(run: () => Promise<T>): Promise<T> {
    const wait = connections.acquire()
    if (wait) await timed(wait)
    try {
      return await run()
    } finally {
      connections.release()
    }
  }

  const direct = statementsOn(async (text, values) => {
    // While a connection is free of transactions, single statements share it: the driver pipelines them.
    const slots = connections.inUse < max ? lanes : connections
    const wait = slots.acquire()
    if (wait) await timed(wait)
    try {
      return await pool.run(text, values)
    } catch (error) {
      throw toApiError(error, false)
    } finally {
      slots.release()
    }
  })
  const placements = createPlacementCache(direct, onWarning)
  const shards = isDistributed
    ? openNodes({
        direct,
        open: (host, port) =>
          openPool(withHost(url, host, port), {
            ...timeouts,
            max: NODE_MAX,
            session: sessionOf(role),
            silenceMs,
          }),
        max: NODE_MAX,
        poolWaitMs,
      })
    : null
  const dedicatedPools = createDedicatedPools({
    prepare: dedicated,
    open: (database, connectionsMax) =>
      openPool(database.url, {
        ...timeouts,
        max: connectionsMax,
        session: sessionOf(database.role),
        silenceMs: SILENCE_MS,
      }),
    clock,
    totalMax: Math.max(1, Math.floor(max / DEDICATED_SHARE)),
    connectTimeoutMs,
    poolWaitMs,
  })

  async function tx<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    const access = createContentAccess(scope, { placements, dedicatedPools })
    try {
      for (let failures = 0; ; ) {
        const attempt: Attempt = { committing: false, afterCommit: [] }
        try {
          const result = await withConnectionSlot(() => attemptTx(scope, work, access, attempt))
          for (const action of attempt.afterCommit) action()
          return result
        } catch (error) {
          attempt.content?.rollBack()
          if (await access.resolveRejection()) continue
          if (!isRetryable(error, attempt) || ++failures === ATTEMPTS)
            throw toApiError(error, attempt.committing)
          await new Promise((resolve) => setTimeout(resolve, 20 * failures * (1 + Math.random())))
        }
      }
    } finally {
      access.end()
    }
  }

  function attemptTx<T>(
    scope: TenantScope,
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
        commitWithWallets: async () => {
          if (isDistributed) await statements.rows`select commit_with_wallets()`
        },
      }
      const result = await work(handle)
      await attempt.content?.commit(() => {
        attempt.committing = true
      })
      attempt.committing = true
      return result
    }
    // Citus forwards only a separate statement.
    if (isDistributed) return pool.begin(run, { prelude: (sql) => sendTenantScope(sql, scope) })
    return pool.begin(run, { settings: tenantScopeSetting(scope) })
  }

  return {
    tx,
    forEachPlacement: (work, signal) =>
      visitPlacements({ tx, listIsolatedOrgs: placements.reload, work, signal, onWarning }),
    shards,
    batchScope: (org) => (placements.get(org) === 'shared' ? 'platform' : org),
    watchPlacements: () => placements.watch(bus.listen),
    direct,
    notify: bus.notify,
    listen: bus.listen,
    usage: () => ({
      inUse: Math.min(max, connections.inUse + lanes.inUse),
      waiting: connections.waiting + lanes.waiting,
    }),
    async ping(timeoutMs) {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('The database did not answer in time.')), timeoutMs).unref()
      })
      await Promise.race([pool.rows`select 1`, late])
    },
    async close() {
      bus.close()
      await Promise.all([pool.end({ timeout: 5 }), shards?.close(), dedicatedPools.close()])
    },
  }
}

/** Only a transaction that certainly had no effect may be retried. A committed dedicated database is an effect. */
function isRetryable(error: unknown, { committing, content }: Attempt): boolean {
  if (content?.isCommitted) return false
  return (
    isConflict(error) ||
    isShardElsewhere(error) ||
    isStaleStatement(error) ||
    (isConnectionError(error) && !committing)
  )
}
