// A pool of connections that are opened on demand. A transaction reserves one; single statements share the others.
import type { Connection } from './connection.ts'
import { ConnectionError, toConnectionError } from './connection-error.ts'
import { readConnectionSettings, type SessionOptions } from './connection-settings.ts'
import { createConnector } from './host-selection.ts'
import { type ListenOptions, listen } from './listener.ts'
import type { Statement } from './statement.ts'

export type ConnectionPoolOptions = SessionOptions & {
  readonly max: number
  /** Idle connections are closed after this time. */
  readonly idleMs: number
}

const BACKOFF_MS = 50
const BACKOFF_MAX_MS = 500

/** A statement that may share a connection, or a transaction that needs one alone. */
type Waiter =
  | { readonly statement: Statement }
  | { readonly take: (connection: Connection) => void; readonly refuse: (error: Error) => void }

export class ConnectionPool {
  readonly #open: Connection[] = []
  readonly #waiting: Waiter[] = []
  readonly #connectToHost: () => Promise<Connection>
  readonly #options: ConnectionPoolOptions
  readonly #emptied: (() => void)[] = []
  readonly #listeners: (() => void)[] = []
  #opening = 0
  #failures = 0
  #failedAt = 0
  #sweeper: NodeJS.Timeout | undefined
  #ended: ConnectionError | undefined

  constructor(url: string, options: ConnectionPoolOptions) {
    this.#options = options
    this.#connectToHost = createConnector(readConnectionSettings(url, options))
  }

  /** Sends a single statement as soon as a connection is available. */
  send(statement: Statement): void {
    const connection = this.#waiting.length === 0 && !this.#ended ? this.#forStatement() : undefined
    if (this.#ended) statement.refuse(this.#ended)
    else if (connection) statement.sendOver(connection)
    else this.#wait({ statement })
  }

  /** Reserves a connection until `release`, synchronously when one is idle. */
  reserve(): Connection | Promise<Connection> {
    if (this.#ended) throw this.#ended
    const connection = this.#waiting.length === 0 ? this.#idle() : undefined
    if (connection) {
      connection.isReserved = true
      return connection
    }
    return new Promise((take, refuse) => this.#wait({ take, refuse }))
  }

  /** The last statement of the holder may still be unanswered. */
  release(connection: Connection): void {
    connection.isReserved = false
    connection.onLostToHolder = undefined
    if (connection.due === 0 && !connection.lost) this.#onIdle(connection)
  }

  /** Listens on an extra connection until the pool ends. */
  listen(options: ListenOptions): void {
    if (!this.#ended) this.#listeners.push(listen(this.#connectToHost, options))
  }

  /** Destroys idle connections without a graceful close, because the server may be dead. */
  cutIdle(): void {
    const error = new ConnectionError('CONNECTION_DESTROYED', 'The connection to the database was cut.')
    for (const connection of this.#open.filter(isIdle)) connection.lose(error)
  }

  /** Rejects new work and waits up to `timeoutMs` for running work. */
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
    this.#resolveWhenEmpty()
    await emptied
    clearTimeout(timer)
  }

  #destroy(): void {
    const error = new ConnectionError('CONNECTION_DESTROYED', 'The connections to the database were cut.')
    for (const each of this.#waiting.splice(0)) refuse(each, error)
    for (const connection of [...this.#open]) connection.lose(error)
    // Connections that are being opened close by themselves.
    for (const resolve of this.#emptied.splice(0)) resolve()
  }

  #resolveWhenEmpty(): void {
    if (this.#open.length + this.#opening + this.#waiting.length > 0) return
    for (const resolve of this.#emptied.splice(0)) resolve()
  }

  /** An idle connection. A busy one is shared only when the pool is full. */
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

  #wait(waiting: Waiter): void {
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

  /** Waits first when the last attempts failed. */
  async #connect(): Promise<Connection> {
    const pauseMs = this.#failedAt + Math.min(BACKOFF_MS * this.#failures, BACKOFF_MAX_MS) - performance.now()
    if (this.#failures > 0 && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return this.#connectToHost()
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
        // The plans of the other connections are stale as well.
        for (const each of this.#open) each.forget()
      },
    })
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#options.idleMs / 4).unref()
    this.#onIdle(connection)
  }

  /** Fails the oldest waiter. While other connections exist, the rest may still be served. */
  #failOpening(error: Error): void {
    const isHopeless = this.#open.length === 0 && this.#opening === 0
    for (const each of this.#waiting.splice(0, isHopeless ? this.#waiting.length : 1)) refuse(each, error)
    this.#openMore()
    this.#resolveWhenEmpty()
  }

  #onIdle(connection: Connection): void {
    this.#serve()
    if (this.#ended && isIdle(connection)) void this.#close(connection)
  }

  /** In order of arrival: statements that could share a connection do not overtake a transaction. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiter]
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
    // Reserved, so that it is not used again. It counts towards the limit until it is closed.
    connection.isReserved = true
    await connection.close()
    this.#remove(connection)
  }

  #remove(connection: Connection): void {
    const index = this.#open.indexOf(connection)
    if (index >= 0) this.#open.splice(index, 1)
    this.#openMore()
    this.#resolveWhenEmpty()
  }
}

const isIdle = ({ isReserved, due, lost }: Connection): boolean => !isReserved && due === 0 && !lost

const refuse = (waiting: Waiter, error: Error): void =>
  'statement' in waiting ? waiting.statement.refuse(error) : waiting.refuse(error)
