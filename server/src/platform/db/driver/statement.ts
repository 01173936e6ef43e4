// One execution of a statement. `pg` calls it with each message of the answer.
import pg, { type Field } from 'pg'
import { toConnectionError } from './connection-error.ts'
import { columnsOf, NO_COLUMNS, type ResultColumns, rowOf } from './wire/columns.ts'
import type { Parameter } from './wire/parameters.ts'
import type { StatementForm } from './wire/statement-text.ts'

/** A statement that the server has prepared or is preparing. */
export type PreparedStatement = {
  readonly name: string
  columns: ResultColumns
  /** Whether the server has confirmed it. Until then no other statement may use the name. */
  isReady: boolean
}

/** The operations of a connection that a statement uses. */
export type StatementConnection = {
  readonly lost: Error | undefined
  /** Writes the messages of the statement. When it throws, nothing is written. */
  write(statement: Statement): void
  send(statement: Statement): void
  answered(): void
  /** The prepared plans of the server are stale. */
  onStalePlans(): void
  /** Forgets a statement whose preparation has an unknown outcome. */
  dropPrepared(form: StatementForm): void
  lose(error: Error): void
}

/** Server routines that report a prepared statement as missing or as outdated by a schema change. */
const STALE_ROUTINES = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery', 'transformAssignedExpr'])
const stale = new WeakSet<Error>()

/** Whether a statement failed only because its plan was stale. The plan is dropped, so a retry prepares a new one. */
export const isStaleStatement = (error: unknown): boolean => error instanceof Error && stale.has(error)

/** `pg` copies an object, which takes longer than the rest of its constructor. */
const UNUSED = ''

export class Statement extends pg.Query {
  readonly form: StatementForm
  /** Undefined: the simple protocol, whose text may have several statements. */
  readonly values: readonly Parameter[] | undefined
  /** Outside a transaction. Then it can be sent again by itself; otherwise the whole transaction is retried. */
  readonly isAlone: boolean
  /** The text is used once, so it is not prepared under a name. */
  readonly isOnce: boolean
  /** The tag of the last completed command, with its row count. */
  tag = ''
  readonly answer: Promise<object[]>
  /** Called on failure, before the caller gets the error. */
  onFailure: ((error: Error) => void) | undefined
  prepared: PreparedStatement | undefined
  /** Whether the text is sent along to be parsed. */
  isParsing = false
  #rows: object[] = []
  #columns = NO_COLUMNS
  #connection: StatementConnection | undefined
  #unreadable: Error | undefined
  #isRepeated = false
  #resolve: (rows: object[]) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(
    form: StatementForm,
    values: readonly Parameter[] | undefined,
    isAlone: boolean,
    isOnce: boolean,
  ) {
    super(UNUSED)
    this.form = form
    this.values = values
    this.isAlone = isAlone
    this.isOnce = isOnce
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  sendOver(connection: StatementConnection): void {
    this.#connection = connection
    connection.send(this)
  }

  refuse(error: Error): void {
    this.onFailure?.(error)
    this.#reject(error)
  }

  override submit(): Error | null {
    try {
      this.#connection?.write(this)
    } catch (error) {
      return error as Error
    }
    this.#columns = this.prepared?.columns ?? NO_COLUMNS
    return null
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = columnsOf(fields)
    // The result of several statements is that of the last one.
    this.#rows = []
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unreadable) return
    try {
      this.#rows.push(rowOf(this.#columns, fields))
    } catch (error) {
      // An error thrown here would end the process.
      this.#unreadable = error as Error
    }
  }

  override handleCommandComplete({ text }: { text: string }): void {
    this.tag = text
  }

  override handleEmptyQuery(): void {
    this.tag = ''
  }

  override handleReadyForQuery(): void {
    if (this.prepared && this.isParsing) {
      this.prepared.columns = this.#columns
      this.prepared.isReady = true
    }
    this.#connection?.answered()
    if (this.#unreadable) this.refuse(this.#unreadable)
    else this.#resolve(this.#rows)
  }

  override handleError(error: Error): void {
    const connection = this.#connection
    const reason = connection ? this.#examine(error, connection) : error
    if (reason) this.refuse(reason)
    connection?.answered()
  }

  /** The error for the caller; undefined when the statement was sent again. */
  #examine(error: Error, connection: StatementConnection): Error | undefined {
    // After a fatal error the outcome of the statement is unknown, as after any lost connection, whatever its code is.
    if (isFatal(error)) connection.lose(error)
    if (connection.lost) return connection.lost
    if (!(error instanceof pg.DatabaseError)) return 'code' in error ? error : toConnectionError(error)
    if (!this.prepared) return error
    if (this.isParsing) connection.dropPrepared(this.form)
    else if (STALE_ROUTINES.has(error.routine)) {
      stale.add(error)
      connection.onStalePlans()
      if (this.isAlone && !this.#isRepeated) {
        this.#isRepeated = true
        this.#rows = []
        connection.send(this)
        return undefined
      }
    }
    return error
  }
}

/** Includes unknown protocol messages: `pg` reports them as an error without a code, and the stream is out of sync. */
const isFatal = (error: Error): boolean =>
  error instanceof pg.DatabaseError &&
  (!error.code || error.severity === 'FATAL' || error.severity === 'PANIC')
