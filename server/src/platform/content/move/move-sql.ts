// What keeps a move in order: one mover at a time, a name that the late ones no longer have, and locks that wait for everybody.
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool, Statements as Tx } from '../../db/pool.ts'
import { quoteIdentifier } from '../../db/pool.ts'
import type { Semaphore } from '../../db/semaphore.ts'
import type { Isolation } from '../content.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'

export type MoveState = {
  readonly place: Isolation
  readonly movingTo: Exclude<Isolation, 'shared'> | null
  readonly leftIn: Isolation | null
  readonly isCapturing: boolean
}

/** Connections that are held for as long as somebody moves, each by who has a slot. */
export type MoverLocks = { readonly sql: Pool; readonly slots: Semaphore }

/** It is time to stop, and somebody goes on later. */
export class MoveStopped extends Error {}

/** Somebody else has taken over. */
export class FenceLost extends Error {}

/**
 * Runs while no other process does the same for this organisation; null when one does, or when this process does so for as many
 * others as it can. The lock is that of an open transaction, so that it is given back by whatever ends the connection.
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

/** From here on nobody else may write. Waits for the transaction that one of them may still have open. */
export async function acquireFence(sql: Pool, { org, mover }: MoverFence): Promise<void> {
  await sql.rows`
    insert into public.content_movers (place, mover) values (${org}, ${mover})
    on conflict (place) do update set mover = excluded.mover`
}

/** A transaction of the mover's on rows of one organisation. One whose fence is over is refused, and none begins while it lasts. */
export async function runFenced<T>(
  { sql, withDeadline = (work) => work }: Pick<TableLocation, 'sql' | 'withDeadline'>,
  { org, mover }: MoverFence,
  work: (tx: Tx) => Promise<T>,
  mode: '' | 'isolation level repeatable read' = '',
): Promise<T> {
  const begun = async (tx: Tx) => {
    await tx.rows`select set_config('cowrie.reach', ${org}, true)`
    const [row] = await tx.rows<{
      mover: string
    }>`select mover from public.content_movers where place = ${org} for share`
    if (row?.mover !== mover) throw new FenceLost(`another mover has taken over ${org}`)
    return work(tx)
  }
  return bound(sql.begin(begun, { mode }))
}

/**
 * Waits until no transaction is inside the content of an organisation, and keeps all out until the end of this one. Those that
 * come wait behind us, so we do not wait for long: past `waitMs` it fails with 55P03, and no statement may take longer than
 * `holdMs` from then on.
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

/** Says that somebody tries: who was tried longest ago is tried next. */
export async function recordAttempt(sql: Pool, org: OrgId, at: Date): Promise<void> {
  await sql.rows`update public.content_places set tried_at = ${at} where org_id = ${org}`
}

/** Whether more changes are noted than are worth following. */
export async function hasMoreChanges(tx: Tx, org: OrgId, limit: number): Promise<boolean> {
  const [row] =
    await tx.rows`select seq from public.content_changes where org_id = ${org} offset ${limit} limit 1`
  return row !== undefined
}

/** While changes are not noted, what there is of a copy is worth nothing: it is made anew. */
export async function setCapturing(tx: Tx, org: OrgId, isCapturing: boolean): Promise<void> {
  await tx.rows`update public.content_places set noting = ${isCapturing} where org_id = ${org} and moving_to is not null`
}

/** Says how many it forgot. */
export async function deleteOldestChanges(tx: Tx, org: OrgId, limit: number): Promise<number> {
  const gone = await tx.rows`
    delete from public.content_changes
    where seq in (select seq from public.content_changes where org_id = ${org} order by seq limit ${limit})
    returning seq`
  return gone.length
}

/** Content is read and written where it was on its way to; the copy where it was is left. Who was called back does not arrive. */
export async function switchPlacement(
  tx: Tx,
  org: OrgId,
  to: Isolation,
  roleName: string | null,
): Promise<void> {
  const [moved] = await tx.rows`
    update public.content_places set place = moving_to, left_in = place, moving_to = null, role_name = ${roleName}
    where org_id = ${org} and moving_to = ${to} and noting and left_in is null returning org_id`
  if (!moved) throw new MoveStopped('the move was taken back')
}

/** Nothing is left elsewhere. Who shares needs no row for that, unless he is about to leave again. */
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

/** Nothing of an organisation's place is remembered any more: it shares, and has nothing. */
export async function deletePlacement(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from public.content_changes where org_id = ${org}`
  await tx.rows`delete from public.content_places where org_id = ${org}`
  await tx.rows`delete from public.content_movers where place = ${org}`
}

/** Says the role that alone may look into the schema; null where there is none. */
export async function createSchema(sql: Pool, lock: number, org: OrgId): Promise<string | null> {
  return sql.begin(async (tx) => {
    await tx.rows`select pg_advisory_xact_lock(${lock})`
    const [row] = await tx.rows<{ role: string | null }>`select public.content_schema(${org}) as role`
    return row?.role ?? null
  })
}

export async function dropSchema(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`call public.drop_content_schema(${org})`
}

/** The tables of content and the memory of their files, where the database itself may not be dropped. */
export async function dropTables(sql: Pool, tables: readonly string[]): Promise<void> {
  await sql.begin(async (tx) => {
    for (const table of tables) await tx.unsafe(`drop table public.${quoteIdentifier(table)} cascade`)
    await tx.rows`delete from public.content_migrations where place = 'public'`
  })
}
