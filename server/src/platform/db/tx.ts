// The one face of the database. A function that takes a Tx can reach tables and nothing else.
import type { OrgId } from '../../kernel/ids.ts'

/** What may be written into a statement: always a parameter, never text. */
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

/** A value stored as jsonb. Made by `json(…)`, so that an object is never bound by accident. */
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
   * Statements on content tables, wherever those of this organisation are: the names of content tables mean them. For platform
   * work it is the shared place alone; see `everyPlace`. What another database keeps is committed just before the rest.
   */
  readonly content: Sql
  /** The instant of this transaction: the same for all it writes. */
  readonly now: Date
  /** Waits for a lock that the end of the transaction gives back. */
  lock(name: string): Promise<void>
  /** Runs once the transaction is durable, never when it rolls back. Must not throw; a crash in between loses it. */
  afterCommit(action: () => void): void
  /** Tells all replicas after the commit; best effort. Inside the commit it would serialise all writers. */
  notify(topic: string, id: string): void
}

/** Whose rows a transaction may touch: one organisation's, or all of them for platform work. */
export type TenantScope = OrgId | 'platform'

export type Db = {
  /**
   * Runs `work` in one transaction that sees only the rows of `reach`. Deadlocks and lost connections before
   * COMMIT are retried, so `work` must not touch the world. A COMMIT whose answer is lost is `outcome_unknown`.
   */
  tx<T>(reach: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same work in each place where content is: once with platform reach where it is shared, then once for every
   * organisation that has a place of its own, a few at once. A place that cannot be reached is logged, and the others are served.
   * Among the shared a copy may be left for a moment after a move: see `livingHere`. An aborted signal ends it before the next place.
   */
  forEachPlacement<T>(work: (tx: Tx, reach: TenantScope) => Promise<T>, signal?: AbortSignal): Promise<T[]>
  /**
   * The reach with which one may look at this organisation's content together with that of others: the platform's where it is
   * shared. From memory, and for a moment old after a move: who misses something there asks again with the organisation's own.
   */
  batchScope(org: OrgId): TenantScope
  /** Single statements outside a transaction, on tables that belong to no organisation: one round trip each. */
  readonly direct: Sql
  /** Tells all replicas, this one included, that something about `topic` changed. Best effort; coalesced. */
  notify(topic: string, id: string): void
  /** Calls back for each notification of a topic, and with `null` when some may have been missed. Returns the undo. */
  listen(topic: string, heard: (id: string | null) => void): () => void
  /** Resolves when a round trip succeeds within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>
  close(): Promise<void>
}
