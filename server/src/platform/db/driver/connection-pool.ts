// Connections of one kind, opened when they are needed. A transaction has one alone; single statements share the others.
import type { Connection } from './connection.ts'
import { ConnectionError, toConnectionError } from './connection-error.ts'
import { readConnectionSettings, type SessionOptions } from './connection-settings.ts'
import { createConnector } from './host-selection.ts'
import { type ListenOptions, listen } from './listener.ts'
import type { Statement } from './statement.ts'

export type PoolOptions = SessionOptions & {
  readonly max: number
  /** A connection that nothing has used for so long is closed. */
  readonly idleMs: number
}

const BACKOFF_MS = 50
const BACKOFF_MAX_MS = 500

/** What waits for a connection: a statement that may share one, or who needs one alone. */
type Waiting =
  | { readonly statement: Statement }
  | { readonly take: (connection: Connection) => void; readonly refuse: (error: Error) => void }

export class ConnectionPool {
  readonly #open: Connection[] = []
  readonly #waiting: Waiting[] = []
  readonly #find: () => Promise<Connection>
  readonly #options: PoolOptions
  readonly #emptied: (() => void)[] = []
  readonly #listeners: (() => void)[] = []
  #opening = 0
  #failures = 0
  #failedAt = 0
  #sweeper: NodeJS.Timeout | undefined
  #ended: ConnectionError | undefined

  constructor(url: string, options: PoolOptions) {
    this.#options = options
    this.#find = createConnector(readConnectionSettings(url, options))
  }

