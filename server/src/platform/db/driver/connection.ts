// One connection. Statements of one turn of the event loop leave in one write and are answered in the same order.
import { Socket } from 'node:net'
import pg, { type Client } from 'pg'
import type { Host } from '../connection-url.ts'
import { sendAtTurnEnd } from '../turn-end.ts'
import { ConnectionError, connectionLostError, toConnectionError } from './connection-error.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { createSilenceTimer } from './silence-timer.ts'
import type { PreparedStatement, Statement, StatementConnection } from './statement.ts'
import { NO_COLUMNS } from './wire/columns.ts'
import { MessageBuffer } from './wire/message-buffer.ts'
import { typesOf } from './wire/parameters.ts'
import type { StatementForm } from './wire/statement-text.ts'

/** Limits the memory of the server. Beyond it the oldest prepared statement is closed. */
const PREPARED_MAX = 1_000
const KEEP_ALIVE_MS = 60_000
const CLOSE_TIMEOUT_MS = 1_000
const MIN_LIFETIME_MS = 1_800_000

class Session extends pg.Client {
  readonly #startup: Readonly<Record<string, string>>
  constructor(options: ConstructorParameters<typeof Client>[0], startup: Readonly<Record<string, string>>) {
    super(options)
    this.#startup = startup
  }
  override getStartupConf(): Record<string, string> {
    return { ...this.#startup }
  }
}

export type ConnectionEvents = {
  /** Every statement has been answered. */
  onIdle(connection: Connection): void
  /** Called once, also when this side closed the connection with `lose`. */
  onLost(connection: Connection, error: Error): void
  onStale(): void
}

export class Connection implements StatementConnection {
  /** Number of statements without an answer. */
  due = 0
  /** Held by a transaction: no other statement may be sent. */
  isReserved = false
  /** Notifies the holder of a reserved connection, besides the pool. */
  onLostToHolder: ((error: Error) => void) | undefined
  readonly parameters: ReadonlyMap<string, string>
  readonly #socket: Socket
  readonly #client: Client
  readonly #settings: ConnectionSettings
  readonly #messages = new MessageBuffer()
  readonly #silenceTimer
  readonly #prepared = new Map<StatementForm, PreparedStatement>()
  /** A connection pooler may share server sessions between clients, so names of prepared statements must be globally unique. */
  readonly #prefix = Math.random().toString(36).slice(2)
  #toClose: string[] = []
  #names = 0
  #events: ConnectionEvents | undefined
  #lost: Error | undefined
  #idleSince = performance.now()
  readonly #oldAt = performance.now() + MIN_LIFETIME_MS * (1 + Math.random())

  private constructor(
    client: Client,
    socket: Socket,
    parameters: ReadonlyMap<string, string>,
    settings: ConnectionSettings,
  ) {
    this.#client = client
    this.#socket = socket
    this.#settings = settings
    this.parameters = parameters
    this.#silenceTimer = createSilenceTimer(settings.statementTimeoutMs, settings.silenceMs, () =>
      this.lose(new ConnectionError('CONNECTION_CLOSED', 'The database did not answer in time.')),
    )
    client.on('error', (error) => this.lose(error))
    client.on('end', () => this.lose(new Error('the server closed the connection')))
  }

