// The content placement of an organisation: in the shared tables, in a separate schema, or in a dedicated database. Readers and
// writers use `tx.content` and do not depend on it. This module moves and deletes content.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../db/tx.ts'

export type Isolation = 'shared' | 'schema' | 'dedicated'

export type Placement = {
  /** Of the current placement, or of the target during a move. */
  readonly isolation: Isolation
  readonly status: 'settled' | 'moving'
}

export type Content = {
  /** Prepares a schema with its role and tables, or a dedicated database. Fails with `isolation_unavailable`. */
  prepare(org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<void>
  /**
   * Starts a move to a prepared target. Naming the current placement cancels an unfinished move. Returns whether this changes
   * anything. Fails with `isolation_one_way` for a weaker isolation.
   */
  startMove(tx: Tx, org: OrgId, to: Isolation): Promise<boolean>
  /**
   * Resumes a move until it is done or the deadline has passed, and returns whether it is done. If another process is moving this
   * content, waits for it or returns, depending on `others`.
   */
  resumeMove(org: OrgId, deadline: Date, others?: 'wait' | 'skip'): Promise<boolean>
  placementOf(tx: Tx, org: OrgId): Promise<Placement>
  /** Contains only organisations that are not in the shared tables. */
  isolationsOf(tx: Tx, orgs: readonly OrgId[]): Promise<Map<OrgId, Isolation>>
  /** Organisations with an unfinished move, those with the oldest attempt first. */
  unfinishedMoves(limit: number): Promise<OrgId[]>
  /** Deletes all content of an organisation in every placement. Idempotent. */
  deleteContent(org: OrgId): Promise<void>
  close(): Promise<void>
}
