// A transaction: one connection alone, from BEGIN to COMMIT or ROLLBACK.
import type { Value } from '../tx.ts'
import type { Connection } from './connection.ts'
import { encodeParameters } from './parameters.ts'
import type { ConnectionPool } from './pool.ts'
import { Statement } from './statement.ts'
import { type Form, formOf, newForm, timeoutSetBy } from './text.ts'

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
  #isOver = false
  #isCommitting = false
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
    this.#isCommitting = true
    const commit = this.#statement(COMMIT)
    await commit.answer
    // A server answers COMMIT with ROLLBACK where a statement has failed that nobody waited for.
    if (commit.tag !== 'COMMIT')
      throw this.#failure ?? new Error('The server rolled the transaction back instead of committing it.')
  }

  async #rollBack(): Promise<void> {
    this.#isOver = true
    if (!this.#isBegun || this.#isCommitting || this.#connection.lost) return
    // A connection that is lost rolls back by itself.
    await this.#statement(ROLLBACK).answer.catch(() => undefined)
  }

  #send(statement: Statement): Promise<object[]> {
    if (this.#isOver || this.#connection.lost)
      return Promise.reject(
        this.#connection.lost ?? new Error('The transaction has ended; begin another one.'),
      )
    if (!this.#isBegun) this.#begin()
    const { form, values } = statement
    if (form.setsTimeout) {
      this.#hasOwnTimeout = true
      this.#connection.allow(timeoutSetBy(form, values ?? []))
    }
    statement.onFailure = this.#onFailure
    statement.sendOver(this.#connection)
    return statement.answer
  }

  #begin(): void {
    this.#isBegun = true
    const { mode, prelude } = this.#options
    // Failures are kept and end the transaction.
    this.#statement(mode ? newForm(`begin ${mode}`, '') : BEGIN).answer.catch(() => undefined)
    prelude?.(this).catch(() => undefined)
  }

  #statement(form: Form): Statement {
    const statement = new Statement(form, undefined, false, true)
    statement.onFailure = this.#onFailure
    statement.sendOver(this.#connection)
    return statement
  }

  readonly #onFailure = (error: Error): void => {
    this.#failure ??= error
  }
}
