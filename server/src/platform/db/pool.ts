// Statements over the driver, and pools of connections that are all set up alike.
import { assert } from '../../kernel/assert.ts'
import { ConnectionPool } from './driver/connection-pool.ts'
import type { ListenOptions } from './driver/listener.ts'
import { Statement } from './driver/statement.ts'
import { type Transaction, transact } from './driver/transaction.ts'
import { encodeParameters } from './driver/wire/parameters.ts'
import { formOf, newForm } from './driver/wire/statement-text.ts'
import type { Sql, Value } from './tx.ts'

/** Statements on one database, by those who own it. */
export type Statements = Sql & {
  /** Text as it is. Without values it may be several statements; their last one answers. */
  unsafe<T extends object>(text: string, values?: readonly Value[]): Promise<T[]>
}

export type Pool = Statements & {
  /** A single statement, by itself. */
  readonly run: Run
  begin<T>(work: (tx: Statements) => Promise<T>, options?: BeginOptions): Promise<T>
  /** Hears what is sent to a channel, on a connection besides the others. */
  listen(options: ListenOptions): void
  /** Ends the connections that are not used right now: they may be dead. */
  cutIdle(): void
  /** What is under way may take so many seconds more. */
  end(options?: { timeout: number }): Promise<void>
}

export type BeginOptions = {
  /** What follows BEGIN. */
  mode?: string
  /** Leaves between BEGIN and the first statement, in one write with both. */
  prelude?: (tx: Statements) => Promise<void>
}

export type PoolOptions = {
  max?: number
  /** How long a server may take to let us in. */
  connectTimeoutMs?: number
  /** Without it, that of the server. */
  statementTimeoutMs?: number
  /** How much longer than the statement timeout an answer may take before the server counts as gone. */
  silenceMs?: number
  /** A connection that is not used for so long is closed. */
  idleMs?: number
  /** Settings of its sessions. */
  session?: Readonly<Record<string, string | number>>
}

const SILENCE_MS = 1_000
const END_SECONDS = 5

/** Connects when it is first asked. */
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
  const run: Run = (template, values) => {
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
    begin(work, { mode, prelude } = {}) {
      return transact(pool, (transaction) => work(statementsIn(transaction)), {
        ...(mode && { mode }),
        ...(prelude && { prelude: (transaction) => prelude(statementsIn(transaction)) }),
      })
    },
    listen: (options) => pool.listen(options),
    cutIdle: () => pool.cutIdle(),
    end: ({ timeout } = { timeout: END_SECONDS }) => pool.end(timeout * 1_000),
  }
}

/** One pool for as long as the work lasts. */
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

/** Sends at once, without waiting for what was sent before: statements are answered in the order of calls. */
export type Run = (text: TemplateStringsArray, values: readonly Value[]) => Promise<object[]>

const statementsIn = (transaction: Transaction): Statements => ({
  ...statementsOn((text, values) => transaction.run(text, values)),
  unsafe: <T extends object>(text: string, values?: readonly Value[]) =>
    transaction.runText(text, values) as Promise<T[]>,
})

export function statementsOn(run: Run): Sql {
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
