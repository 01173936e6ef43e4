// Each module describes the data it stores for organisations: how to export it, and how to delete it when an organisation closes.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from './db/tx.ts'
import type { Actor } from './http/actor.ts'

export type ExportPage = {
  readonly rows: readonly object[]
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null
}

/** Reads one page, oldest first, from the cursor of an earlier page. Never returns secrets. */
export type ExportReader = (tx: Tx, org: OrgId, after: string | null, limit: number) => Promise<ExportPage>

/** Reads a single object, or null. Never returns secrets. `App` is a parameter because `App` itself refers to this type. */
export type ExportFact<App> = (app: App, tx: Tx, org: OrgId) => Promise<object | null>

/** A request of the owner to close an organisation. */
export type OrgClosure = {
  readonly orgId: OrgId
  readonly by: Actor
  /** The balance that the owner agreed to forfeit; null when the request does not name one. */
  readonly forfeitMinor: bigint | null
  /** The code of the plan whose remaining period the owner agreed to forfeit; null when the request does not name one. */
  readonly forfeitPlan: string | null
}

export type TenantData<App> = {
  /** Single objects by their name in the export. */
  readonly facts?: Readonly<Record<string, ExportFact<App>>>
  /** Lists by their name in the export. */
  readonly exports?: Readonly<Record<string, ExportReader>>
  /** The tables that the exports read. Every table with an org_id is listed here or in `withheld`. */
  readonly tables?: readonly string[]
  /** Tables that are not exported, each with the reason. */
  readonly withheld?: Readonly<Record<string, string>>
  /** The reason why the organisation cannot be closed yet, with the action to take; null when it can be closed. */
  mayClose?(app: App, tx: Tx, closing: OrgClosure): Promise<string | null>
  /** Runs in the transaction that closes the organisation, under its lock. */
  close?(app: App, tx: Tx, closing: OrgClosure): Promise<void>
  /** Deletes data outside the database, some time after the closing. Retried until it succeeds. */
  erase?(app: App, org: OrgId): Promise<void>
}
