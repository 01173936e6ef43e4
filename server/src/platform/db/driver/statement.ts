// One execution of a statement, as `pg` drives it: it hands us each message of the answer.
import pg, { type Field } from 'pg'
import { toConnectionError } from './connection-error.ts'
import { type Column, columnsOf, rowOf } from './wire/columns.ts'
import type { Parameter } from './wire/parameters.ts'
import type { StatementForm } from './wire/statement-text.ts'

/** A statement that a server has prepared, or is about to. */
export type PreparedStatement = {
  readonly name: string
  columns: readonly Column[]
  /** Whether the server has said so. Until then nothing else may rely on the name. */
  isReady: boolean
}

/** What a statement needs of its connection. */
export type StatementConnection = {
  readonly lost: Error | undefined
  /** Writes its messages. May throw, and has then written nothing. */
  write(statement: Statement): void
  send(statement: Statement): void
  answered(): void
  /** The plans of a server are out of date. */
  onStalePlans(): void
  /** It was to be prepared, and nobody knows whether it was. */
  dropPrepared(form: StatementForm): void
  lose(error: Error): void
}

/** Where the server notices that a prepared statement is gone, or no longer fits the tables. */
const STALE_ROUTINES = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery', 'transformAssignedExpr'])
const stale = new WeakSet<Error>()

/** Whether it failed only because its plan was old. The plan is forgotten: the next try makes a new one. */
export const isStaleStatement = (error: unknown): boolean => error instanceof Error && stale.has(error)

const NO_ROWS: readonly Column[] = []
const UNUSED = { text: '' }

export class Statement extends pg.Query {
  readonly form: StatementForm
  /** Undefined: text for the simple protocol, which may be several statements. */
  readonly values: readonly Parameter[] | undefined
  /** Alone, it may be sent again; inside a transaction the whole of it must be. */
  readonly isAlone: boolean
  /** Its text will not come again, so it is not worth a name. */
  readonly isOnce: boolean
  /** The command that was completed last, with its count. */
  tag = ''
  readonly answer: Promise<object[]>
  /** Told of a failure before the caller is. */
  onFailure: ((error: Error) => void) | undefined
  prepared: PreparedStatement | undefined
  /** Whether it carries the text along, to be prepared. */
  isParsing = false
  #rows: object[] = []
  #columns = NO_ROWS
  #line: StatementConnection | undefined
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

  sendOver(line: StatementConnection): void {
    this.#line = line
    line.send(this)
  }

  refuse(error: Error): void {
    this.onFailure?.(error)
    this.#reject(error)
  }

  override submit(): Error | null {
    try {
      this.#line?.write(this)
    } catch (error) {
      return error as Error
    }
    this.#columns = this.prepared?.columns ?? NO_ROWS
    return null
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = columnsOf(fields)
    // Of several statements, the rows of the last one count.
    this.#rows = []
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unreadable) return
    try {
      this.#rows.push(rowOf(this.#columns, fields))
    } catch (error) {
      // Thrown here it would end the process.
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
    this.#line?.answered()
    if (this.#unreadable) this.refuse(this.#unreadable)
    else this.#resolve(this.#rows)
  }

  override handleError(error: Error): void {
    const line = this.#line
    const reason = line ? this.#examine(error, line) : error
    if (reason) this.refuse(reason)
    line?.answered()
  }

  /** What to tell the caller; undefined when the statement was sent again. */
  #examine(error: Error, line: StatementConnection): Error | undefined {
    // Whatever code such an error has: what became of the statement is as unknown as after any other loss.
    if (isFatal(error)) line.lose(error)
    if (line.lost) return line.lost
    if (!(error instanceof pg.DatabaseError)) return 'code' in error ? error : toConnectionError(error)
    if (!this.prepared) return error
    if (this.isParsing) line.dropPrepared(this.form)
    else if (STALE_ROUTINES.has(error.routine)) {
      stale.add(error)
      line.onStalePlans()
      if (this.isAlone && !this.#isRepeated) {
        this.#isRepeated = true
        this.#rows = []
        line.send(this)
        return undefined
      }
    }
    return error
  }
}

/** Also a message that the protocol does not know: `pg` reports it as an error without a code, and the stream is out of step. */
const isFatal = (error: Error): boolean =>
  error instanceof pg.DatabaseError &&
  (!error.code || error.severity === 'FATAL' || error.severity === 'PANIC')
