// Db over a real PostgreSQL: the pool, transactions with a reach, retries, notifications.

import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fromJson, toJson } from '../../kernel/json.ts'
import { connectionOptions } from './address.ts'
import { arrayLiteral } from './array-literal.ts'
import { postgres } from './driver.ts'
import { isConflict, isConnectionFault, translateFault } from './faults.ts'
import { createBus } from './notify.ts'
import { createSlots } from './slots.ts'
import { type Db, Json, type Reach, type Sql, type Tx, type Value } from './tx.ts'

const TYPES = {
  bigint: postgres.BigInt,
  json: { to: 114, from: [114, 3802], serialize: toJson, parse: fromJson },
}
const ATTEMPTS = 3
const QUEUE_MAX = 2_000
const POOL_WAIT_MS = 2_000
/** More would save some work, and make more of them wait behind one that is slow. */
const STATEMENTS_PER_CONNECTION = 2

type Pool = postgres.Sql<{ bigint: bigint; json: unknown }>

export type DbOptions = {
  clock: Clock
  /** Connections of this process. */
  max?: number
  /** Work as this role instead of the one that logged in. */
  role?: string | null
  statementTimeoutMs?: number
  onWarning?: (message: string) => void
}

export type OpenDb = Db & { usage(): { inUse: number; waiting: number } }

export function openDb(
  url: string,
  { clock, max = 16, role = null, statementTimeoutMs = 5_000, onWarning }: DbOptions,
): OpenDb {
  const [address, overrides] = connectionOptions(url)
  const pool: Pool = postgres(address, {
    ...overrides,
    max,
    types: TYPES,
    onnotice: () => undefined,
    connect_timeout: 3,
    idle_timeout: 60,
    backoff: (attempt: number) => Math.min(0.05 * attempt, 0.5),
    connection: {
      application_name: 'cowrie',
      statement_timeout: statementTimeoutMs,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 10_000,
      ...(role ? { role } : {}),
    },
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

  async function tx<T>(reach: Reach, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const progress = { committing: false }
      const afterCommit: (() => void)[] = []
      try {
        const result = await admitted(() => attemptTx(reach, work, afterCommit, progress))
        for (const action of afterCommit) action()
        return result
      } catch (error) {
        const retryable = isConflict(error) || (isConnectionFault(error) && !progress.committing)
        if (!retryable || attempt === ATTEMPTS) throw translateFault(error, progress.committing)
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (1 + Math.random())))
      }
    }
  }

  function attemptTx<T>(
    reach: Reach,
    work: (tx: Tx) => Promise<T>,
    afterCommit: (() => void)[],
    progress: { committing: boolean },
  ) {
    return pool.begin(async (connection) => {
      // Sent without waiting: it travels with the first statement of the work.
      const reached = connection`select set_config('cowrie.reach', ${reach}, true)`.execute()
      const statements = statementsOn(pool, (text, values) => connection(text, ...values))
      let entered = false
      const handle: Tx = {
        ...statements,
        get content() {
          if (!entered) {
            entered = true
            void statements.rows`select content_enter(${reach}, 'shared')`
          }
          return statements
        },
        now: clock.now(),
        lock: async (name) => {
          await statements.rows`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
        },
        afterCommit: (action) => afterCommit.push(action),
        notify: (topic, id) => afterCommit.push(() => bus.notify(topic, id)),
      }
      const [result] = await Promise.all([work(handle), reached])
      progress.committing = true
      return result
    }) as Promise<T>
  }

  const direct = statementsOn(pool, async (text, values) => {
    // While transactions leave a connection, single statements share it: the driver sends them one behind the other.
    const admission = connections.inUse < max ? lanes : connections
    const wait = admission.take()
    if (wait) await wait
    try {
      return await pool(text, ...values)
    } catch (error) {
      throw translateFault(error, false)
    } finally {
      admission.give()
    }
  })

  return {
    tx,
    everyPlace: async (work) => [await tx('platform', work)],
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
      await Promise.race([pool`select 1`, late])
    },
    async close() {
      bus.close()
      await pool.end({ timeout: 5 })
    },
  }
}

/** Runs one statement; the driver's result is an array of rows. */
type Run = (text: TemplateStringsArray, values: postgres.SerializableParameter[]) => PromiseLike<unknown>

function statementsOn(pool: Pool, run: Run): Sql {
  const bind = (value: Value) => {
    if (value instanceof Json) return pool.json(value.value as postgres.JSONValue)
    // The driver learns array types from its first connection, too late for the first statement on it.
    if (Array.isArray(value)) return arrayLiteral(value)
    return value as string
  }
  const rows = async <T extends object>(text: TemplateStringsArray, ...values: Value[]): Promise<T[]> =>
    (await run(text, values.map(bind))) as T[]
  return {
    rows,
    async one<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = (await run(text, values.map(bind))) as T[]
      assert(found.length === 1, `exactly one row expected, ${found.length} found`)
      return found[0] as T
    },
    async maybe<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = (await run(text, values.map(bind))) as T[]
      assert(found.length <= 1, `at most one row expected, ${found.length} found`)
      return found[0]
    },
  }
}
