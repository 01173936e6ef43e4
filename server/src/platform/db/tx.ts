// The interface to the database. A function that takes a Tx can use tables and nothing else.
import type { OrgId } from '../../kernel/ids.ts'

/** A value in a statement. It is always bound as a parameter, never inserted as text. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | Uint8Array
  | Json
  | readonly (string | number | bigint | boolean | Date | null | Uint8Array)[]

/** A value stored as jsonb. Created with `json(…)`, so that an object is never bound by accident. */
export class Json {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}
export const json = (value: unknown): Json => new Json(value)

/** Statements as tagged templates; bigint columns arrive as bigint, timestamps as Date, jsonb parsed. */
export type Sql = {
  rows<T extends object>(text: TemplateStringsArray, ...values: Value[]): Promise<T[]>
  /** Exactly one row; anything else is a bug. */
  one<T extends object>(text: TemplateStringsArray, ...values: Value[]): Promise<T>
  maybe<T extends object>(text: TemplateStringsArray, ...values: Value[]): Promise<T | undefined>
}

export type Tx = Sql & {
  /**
   * Statements on content tables, in the placement of this organisation. With platform scope it reaches only the shared tables;
   * see `forEachPlacement`. Changes in a dedicated database are committed just before the rest of the transaction.
   */
  readonly content: Sql
  /** The time of this transaction, the same for everything it writes. */
  readonly now: Date
  /** Acquires a lock that is released when the transaction ends. */
  lock(name: string): Promise<void>
  /** Runs after the commit, never after a rollback. Must not throw. A crash after the commit loses it. */
  afterCommit(action: () => void): void
  /** Notifies all replicas after the commit, best effort. NOTIFY inside the transaction would serialise all commits. */
  notify(topic: string, id: string): void
  /** Call it before a function of `sql/functions` changes a wallet. A wallet on another node then commits with the transaction. */
  commitWithWallets(): Promise<void>
}

/** The rows that a transaction can access: those of one organisation, or all of them for platform work. */
export type TenantScope = OrgId | 'platform'

/** Where the money of organisations is, on a database that distributes it over the shards of several nodes. */
export type MoneyShards = {
  /** The shard with the wallet of this organisation. It never changes. */
  shardOf(org: OrgId): Promise<string>
  /** Single statements on the node that has this shard. In them, names of tables and functions are those of the shard. */
  on(shard: string): Promise<Sql>
  /** All shards with wallets. */
  list(): Promise<readonly string[]>
  /** Reads all organisations of a shard, at its node, in one read-only transaction. In its statements, names are those of the shard. */
  read<T>(shard: string, work: (sql: Sql) => Promise<T>, timeoutMs?: number): Promise<T>
  /** After a node refused a shard: the next call reads again which node has it. An operator can move shards. */
  forgetNodes(): void
}

export type Db = {
  /** Null while all tables are in one database. */
  readonly shards: MoneyShards | null
  /**
   * Runs `work` in one transaction that sees only the rows of `scope`. Deadlocks and lost connections before COMMIT are
   * retried, so `work` must have no other side effects. A COMMIT without an answer is `outcome_unknown`.
   */
  tx<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs the same work in each content placement: once with platform scope for the shared tables, then once for every
   * organisation with a separate placement, a few in parallel. An unreachable placement is logged and skipped. Shortly after a
   * move the shared tables still have the old rows: see `filterOrgsPlacedHere`. An aborted signal stops before the next one.
   */
  forEachPlacement<T>(work: (tx: Tx, scope: TenantScope) => Promise<T>, signal?: AbortSignal): Promise<T[]>
  /**
   * The scope for reading this organisation's content together with that of others: `platform` while it is in the shared
   * tables. Comes from a cache that is stale for a moment after a move: if a row is missing, read again with the organisation's scope.
   */
  batchScope(org: OrgId): TenantScope
  /** Single statements outside a transaction, on tables that belong to no organisation: one round trip each. */
  readonly direct: Sql
  /** Notifies all replicas, including this one, of a change in `topic`. Best effort; duplicates are coalesced. */
  notify(topic: string, id: string): void
  /** Calls back for each notification of a topic, and with `null` when some may have been missed. Returns the unsubscribe function. */
  listen(topic: string, listener: (id: string | null) => void): () => void
  /** Resolves when a round trip succeeds within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>
  close(): Promise<void>
}
