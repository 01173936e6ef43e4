// What organisations own, told by the modules that keep it: how it is handed over whole, and what is to be done before one goes.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from './app.ts'
import type { Tx } from './db/tx.ts'

export type OwnedPage = {
  readonly rows: readonly object[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/** One page of what is kept, oldest first, from a place that an earlier page named. Never a secret. */
export type OwnedReader = (tx: Tx, org: OrgId, after: string | null, limit: number) => Promise<OwnedPage>

export type Owned = {
  /** By the name in the export. */
  readonly exports?: Readonly<Record<string, OwnedReader>>
  /** The tables those read. Every table with an org_id is named here or has a reason not to be. */
  readonly tables?: readonly string[]
  /** What keeps an organisation from being closed, as a sentence that says what to do; null when nothing does. */
  mayClose?(app: App, tx: Tx, org: OrgId): Promise<string | null>
  /** Ends what must end, in the transaction of the closing. */
  close?(app: App, tx: Tx, org: OrgId): Promise<void>
}
