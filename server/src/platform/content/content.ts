// Where the content of organisations is: together in the shared tables, in a schema of its own, or in a database of its own.
// Who reads and writes it says `tx.content` and does not know. Here it is moved, and removed.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../db/tx.ts'

export type Isolation = 'shared' | 'schema' | 'dedicated'

export type Placement = {
  /** Where the content is, or is on its way to. */
  readonly isolation: Isolation
  readonly status: 'settled' | 'moving'
}

export type Content = {
  /** Makes a place ready: a schema with its role and tables, or a database. Refuses with `isolation_unavailable`. */
  prepare(org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<void>
  /**
   * Decides that the content moves to a place that is ready. As long as it has not arrived, to decide for where it is takes the
   * move back. Says whether that is news; refuses `isolation_one_way`.
   */
  startMove(tx: Tx, org: OrgId, to: Isolation): Promise<boolean>
  /**
   * Goes on with a move, whoever began it, until it is done or the deadline has come. Says whether it is done. Where another does
   * so, that one is waited for, or left alone.
   */
  resumeMove(org: OrgId, deadline: Date, others?: 'wait' | 'skip'): Promise<boolean>
  placementOf(tx: Tx, org: OrgId): Promise<Placement>
  /** Only the organisations that do not share their tables. */
  isolationsOf(tx: Tx, orgs: readonly OrgId[]): Promise<Map<OrgId, Isolation>>
  /** Organisations whose move somebody has to go on with, those that were tried longest ago first. */
  unfinishedMoves(limit: number): Promise<OrgId[]>
  /** Deletes all content of an organisation, wherever it is. Deleting it again changes nothing. */
  deleteContent(org: OrgId): Promise<void>
  close(): Promise<void>
}
