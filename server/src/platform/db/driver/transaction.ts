// A transaction: one connection alone, from BEGIN to COMMIT or ROLLBACK.
import pg from 'pg'
import type { Value } from '../tx.ts'
import type { Connection } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { Statement } from './statement.ts'
import { encodeParameters } from './wire/parameters.ts'
import { formOf, newForm, type StatementForm, timeoutSetBy } from './wire/statement-text.ts'

const BEGIN = newForm('begin', '')
const COMMIT = newForm('commit', '')
const ROLLBACK = newForm('rollback', '')
const ABORTED = '25P02'

export type TransactionOptions = {
  /** What follows BEGIN. */
  readonly mode?: string
  /** Runs behind BEGIN and before everything else; its statements are not waited for. */
  readonly prelude?: (transaction: Transaction) => Promise<unknown>
}

/**
 * Runs `work` in a transaction. BEGIN and the prelude leave together with the first statement; without any statement there is no
 * transaction. Rejects as soon as the connection is lost, even while the work is busy elsewhere.
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
  /** Whether the server refused to begin. */
  #hasNotBegun = false
  /** Whether the prelude has been run. */
  #isPrepared = false
  #isOver = false
  #hasOwnTimeout = false
  /** Why the transaction cannot be committed any more. What fails behind it fails only because of it. */
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

  /** Text that is put together at run time; without values it may be several statements. */
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
      // A mode may be refused: what left together with it would run outside of any transaction.
      if (this.#options.mode) await this.#begin(newForm(`begin ${this.#options.mode}`, '')).answer
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
    // A server answers COMMIT with ROLLBACK where a statement has failed that nobody waited for.
    // One that was never begun is committed with a mere warning.
    if (commit.tag !== 'COMMIT' || this.#hasNotBegun)
      throw this.#failure ?? new Error('The server rolled the transaction back instead of committing it.')
  }

  async #rollBack(): Promise<void> {
    this.#isOver = true
    // A connection that is lost rolls back by itself.
    if (!this.#isBegun || this.#connection.lost) return
    // Also behind COMMIT: one that was refused may have left the transaction open, and otherwise this does nothing.
    await this.#statement(ROLLBACK).answer.catch((error: Error) => this.#connection.lose(error))
  }

  #send(statement: Statement): Promise<object[]> {
    if (this.#isOver || this.#connection.lost)
      return Promise.reject(
        this.#connection.lost ?? new Error('The transaction has ended; begin another one.'),
      )
    // The server knows nothing of it, and would accept further statements.
    if (this.#failure && !(this.#failure instanceof pg.DatabaseError)) return Promise.reject(this.#failure)
    if (!this.#isBegun)
      this.#begin(BEGIN).answer.catch(() => {
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

  #begin(form: StatementForm): Statement {
    this.#isBegun = true
    return this.#statement(form)
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
