// What organisations own, told by the modules that keep it: how it is handed over whole, and what is to be done before one goes.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from './db/tx.ts'
import type { Actor } from './http/actor.ts'

export type ExportPage = {
  readonly rows: readonly object[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/** One page of what is kept, oldest first, from a place that an earlier page named. Never a secret. */
export type ExportReader = (tx: Tx, org: OrgId, after: string | null, limit: number) => Promise<ExportPage>

/** What there is one of, or none. Never a secret. */
export type ExportFact<App> = (app: App, tx: Tx, org: OrgId) => Promise<object | null>

/** The end of an organisation, as its owner has asked for it. */
export type OrgClosure = {
  readonly orgId: OrgId
  readonly by: Actor
  /** The balance that they give up; null when they said nothing of it. */
  readonly forfeitMinor: bigint | null
  /** The code of the plan whose rest they give up; null when they said nothing of it. */
  readonly forfeitPlan: string | null
}

export type TenantData<App> = {
  /** Single things, by the name in the export. */
  readonly facts?: Readonly<Record<string, ExportFact<App>>>
  /** Lists, by the name in the export. */
  readonly exports?: Readonly<Record<string, ExportReader>>
  /** The tables those read. Every table with an org_id is named here or in `withheld`. */
  readonly tables?: readonly string[]
  /** Tables that are not handed over, each with the reason. */
  readonly withheld?: Readonly<Record<string, string>>
  /** What keeps an organisation from being closed, as a sentence that says what to do; null when nothing does. */
  mayClose?(app: App, tx: Tx, closing: OrgClosure): Promise<string | null>
  /** Ends what must end, in the transaction of the closing and under the lock of the organisation. */
  close?(app: App, tx: Tx, closing: OrgClosure): Promise<void>
  /** Removes what is kept outside the database, some time after the closing. Done again until it is done. */
  erase?(app: App, org: OrgId): Promise<void>
}
