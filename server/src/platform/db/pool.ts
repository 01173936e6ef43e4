// Db over a real PostgreSQL: the pool, transactions with a reach, retries, notifications.
import postgres from 'postgres'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fromJson, toJson } from '../../kernel/json.ts'
import { connectionOptions } from './address.ts'
import { arrayLiteral } from './array-literal.ts'
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

type Pool = postgres.Sql<{ bigint: bigint; json: unknown }>
type Connection = Pool | postgres.TransactionSql<{ bigint: bigint; json: unknown }>

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
  const slots = createSlots(max, POOL_WAIT_MS, QUEUE_MAX)
  const bus = createBus(pool, onWarning)

  /** Waits for a place in the pool, runs, and says what a failure means. */
  async function admitted<T>(run: () => Promise<T>): Promise<T> {
    const wait = slots.take()
    if (wait) await wait
    try {
      return await run()
    } finally {
      slots.give()
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
      const statements = statementsOn(connection)
      const handle: Tx = {
        ...statements,
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

  const plain = statementsOn(pool)
  const direct = {
    rows: (text: TemplateStringsArray, ...values: Value[]) => translated(() => plain.rows(text, ...values)),
    one: (text: TemplateStringsArray, ...values: Value[]) => translated(() => plain.one(text, ...values)),
    maybe: (text: TemplateStringsArray, ...values: Value[]) => translated(() => plain.maybe(text, ...values)),
  } as Sql

  async function translated<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await admitted(run)
    } catch (error) {
      throw translateFault(error, false)
    }
  }

  return {
    tx,
    direct,
    notify: bus.notify,
    listen: bus.listen,
    usage: () => ({ inUse: slots.inUse, waiting: slots.waiting }),
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

function statementsOn(connection: Connection): Sql {
  const bind = (value: Value) => {
    if (value instanceof Json) return connection.json(value.value as postgres.JSONValue)
    // The driver learns array types from its first connection, too late for the first statement on it.
    if (Array.isArray(value)) return arrayLiteral(value)
    return value as string
  }
  const rows = async <T extends object>(text: TemplateStringsArray, ...values: Value[]): Promise<T[]> =>
    (await connection(text, ...values.map(bind))) as unknown as T[]
  return {
    rows,
    async one<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = await rows<T>(text, ...values)
      assert(found.length === 1, `exactly one row expected, ${found.length} found`)
      return found[0] as T
    },
    async maybe<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = await rows<T>(text, ...values)
      assert(found.length <= 1, `at most one row expected, ${found.length} found`)
      return found[0]
    },
  }
}
