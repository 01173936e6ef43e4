// Connection pools over the driver, and the tagged templates that run statements on them.
import { assert } from '../../kernel/assert.ts'
import { ConnectionPool } from './driver/connection-pool.ts'
import type { ListenOptions } from './driver/listener.ts'
import { Statement } from './driver/statement.ts'
import { type Transaction, transact } from './driver/transaction.ts'
import { encodeParameters } from './driver/wire/parameters.ts'
import { formOf, newForm } from './driver/wire/statement-text.ts'
import type { Sql, Value } from './tx.ts'

/** Statements with the rights of the database owner. */
export type Statements = Sql & {
  /** Runs the text unchanged. Without values it may have several statements; the result is that of the last one. */
  unsafe<T extends object>(text: string, values?: readonly Value[]): Promise<T[]>
}

export type Pool = Statements & {
  /** A single statement outside a transaction. */
  readonly run: RunStatement
  begin<T>(work: (tx: Statements) => Promise<T>, options?: BeginOptions): Promise<T>
  /** Listens to a channel on an extra connection. */
  listen(options: ListenOptions): void
  /** Closes idle connections, which may be dead. */
  cutIdle(): void
  /** Waits up to `timeout` seconds for running statements. */
  end(options?: { timeout: number }): Promise<void>
}

export type BeginOptions = {
  /** The transaction mode after BEGIN. */
  mode?: string
  /** Statements without a result, such as `set local`. They are sent in one message with BEGIN. */
  settings?: string
  /** Statements between BEGIN and the first statement of `work`, sent in the same write. */
  prelude?: (tx: Statements) => Promise<void>
}

export type PoolOptions = {
  max?: number
  /** Timeout for connecting and logging in. */
  connectTimeoutMs?: number
  /** Default: that of the server. */
  statementTimeoutMs?: number
  /** How long after the statement timeout a silent server is considered dead. */
  silenceMs?: number
  /** Idle connections are closed after this time. */
  idleMs?: number
  /** Session settings. */
  session?: Readonly<Record<string, string | number>>
}

const SILENCE_MS = 1_000
const END_SECONDS = 5

/** Connects with the first statement. */
export function openPool(url: string, options: PoolOptions = {}): Pool {
  const { max = 1, connectTimeoutMs = 10_000, statementTimeoutMs, silenceMs = SILENCE_MS } = options
  const { idleMs = 60_000, session = {} } = options
  const timeout = statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }
  const pool = new ConnectionPool(url, {
    max,
    connectTimeoutMs,
    statementTimeoutMs,
    silenceMs,
    idleMs,
    session: { application_name: 'cowrie', ...timeout, ...session },
  })
  const run: RunStatement = (template, values) => {
    try {
      const { signature, values: encoded } = encodeParameters(values)
      const statement = new Statement(formOf(template, signature), encoded, true, false)
      pool.send(statement)
      return statement.answer
    } catch (error) {
      return Promise.reject(error)
    }
  }
  return {
    run,
    ...statementsOn(run),
    async unsafe<T extends object>(text: string, values?: readonly Value[]) {
      const encoded = values && encodeParameters(values)
      const form = newForm(text, encoded?.signature ?? '')
      const statement = new Statement(form, encoded?.values, true, true)
      pool.send(statement)
      return (await statement.answer) as T[]
    },
    begin(work, { mode, settings, prelude } = {}) {
      return transact(pool, (transaction) => work(statementsIn(transaction)), {
        ...(mode && { mode }),
        ...(settings && { settings }),
        ...(prelude && { prelude: (transaction) => prelude(statementsIn(transaction)) }),
      })
    },
    listen: (options) => pool.listen(options),
    cutIdle: () => pool.cutIdle(),
    end: ({ timeout } = { timeout: END_SECONDS }) => pool.end(timeout * 1_000),
  }
}

/** Opens a pool for the duration of `work`. */
export async function withPool<T>(
  url: string,
  work: (pool: Pool) => Promise<T>,
  options?: PoolOptions,
): Promise<T> {
  const pool = openPool(url, options)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Sends without waiting for earlier statements. Answers arrive in the order of the calls. */
export type RunStatement = (text: TemplateStringsArray, values: readonly Value[]) => Promise<object[]>

const statementsIn = (transaction: Transaction): Statements => ({
  ...statementsOn((text, values) => transaction.run(text, values)),
  unsafe: <T extends object>(text: string, values?: readonly Value[]) =>
    transaction.runText(text, values) as Promise<T[]>,
})

export function statementsOn(run: RunStatement): Sql {
  return {
    rows: <T extends object>(text: TemplateStringsArray, ...values: Value[]) =>
      run(text, values) as Promise<T[]>,
    async one<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = (await run(text, values)) as T[]
      assert(found.length === 1, `exactly one row expected, ${found.length} found`)
      return found[0] as T
    },
    async maybe<T extends object>(text: TemplateStringsArray, ...values: Value[]) {
      const found = (await run(text, values)) as T[]
      assert(found.length <= 1, `at most one row expected, ${found.length} found`)
      return found[0]
    },
  }
}

/** A name as an SQL identifier, for text that runs through `unsafe`. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
