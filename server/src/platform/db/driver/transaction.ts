// A transaction on a reserved connection, from BEGIN to COMMIT or ROLLBACK.
import pg from 'pg'
import type { Value } from '../tx.ts'
import type { Connection } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { Statement } from './statement.ts'
import { encodeParameters } from './wire/parameters.ts'
import { formOf, newForm, type StatementForm, timeoutSetBy } from './wire/statement-text.ts'

const COMMIT = newForm('commit', '')
const ROLLBACK = newForm('rollback', '')
const ABORTED = '25P02'

export type TransactionOptions = {
  /** The transaction mode after BEGIN. */
  readonly mode?: string
  /** Statements without a result, such as `set local`. They are sent in one message with BEGIN. */
  readonly settings?: string
  /** Statements between BEGIN and those of `work`. They are not awaited. */
  readonly prelude?: (transaction: Transaction) => Promise<unknown>
}

/**
 * Runs `work` in a transaction. BEGIN and the prelude are sent together with the first statement; without a statement nothing is
 * sent. Rejects as soon as the connection is lost, even while `work` waits for something else.
 */
export async function transact<T>(
  pool: ConnectionPool,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const reserved = pool.reserve()
  const connection = reserved instanceof Promise ? await reserved : reserved
  const transaction = new Transaction(connection, options)
  try {
    return await transaction.during(work)
  } finally {
    pool.release(connection)
  }
}

export class Transaction {
  readonly #connection: Connection
  readonly #options: TransactionOptions
  #isBegun = false
  /** Whether the server rejected BEGIN. */
  #hasNotBegun = false
  /** Whether the prelude has been run. */
  #isPrepared = false
  #isOver = false
  #hasOwnTimeout = false
  /** The first error, which prevents the commit. Later errors are its consequences. */
  #failure: Error | undefined

  constructor(connection: Connection, options: TransactionOptions) {
    this.#connection = connection
    this.#options = options
  }

  run(template: TemplateStringsArray, values: readonly Value[]): Promise<object[]> {
    try {
      const { signature, values: encoded } = encodeParameters(values)
      return this.#send(new Statement(formOf(template, signature), encoded, false, false))
    } catch (error) {
      this.#failure ??= error as Error
      return Promise.reject(error)
    }
  }

  /** Text that is built at run time. Without values it may have several statements. */
  runText(text: string, values?: readonly Value[]): Promise<object[]> {
    try {
      const encoded = values && encodeParameters(values)
      return this.#send(new Statement(newForm(text, encoded?.signature ?? ''), encoded?.values, false, true))
    } catch (error) {
      this.#failure ??= error as Error
      return Promise.reject(error)
    }
  }

  async during<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      // The server may reject the mode. Statements sent together with BEGIN would then run outside a transaction.
      if (this.#options.mode) await this.#begin().answer
      const result = await this.#whileConnected(work)
      await this.#commit()
      return result
    } catch (error) {
      await this.#rollBack()
      throw this.#failure && error instanceof Error && 'code' in error && error.code === ABORTED
        ? this.#failure
        : error
    } finally {
      if (this.#hasOwnTimeout) this.#connection.allow(undefined)
    }
  }

  #whileConnected<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#connection.lost) return reject(this.#connection.lost)
      this.#connection.onLostToHolder = reject
      work(this).then(resolve, reject)
    })
  }

  async #commit(): Promise<void> {
    this.#isOver = true
    if (this.#failure) throw this.#failure
    if (!this.#isBegun) return
    const commit = this.#statement(COMMIT)
    await commit.answer
    // The server answers COMMIT with ROLLBACK when a statement failed that was not awaited. When BEGIN failed, it answers COMMIT
    // with a warning only.
    if (commit.tag !== 'COMMIT' || this.#hasNotBegun)
      throw this.#failure ?? new Error('The server rolled the transaction back instead of committing it.')
  }

  async #rollBack(): Promise<void> {
    this.#isOver = true
    // The server rolls back a lost connection by itself.
    if (!this.#isBegun || this.#connection.lost) return
    // Also after COMMIT: a rejected COMMIT may leave the transaction open. Otherwise ROLLBACK has no effect.
    await this.#statement(ROLLBACK).answer.catch((error: Error) => this.#connection.lose(error))
  }

  #send(statement: Statement): Promise<object[]> {
    if (this.#isOver || this.#connection.lost)
      return Promise.reject(
        this.#connection.lost ?? new Error('The transaction has ended; begin another one.'),
      )
    // The server does not know of a client-side failure and would accept further statements.
    if (this.#failure && !(this.#failure instanceof pg.DatabaseError)) return Promise.reject(this.#failure)
    if (!this.#isBegun)
      this.#begin().answer.catch(() => {
        this.#hasNotBegun = true
      })
    if (!this.#isPrepared) this.#prepare()
    const { form, values } = statement
    if (form.setsTimeout) {
      this.#hasOwnTimeout = true
      this.#connection.allow(timeoutSetBy(form, values ?? []))
    }
    statement.onFailure = this.#onFailure
    statement.sendOver(this.#connection)
    return statement.answer
  }

  #begin(): Statement {
    this.#isBegun = true
    const { mode, settings } = this.#options
    const begin = mode ? `begin ${mode}` : 'begin'
    return this.#statement(newForm(settings ? `${begin}; ${settings}` : begin, ''))
  }

  #prepare(): void {
    this.#isPrepared = true
    this.#options.prelude?.(this).catch(this.#onFailure)
  }

  #statement(form: StatementForm): Statement {
    const statement = new Statement(form, undefined, false, true)
    statement.onFailure = this.#onFailure
    statement.sendOver(this.#connection)
    return statement
  }

  readonly #onFailure = (error: Error): void => {
    this.#failure ??= error
  }
}