  /** Logs in to one host within `connectTimeoutMs`. */
  static async open(host: Host, settings: ConnectionSettings, ssl = settings.ssl): Promise<Connection> {
    const socket = new Socket()
    const client = new Session(
      {
        ...host,
        user: settings.user,
        database: settings.database,
        password: () => settings.password,
        ssl: host.host.startsWith('/') ? false : ssl,
        ...(settings.sslNegotiation && { sslnegotiation: settings.sslNegotiation }),
        stream: () => socket,
        pipeline: true,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      },
      settings.startup,
    )
    const parameters = new Map<string, string>()
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
      parameters.set(parameterName, parameterValue),
    )
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new ConnectionError('CONNECT_TIMEOUT', 'The login to the database timed out.')),
      settings.connectTimeoutMs,
    )
    // Until the connection is open, errors reject `connect`. An unhandled error event would end the process.
    const ignore = () => undefined
    client.on('error', ignore)
    try {
      await Promise.race([client.connect(), late.promise])
    } catch (error) {
      socket.destroy()
      if (settings.isPlainAllowed && ssl !== false && isWithoutTls(error))
        return Connection.open(host, settings, false)
      throw toConnectionError(error)
    } finally {
      clearTimeout(timer)
    }
    const connection = new Connection(client, socket, parameters, settings)
    client.off('error', ignore)
    return connection
  }

  /** Sets the owner of the connection, which receives its events. */
  attach(events: ConnectionEvents): void {
    this.#events = events
  }

  get lost(): Error | undefined {
    return this.#lost
  }

  /** Time since the last statement; infinite when the connection is old and should be replaced. */
  get idleMs(): number {
    const now = performance.now()
    return now > this.#oldAt ? Number.POSITIVE_INFINITY : now - this.#idleSince
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }: { payload: string }) => listener(payload))
  }

  send(statement: Statement): void {
    if (this.#lost) {
      statement.refuse(this.#lost)
      return
    }
    if (this.due++ === 0) this.#silenceTimer.begin()
    this.#client.query(statement)
  }

  write(statement: Statement): void {
    if (this.#messages.isEmpty) sendAtTurnEnd(() => this.flush())
    this.#messages.writeAtomically(() => this.#compose(statement))
  }

  flush(): void {
    if (!this.#messages.isEmpty && !this.#lost) this.#client.connection.stream.write(this.#messages.take())
  }

  answered(): void {
    this.#silenceTimer.progress()
    if (--this.due > 0) return
    this.#idleSince = performance.now()
    this.#silenceTimer.end()
    if (!this.#lost) this.#events?.onIdle(this)
  }

  /** Sets the statement timeout of the current transaction; undefined: that of the session. */
  allow(statementTimeoutMs: number | undefined): void {
    this.#silenceTimer.allow(statementTimeoutMs)
  }

  dropPrepared(form: StatementForm): void {
    const prepared = this.#prepared.get(form)
    if (!prepared) return
    this.#prepared.delete(form)
    this.#toClose.push(prepared.name)
  }

  onStalePlans(): void {
    this.#events?.onStale()
    this.forget()
  }

  /** Every statement is prepared again on its next use. */
  forget(): void {
    for (const { name } of this.#prepared.values()) this.#toClose.push(name)
    this.#prepared.clear()
  }

  /** Destroys the connection. All statements without an answer fail immediately. */
  lose(error: Error): void {
    if (this.#lost) return
    this.#lost = error instanceof ConnectionError ? error : connectionLostError(error)
    this.#silenceTimer.close()
    this.#socket.destroy()
    this.#events?.onLost(this, this.#lost)
    this.onLostToHolder?.(this.#lost)
  }

  /** Closes the connection gracefully, but does not wait for a server that does not answer. */
  async close(): Promise<void> {
    if (this.#lost) return
    this.flush()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, CLOSE_TIMEOUT_MS)
    this.#lost = new ConnectionError(
      'CONNECTION_ENDED',
      'The connection to the database was closed by this process.',
    )
    this.#silenceTimer.close()
    await Promise.race([this.#client.end(), late.promise])
    clearTimeout(timer)
    this.#socket.destroy()
  }

  #compose(statement: Statement): void {
    const { form, values } = statement
    const messages = this.#messages
    if (this.#toClose.length > 0) {
      for (const name of this.#toClose) messages.close(name)
      this.#toClose = []
    }
    if (values === undefined) {
      messages.query(form.text)
      return
    }
    const known = this.#prepared.get(form)
    statement.isParsing = !known?.isReady
    // A name is not reused before the server has confirmed it: the statement ahead may fail to parse.
    statement.prepared = known ? (known.isReady ? known : undefined) : this.#prepare(form, statement)
    const name = statement.prepared?.name ?? ''
    if (statement.isParsing) {
      messages.parse(name, form.text, typesOf(form.signature))
      messages.describe(name)
    }
    messages.bind(name, values)
    messages.executeAndSync()
  }

  /** A name for a reusable statement. Undefined when the text is used once, or the server does not keep names. */
  #prepare(form: StatementForm, { isOnce }: Statement): PreparedStatement | undefined {
    if (isOnce || !this.#settings.prepare) return undefined
    const [oldest] = this.#prepared.keys()
    if (oldest && this.#prepared.size >= PREPARED_MAX) this.dropPrepared(oldest)
    const prepared: PreparedStatement = {
      name: `${this.#prefix}_${++this.#names}`,
      columns: NO_COLUMNS,
      isReady: false,
    }
    this.#prepared.set(form, prepared)
    return prepared
  }
}

const isWithoutTls = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections'
