// Statements over the driver, and pools of connections that are all set up alike.
import { assert } from '../../kernel/assert.ts'
import { fromJson, toJson } from '../../kernel/json.ts'
import { connectionOptions } from './address.ts'
import { arrayLiteral } from './array-literal.ts'
import { postgres } from './driver.ts'
import { Json, type Sql, type Value } from './tx.ts'

const TYPES = {
  bigint: postgres.BigInt,
  json: { to: 114, from: [114, 3802], serialize: toJson, parse: fromJson },
}

export type Pool = postgres.Sql<{ bigint: bigint; json: unknown }>
export type Connection = postgres.TransactionSql<{ bigint: bigint; json: unknown }>

export type PoolOptions = {
  max: number
  /** Work as this role instead of the one that logged in. */
  role: string | null
  statementTimeoutMs: number
  /** How long a server may take to let us in. */
  connectTimeoutMs?: number
  /** Makes the socket of a connection, where that must be known. */
  socket?: unknown
}

/** Connects when it is first asked, and lets go of connections that are idle for a minute. */
export function openPool(
  url: string,
  { max, role, statementTimeoutMs, connectTimeoutMs = 3_000, socket }: PoolOptions,
): Pool {
  const [address, overrides] = connectionOptions(url)
  // The driver's types do not know of it.
  const own = { ...overrides, ...(socket ? { socket } : {}) }
  return postgres(address, {
    ...own,
    max,
    types: TYPES,
    onnotice: () => undefined,
    connect_timeout: connectTimeoutMs / 1_000,
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
}

/** Runs one statement; the driver's result is an array of rows. */
export type Run = (
  text: TemplateStringsArray,
  values: postgres.SerializableParameter[],
) => PromiseLike<unknown>

/** Sends at once, without waiting for what was sent before: statements are answered in the order of calls. */
export const runOn =
  (connection: Connection): Run =>
  (text, values) =>
    connection(text, ...values).execute()

export function statementsOn(pool: Pool, run: Run): Sql {
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
