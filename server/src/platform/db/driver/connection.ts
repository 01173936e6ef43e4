// One connection: statements leave in one write per turn of the event loop, and are answered in the order in which they left.
import { Socket } from 'node:net'
import pg, { type Client } from 'pg'
import type { Host } from '../connection-url.ts'
import { ConnectionError, connectionLostError, toConnectionError } from './connection-error.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { createSilenceTimer } from './silence-timer.ts'
import type { PreparedStatement, Statement, StatementConnection } from './statement.ts'
import { MessageBuffer } from './wire/message-buffer.ts'
import { typesOf } from './wire/parameters.ts'
import type { StatementForm } from './wire/statement-text.ts'

/** More prepared statements than these cost the server memory: the oldest one goes. */
const PREPARED_MAX = 1_000
const KEEP_ALIVE_MS = 60_000
const GOODBYE_MS = 1_000
const KEPT_FOR_MS = 1_800_000

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
  /** Nothing is due any more. */
  onIdle(connection: Connection): void
  /** Called once, also for what this side ended. */
  onLost(connection: Connection, error: Error): void
  onStale(): void
}

export class Connection implements StatementConnection {
  /** Statements without an answer. */
  due = 0
  /** Held by a transaction: no other statements may be sent. */
  isReserved = false
  /** Told when it is lost, besides the pool. */
  onLostToHolder: ((error: Error) => void) | undefined
  readonly parameters: ReadonlyMap<string, string>
  readonly #socket: Socket
  readonly #client: Client
  readonly #settings: ConnectionSettings
  readonly #outbox = new MessageBuffer()
  readonly #watch
  readonly #prepared = new Map<StatementForm, PreparedStatement>()
  /** Where something between shares the sessions of a server, a name must never be that of another client. */
  readonly #prefix = Math.random().toString(36).slice(2)
  #toClose: string[] = []
  #names = 0
  #events: ConnectionEvents | undefined
  #lost: Error | undefined
  #idleSince = performance.now()
  readonly #oldAt = performance.now() + KEPT_FOR_MS * (1 + Math.random())

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
    this.#watch = createSilenceTimer(settings.statementTimeoutMs, settings.silenceMs, () =>
      this.lose(new ConnectionError('CONNECTION_CLOSED', 'The database did not answer in time.')),
    )
    client.on('error', (error) => this.lose(error))
    client.on('end', () => this.lose(new Error('the server has hung up')))
  }

  /** Logs in to one host. Fails when that takes longer than a connection may take. */
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
      () => late.reject(new ConnectionError('CONNECT_TIMEOUT', 'The database did not let us in in time.')),
      settings.connectTimeoutMs,
    )
    // Until it is open, what goes wrong rejects `connect`, and nothing else may end the process.
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

  /** From here on it belongs to whom these events go to. */
  attach(events: ConnectionEvents): void {
    this.#events = events
  }

  get lost(): Error | undefined {
    return this.#lost
  }

  /** For how long nothing has been asked of it; more than ever when it should be replaced because of its age. */
  get idleMs(): number {
    const now = performance.now()
    return now > this.#oldAt ? Number.POSITIVE_INFINITY : now - this.#idleSince
  }

  onNotification(heard: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }: { payload: string }) => heard(payload))
  }

  send(statement: Statement): void {
    if (this.#lost) {
      statement.refuse(this.#lost)
      return
    }
    if (this.due++ === 0) this.#watch.begin()
    this.#client.query(statement)
  }

  write(statement: Statement): void {
    if (this.#outbox.isEmpty) flushLater(this)
    this.#outbox.writeAtomically(() => this.#compose(statement))
  }

  flush(): void {
    if (!this.#outbox.isEmpty && !this.#lost) this.#client.connection.stream.write(this.#outbox.take())
  }

  answered(): void {
    this.#watch.progress()
    if (--this.due > 0) return
    this.#idleSince = performance.now()
    this.#watch.end()
    if (!this.#lost) this.#events?.onIdle(this)
  }

  /** The time that the statements of this transaction have; undefined: as all others. */
  allow(statementTimeoutMs: number | undefined): void {
    this.#watch.allow(statementTimeoutMs)
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

  /** All statements are prepared anew when they are next needed. */
  forget(): void {
    for (const { name } of this.#prepared.values()) this.#toClose.push(name)
    this.#prepared.clear()
  }

  /** Those who wait for an answer are refused, here and now as far as this side is concerned. */
  lose(error: Error): void {
    if (this.#lost) return
    this.#lost = error instanceof ConnectionError ? error : connectionLostError(error)
    this.#watch.end()
    this.#socket.destroy()
    this.#events?.onLost(this, this.#lost)
    this.onLostToHolder?.(this.#lost)
  }

  /** Says goodbye. A server that does not hang up in turn is not waited for. */
  async close(): Promise<void> {
    if (this.#lost) return
    this.flush()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, GOODBYE_MS)
    this.#lost = new ConnectionError('CONNECTION_ENDED', 'The connection to the database was closed by us.')
    this.#watch.end()
    await Promise.race([this.#client.end(), late.promise])
    clearTimeout(timer)
    this.#socket.destroy()
  }

  #compose(statement: Statement): void {
    const { form, values } = statement
    const outbox = this.#outbox
    if (this.#toClose.length > 0) {
      for (const name of this.#toClose) outbox.close(name)
      this.#toClose = []
    }
    if (values === undefined) {
      outbox.query(form.text)
      return
    }
    const known = this.#prepared.get(form)
    statement.isParsing = !known?.isReady
    // Nothing relies on a name before the server has confirmed it: the text of the one ahead may turn out to be wrong.
    statement.prepared = known ? (known.isReady ? known : undefined) : this.#prepare(form, statement)
    const name = statement.prepared?.name ?? ''
    if (statement.isParsing) {
      outbox.parse(name, form.text, typesOf(form.signature))
      outbox.describe(name)
    }
    outbox.bind(name, values)
    outbox.executeAndSync()
  }

  /** A name for a statement that is to be used again; none where names are not kept, or the text is used once. */
  #prepare(form: StatementForm, { isOnce }: Statement): PreparedStatement | undefined {
    if (isOnce || !this.#settings.prepare) return undefined
    const [oldest] = this.#prepared.keys()
    if (oldest && this.#prepared.size >= PREPARED_MAX) this.dropPrepared(oldest)
    const prepared: PreparedStatement = {
      name: `${this.#prefix}_${++this.#names}`,
      columns: [],
      isReady: false,
    }
    this.#prepared.set(form, prepared)
    return prepared
  }
}

const isWithoutTls = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections'

let dirty: Connection[] = []

/** At the end of this turn of the event loop, all connections together. */
function flushLater(connection: Connection): void {
  if (dirty.push(connection) === 1) setImmediate(flushAll)
}

function flushAll(): void {
  const all = dirty
  dirty = []
  for (const connection of all) connection.flush()
}
