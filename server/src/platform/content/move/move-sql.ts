// Coordination of moves: one mover at a time, a fence against movers that were replaced, and the lock on content.
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { underMigrationLock } from '../../db/migrations/migration-lock.ts'
import { type Pool, quoteIdentifier, type Statements as Tx } from '../../db/pool.ts'
import type { Semaphore } from '../../db/semaphore.ts'
import type { Isolation } from '../content.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'

export type MoveState = {
  readonly place: Isolation
  readonly movingTo: Exclude<Isolation, 'shared'> | null
  readonly leftIn: Isolation | null
  readonly isCapturing: boolean
}

/** Connections for mover locks. Each is held for the duration of a move, under a slot of the semaphore. */
export type MoverLocks = { readonly sql: Pool; readonly slots: Semaphore }

/** The mover stopped at a step. A later mover resumes there. */
export class MoveStopped extends Error {}

/** Another mover has taken over. */
export class FenceLost extends Error {}

/**
 * Runs `work` under the mover lock of the organisation. Null when another process holds it, or when this process already runs the
 * maximum number of moves. The lock belongs to an open transaction, so it is released when the connection ends for any reason.
 */
export async function withMoverLock<T>(
  { sql, slots }: MoverLocks,
  org: OrgId,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    await slots.acquire()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return null
  }
  try {
    return await sql.begin(async (tx) => {
      const [row] = await tx.rows<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('content mover ' || ${org}, 0)) as "isOurs"`
      return row?.isOurs ? await work() : null
    })
  } finally {
    slots.release()
  }
}

/** Makes this mover the only one that may write. Waits for an open transaction of its predecessor. */
export async function acquireFence(sql: Pool, { org, mover }: MoverFence): Promise<void> {
  await sql.rows`
    insert into public.content_movers (place, mover) values (${org}, ${mover})
    on conflict (place) do update set mover = excluded.mover`
}

/** Runs a transaction of the mover on rows of one organisation. Fails if another mover has taken over; none can during it. */
export async function runFenced<T>(
  { sql, withDeadline = (work) => work }: Pick<TableLocation, 'sql' | 'withDeadline'>,
  { org, mover }: MoverFence,
  work: (tx: Tx) => Promise<T>,
  mode: '' | 'isolation level repeatable read' = '',
): Promise<T> {
  const checked = async (tx: Tx) => {
    await tx.rows`select set_config('cowrie.reach', ${org}, true)`
    const [row] = await tx.rows<{
      mover: string
    }>`select mover from public.content_movers where place = ${org} for share`
    if (row?.mover !== mover) throw new FenceLost(`Another mover has taken over the content of ${org}.`)
    return work(tx)
  }
  return withDeadline(sql.begin(checked, { mode }))
}

/**
 * Waits for all transactions on the content of an organisation and locks others out until this one ends. New transactions queue
 * behind it, so the wait is short: after `waitMs` it fails with 55P03. Later statements may take at most `holdMs`.
 */
export async function lockContent(
  tx: Tx,
  { org, platform, waitMs, holdMs }: { org: OrgId; platform: boolean; waitMs: number; holdMs: number },
): Promise<void> {
  await tx.rows`
    select set_config('lock_timeout', ${`${waitMs}ms`}, true), set_config('statement_timeout', ${`${holdMs}ms`}, true)`
  await tx.rows`select pg_advisory_xact_lock(hashtextextended('content ' || ${org}, 0))`
  if (platform) await tx.rows`select pg_advisory_xact_lock(hashtextextended('content platform', 0))`
}

export async function readMoveState(sql: Tx, org: OrgId): Promise<MoveState | undefined> {
  const [row] = await sql.rows<MoveState>`
    select place, moving_to as "movingTo", left_in as "leftIn", noting as "isCapturing" from public.content_places where org_id = ${org}`
  return row
}

/** Records an attempt. The organisation with the oldest attempt is next. */
export async function recordAttempt(sql: Pool, org: OrgId, at: Date): Promise<void> {
  await sql.rows`update public.content_places set tried_at = ${at} where org_id = ${org}`
}

/** Whether more than `limit` changes are recorded. */
export async function hasMoreChanges(tx: Tx, org: OrgId, limit: number): Promise<boolean> {
  const [row] =
    await tx.rows`select seq from public.content_changes where org_id = ${org} offset ${limit} limit 1`
  return row !== undefined
}

/** Without capture the copy becomes invalid and is made again. */
export async function setCapturing(tx: Tx, org: OrgId, isCapturing: boolean): Promise<void> {
  await tx.rows`update public.content_places set noting = ${isCapturing} where org_id = ${org} and moving_to is not null`
}

/** Returns the number of deleted changes. */
export async function deleteOldestChanges(tx: Tx, org: OrgId, limit: number): Promise<number> {
  const deleted = await tx.rows`
    delete from public.content_changes
    where seq in (select seq from public.content_changes where org_id = ${org} order by seq limit ${limit})
    returning seq`
  return deleted.length
}

/** Makes the target the placement of the organisation. The old copy is cleared later. Fails if the move was cancelled. */
export async function switchPlacement(
  tx: Tx,
  org: OrgId,
  to: Isolation,
  roleName: string | null,
): Promise<void> {
  const [moved] = await tx.rows`
    update public.content_places set place = moving_to, left_in = place, moving_to = null, role_name = ${roleName}
    where org_id = ${org} and moving_to = ${to} and noting and left_in is null returning org_id`
  if (!moved) throw new MoveStopped('The move was cancelled.')
}

/** Records that the old copy is cleared. An organisation in the shared tables needs no row, unless another move has started. */
export async function finishMove(tx: Tx, org: OrgId, at: Date): Promise<void> {
  await tx.rows`
    delete from public.content_changes n using public.content_places p
    where n.org_id = ${org} and p.org_id = ${org} and p.moving_to is null`
  await tx.rows`
    delete from public.content_places where org_id = ${org} and place = 'shared' and moving_to is null`
  await tx.rows`
    update public.content_places set left_in = null, settled_at = ${at} where org_id = ${org} and moving_to is null`
  await tx.rows`update public.content_places set left_in = null where org_id = ${org} and moving_to is not null`
}

/** Deletes all placement records of an organisation. Without them it counts as shared. */
export async function deletePlacement(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from public.content_changes where org_id = ${org}`
  await tx.rows`delete from public.content_places where org_id = ${org}`
  await tx.rows`delete from public.content_movers where place = ${org}`
}

/** Returns the only role with access to the schema; null when roles cannot be created. */
export async function createSchema(sql: Pool, lock: number, org: OrgId): Promise<string | null> {
  return underMigrationLock(sql, lock, async (tx) => {
    const [row] = await tx.rows<{ role: string | null }>`select public.content_schema(${org}) as role`
    return row?.role ?? null
  })
}

export async function dropSchema(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`call public.drop_content_schema(${org})`
}

/** Drops the content tables and their migration records, for a database that may not be dropped itself. */
export async function dropTables(sql: Pool, tables: readonly string[]): Promise<void> {
  await sql.begin(async (tx) => {
    for (const table of tables) await tx.unsafe(`drop table public.${quoteIdentifier(table)} cascade`)
    await tx.rows`delete from public.content_migrations where place = 'public'`
  })
}
