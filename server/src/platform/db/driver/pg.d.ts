// The parts of `pg` that the driver uses, including undocumented ones.
declare module 'pg' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'
  import type { ConnectionOptions } from 'node:tls'

  export type Field = { readonly name: string; readonly dataTypeID: number }
  export type WireConnection = EventEmitter & { readonly stream: Duplex }

  /** In pipeline mode a client accepts only instances of this class. */
  class Query {
    constructor(text: string)
    submit(connection: WireConnection): Error | null
    handleRowDescription(message: { readonly fields: readonly Field[] }): void
    handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
    handleCommandComplete(message: { readonly text: string }): void
    handleEmptyQuery(): void
    handleError(error: Error): void
    handleReadyForQuery(): void
  }

  type ClientOptions = {
    host: string
    port: number
    user: string
    database: string
    /** A function, so that `pg` does not look for a password in files or variables. */
    password: () => string
    ssl: boolean | ConnectionOptions
    sslnegotiation?: 'postgres' | 'direct'
    stream: () => Duplex
    pipeline: true
    keepAlive: boolean
    keepAliveInitialDelayMillis: number
  }

  class Client extends EventEmitter {
    constructor(options: ClientOptions)
    readonly connection: WireConnection
    connect(): Promise<unknown>
    query(query: Query): void
    end(): Promise<void>
    /** The parameters of the startup message. */
    getStartupConf(): Record<string, string>
  }

  class DatabaseError extends Error {
    /** Undefined for errors that `pg` itself creates. */
    readonly code: string | undefined
    readonly severity: string | undefined
    readonly routine: string
  }

  const types: {
    arrayParser: { create<T>(text: string, parse: (item: string) => T): { parse(): (T | null)[] } }
  }
  const pg: {
    Client: typeof Client
    Query: typeof Query
    DatabaseError: typeof DatabaseError
    types: typeof types
  }
  export default pg
  export type { Client, Query }
}