  /** Sends a single statement at once if there is a connection for it, otherwise when there is. */
  send(statement: Statement): void {
    const connection = this.#waiting.length === 0 && !this.#ended ? this.#forStatement() : undefined
    if (this.#ended) statement.refuse(this.#ended)
    else if (connection) statement.sendOver(connection)
    else this.#wait({ statement })
  }

  /** A connection that no others use until it is given back; at once if there is one. */
  reserve(): Connection | Promise<Connection> {
    if (this.#ended) throw this.#ended
    const connection = this.#waiting.length === 0 ? this.#idle() : undefined
    if (connection) {
      connection.isReserved = true
      return connection
    }
    return new Promise((take, refuse) => this.#wait({ take, refuse }))
  }

  /** Its last statement has been answered, or will be. */
  release(connection: Connection): void {
    connection.isReserved = false
    connection.onLostToHolder = undefined
    if (connection.due === 0 && !connection.lost) this.#onIdle(connection)
  }

  /** On a connection besides the others, until the end of the pool. */
  listen(options: ListenOptions): void {
    if (!this.#ended) this.#listeners.push(listen(this.#find, options))
  }

  /** Ends what is not used right now, without a goodbye: the server may not be there to answer it. */
  cutIdle(): void {
    const error = new ConnectionError('CONNECTION_DESTROYED', 'The connection to the database was cut.')
    for (const connection of this.#open.filter(isIdle)) connection.lose(error)
  }

  /** New work is refused. What is under way may end, for so long. */
  async end(timeoutMs: number): Promise<void> {
    this.#ended ??= new ConnectionError(
      'CONNECTION_ENDED',
      'The connections to the database have been closed.',
    )
    clearInterval(this.#sweeper)
    for (const stop of this.#listeners.splice(0)) stop()
    const emptied = new Promise<void>((resolve) => this.#emptied.push(resolve))
    const timer = setTimeout(() => this.#destroy(), timeoutMs)
    for (const connection of this.#open.filter(isIdle)) void this.#close(connection)
    this.#tellEmptied()
    await emptied
    clearTimeout(timer)
  }

  #destroy(): void {
    const error = new ConnectionError('CONNECTION_DESTROYED', 'The connections to the database were cut.')
    for (const each of this.#waiting.splice(0)) refuse(each, error)
    for (const connection of [...this.#open]) connection.lose(error)
    // Those that are being opened close by themselves.
    for (const resolve of this.#emptied.splice(0)) resolve()
  }

  #tellEmptied(): void {
    if (this.#open.length + this.#opening + this.#waiting.length > 0) return
    for (const resolve of this.#emptied.splice(0)) resolve()
  }

  /** An idle one; one that others use only where no further one may be opened. */
  #forStatement(): Connection | undefined {
    const isFull = this.#open.length + this.#opening >= this.#options.max
    let best: Connection | undefined
    for (const connection of this.#open) {
      if (connection.isReserved || (!isFull && connection.due > 0)) continue
      if (connection.due === 0) return connection
      if (!best || connection.due < best.due) best = connection
    }
    return best
  }

  #idle(): Connection | undefined {
    for (const connection of this.#open) if (isIdle(connection)) return connection
    return undefined
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#openMore()
  }

  #openMore(): void {
    while (this.#opening < this.#waiting.length && this.#open.length + this.#opening < this.#options.max) {
      this.#opening++
      void this.#openOne()
    }
  }

  async #openOne(): Promise<void> {
    try {
      const connection = await this.#connect()
      this.#opening--
      this.#failures = 0
      this.#admit(connection)
    } catch (error) {
      this.#opening--
      this.#failures++
      this.#failedAt = performance.now()
      this.#failOpening(toConnectionError(error))
    }
  }

  /** Not at once when it has just failed. */
  async #connect(): Promise<Connection> {
    const pauseMs = this.#failedAt + Math.min(BACKOFF_MS * this.#failures, BACKOFF_MAX_MS) - performance.now()
    if (this.#failures > 0 && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return this.#find()
  }

  #admit(connection: Connection): void {
    if (connection.lost) {
      this.#failOpening(connection.lost)
      return
    }
    this.#open.push(connection)
    connection.attach({
      onIdle: (idle) => {
        if (!idle.isReserved) this.#onIdle(idle)
      },
      onLost: (lost) => {
        this.#remove(lost)
      },
      onStale: () => {
        // The other connections have plans of the same age.
        for (const each of this.#open) each.forget()
      },
    })
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#options.idleMs / 4).unref()
    this.#onIdle(connection)
  }

  /** Who waited longest is told. While there are other connections, the rest may still be served. */
  #failOpening(error: Error): void {
    const isHopeless = this.#open.length === 0 && this.#opening === 0
    for (const each of this.#waiting.splice(0, isHopeless ? this.#waiting.length : 1)) refuse(each, error)
    this.#openMore()
    this.#tellEmptied()
  }

  #onIdle(connection: Connection): void {
    this.#serve()
    if (this.#ended && isIdle(connection)) void this.#close(connection)
  }

  /** In the order of asking: who needs a connection alone is not overtaken by statements that could share one. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiting]
      const connection = 'statement' in first ? this.#forStatement() : this.#idle()
      if (!connection) return
      this.#waiting.shift()
      if ('statement' in first) first.statement.sendOver(connection)
      else {
        connection.isReserved = true
        first.take(connection)
      }
    }
  }

  #sweep(): void {
    for (const connection of this.#open)
      if (isIdle(connection) && connection.idleMs >= this.#options.idleMs) void this.#close(connection)
    if (this.#open.length > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  async #close(connection: Connection): Promise<void> {
    // Nobody may take it any more; it counts until it is gone.
    connection.isReserved = true
    await connection.close()
    this.#remove(connection)
  }

  #remove(connection: Connection): void {
    const index = this.#open.indexOf(connection)
    if (index >= 0) this.#open.splice(index, 1)
    this.#openMore()
    this.#tellEmptied()
  }
}

const isIdle = ({ isReserved, due, lost }: Connection): boolean => !isReserved && due === 0 && !lost

const refuse = (waiting: Waiting, error: Error): void =>
  'statement' in waiting ? waiting.statement.refuse(error) : waiting.refuse(error)
