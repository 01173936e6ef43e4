// Statements on placements that run in the transaction of a caller.
import type { OrgId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../db/tx.ts'
import type { Isolation } from './content.ts'

type TargetIsolation = Exclude<Isolation, 'shared'>
export type PlacementRow = { place: Isolation; movingTo: TargetIsolation | null; leftIn: Isolation | null }

export function readPlacement(db: Sql, org: OrgId) {
  return db.maybe<PlacementRow>`
    select place, moving_to as "movingTo", left_in as "leftIn" from content_places where org_id = ${org}`
}

/** The same, with a row lock: no other transaction can start or cancel a move until this one ends. */
export function lockPlacement(tx: Tx, org: OrgId) {
  return tx.maybe<PlacementRow>`
    select place, moving_to as "movingTo", left_in as "leftIn" from content_places where org_id = ${org} for update`
}

/** Starts a move out of the shared tables. False when the organisation already has a placement record. */
export async function startMoveFromShared(tx: Tx, org: OrgId, to: TargetIsolation): Promise<boolean> {
  const inserted = await tx.rows`
    insert into content_places (org_id, place, moving_to, noting, begun_at)
    values (${org}, 'shared', ${to}, false, ${tx.now})
    on conflict (org_id) do nothing returning org_id`
  return inserted.length > 0
}

export async function startMoveFromSchema(tx: Tx, org: OrgId, to: TargetIsolation): Promise<void> {
  await tx.rows`
    update content_places set moving_to = ${to}, noting = false, begun_at = ${tx.now}, tried_at = null, settled_at = null
    where org_id = ${org}`
}

/** Leaves the incomplete copy to be cleared. While an older copy was still to be cleared, the new copy had not started. */
export async function cancelMove(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update content_places set moving_to = null, left_in = coalesce(left_in, moving_to), tried_at = null where org_id = ${org}`
}

export async function listUnfinishedMoves(db: Sql, limit: number): Promise<OrgId[]> {
  const rows = await db.rows<{ org: OrgId }>`
    select org_id as org from content_places where moving_to is not null or left_in is not null
    order by tried_at nulls first, begun_at, org_id limit ${limit}`
  return rows.map(({ org }) => org)
}

export function readPlacements(tx: Tx, orgs: readonly OrgId[]) {
  return tx.rows<{ org: OrgId; place: Isolation; movingTo: Isolation | null }>`
    select org_id as org, place, moving_to as "movingTo" from content_places where org_id = any (${orgs}::text[])`
}
