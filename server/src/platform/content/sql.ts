// Every statement about where content is that is part of somebody's transaction.
import type { OrgId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../db/tx.ts'
import type { Isolation } from './content.ts'

type TargetIsolation = Exclude<Isolation, 'shared'>
export type PlacementRow = { place: Isolation; movingTo: TargetIsolation | null; leftIn: Isolation | null }

export function readPlacement(db: Sql, org: OrgId) {
  return db.maybe<PlacementRow>`
    select place, moving_to as "movingTo", left_in as "leftIn" from content_places where org_id = ${org}`
}

/** The same, and nobody else decides about it until the transaction ends. */
export function lockPlacement(tx: Tx, org: OrgId) {
  return tx.maybe<PlacementRow>`
    select place, moving_to as "movingTo", left_in as "leftIn" from content_places where org_id = ${org} for update`
}

/** Says whether the organisation shared until now and nobody had decided anything. */
export async function startMoveFromShared(tx: Tx, org: OrgId, to: TargetIsolation): Promise<boolean> {
  const left = await tx.rows`
    insert into content_places (org_id, place, moving_to, noting, begun_at)
    values (${org}, 'shared', ${to}, false, ${tx.now})
    on conflict (org_id) do nothing returning org_id`
  return left.length > 0
}

export async function startMoveFromSchema(tx: Tx, org: OrgId, to: TargetIsolation): Promise<void> {
  await tx.rows`
    update content_places set moving_to = ${to}, noting = false, begun_at = ${tx.now}, tried_at = null, settled_at = null
    where org_id = ${org}`
}

/** What there is of the copy is left where it is. One that is still to be cleared elsewhere had not let the copy begin. */
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
