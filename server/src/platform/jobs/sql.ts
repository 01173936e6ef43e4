// All statements on the tables of jobs and schedules.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../db/tx.ts'

export type NewJob = {
  id: string
  name: string
  org: OrgId | null
  key: string | null
  payloadText: string
  dueAt: Date
  traceparent: string | null
}
export type DueJob = { id: string; name: string; org: OrgId | null; state: 'waiting' | 'running' }
export type ClaimedJob = {
  id: string
  name: string
  org: OrgId | null
  payload: unknown
  attempt: number
  fence: bigint
  traceparent: string | null
}
export type OrgQueue = { name: string; org: OrgId | null }
export type JobLease = { id: string; fence: bigint }

/** Adds the job unless one of the same kind, organisation and key is waiting. */
export async function insertJob(tx: Tx, added: NewJob): Promise<void> {
  const { id, name, org, key, payloadText, dueAt, traceparent } = added
  // No conflict target: with one, row-level security would require that the organisation can see a platform job it adds.
  await tx.rows`
    insert into jobs (id, name, org_id, key, payload, state, due_at, created_at, traceparent)
    values (${id}, ${name}, ${org}, ${key}, ${payloadText}::text::json, 'waiting', ${dueAt}, ${tx.now}, ${traceparent})
    on conflict do nothing`
}

/** Locks due jobs, oldest first: waiting jobs, and running jobs whose lease and grace period have ended. */
export function lockDue(tx: Tx, names: readonly string[], limit: number): Promise<DueJob[]> {
  return tx.rows<DueJob>`
    select id, name, org_id as org, state from jobs
    where state in ('waiting', 'running') and due_at <= ${tx.now} and name = any(${names}::text[])
    order by due_at limit ${limit} for update skip locked`
}

export function claimJobs(
  tx: Tx,
  ids: readonly string[],
  worker: string,
  dueAt: Date,
): Promise<ClaimedJob[]> {
  return tx.rows<ClaimedJob>`
    update jobs set state = 'running', attempt = attempt + 1, fence = fence + 1, worker = ${worker}, due_at = ${dueAt}
    where id = any(${ids}::text[])
    returning id, name, org_id as org, payload, attempt, fence, traceparent`
}

export async function parkJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.rows`update jobs set state = 'parked' where id = any(${ids}::text[])`
}

export async function countRunning(tx: Tx, { name, org }: OrgQueue): Promise<number> {
  const { count } = await tx.one<{ count: number }>`
    select count(*)::int as count from jobs where state = 'running' and name = ${name} and org_id = ${org}`
  return count
}

/** Returns the oldest parked jobs of an organisation queue to waiting, where the next claim finds them first. */
export function unparkOldest(tx: Tx, { name, org }: OrgQueue, limit: number): Promise<JobLease[]> {
  return tx.rows<JobLease>`
    update jobs set state = 'waiting'
    where id in (select id from jobs where state = 'parked' and name = ${name} and org_id = ${org}
                 order by due_at limit ${limit} for update skip locked)
    returning id, fence`
}

/** Returns parked jobs to waiting when no running job of their queue is left to unpark them. */
export function unparkStranded(tx: Tx, limit: number): Promise<JobLease[]> {
  return tx.rows<JobLease>`
    update jobs set state = 'waiting'
    where id in (select parked.id from jobs parked
                 where parked.state = 'parked' and not exists (
                   select from jobs r where r.state = 'running' and r.name = parked.name and r.org_id = parked.org_id)
                 order by parked.due_at limit ${limit} for update skip locked)
    returning id, fence`
}

/** Extends the leases that are still held. A locked row is being finished or taken over and needs no extension. */
export function extendLeases(tx: Tx, held: readonly JobLease[], dueAt: Date): Promise<JobLease[]> {
  return tx.rows<JobLease>`
    update jobs set due_at = ${dueAt}
    where id in (
      select j.id from jobs j
      join unnest(${held.map((each) => each.id)}::text[], ${held.map((each) => each.fence)}::bigint[]) as h (id, fence)
        on h.id = j.id and h.fence = j.fence
      where j.state = 'running' for update of j skip locked)
    returning id, fence`
}

export async function isHeld(tx: Tx, { id, fence }: JobLease): Promise<boolean> {
  const row =
    await tx.maybe`select id from jobs where id = ${id} and fence = ${fence} and state = 'running' for share`
  return row !== undefined
}

export function deleteDone(tx: Tx, { id, fence }: JobLease): Promise<OrgQueue | undefined> {
  return tx.maybe<OrgQueue>`
    delete from jobs where id = ${id} and fence = ${fence} and state = 'running' returning name, org_id as org`
}

/**
 * Returns a job to waiting. It is deleted and inserted again, so that it merges with a newer job of the same key, without a race
 * against a concurrent enqueue.
 */
export function returnToWaiting(
  tx: Tx,
  { id, fence }: JobLease,
  { dueAt, error, attempt }: { dueAt: Date; error: string | null; attempt: number },
): Promise<OrgQueue | undefined> {
  return tx.maybe<OrgQueue>`
    with old as (
      delete from jobs where id = ${id} and fence = ${fence} and state = 'running'
      returning id, name, org_id, key, payload, fence, error, created_at, traceparent),
    again as (
      insert into jobs (id, name, org_id, key, payload, state, due_at, fence, attempt, error, created_at, traceparent)
      select id, name, org_id, key, payload, 'waiting', ${dueAt}::timestamptz, fence, ${attempt}::int,
             coalesce(${error}::text, error), created_at, traceparent
      from old on conflict do nothing)
    select name, org_id as org from old`
}

export function markDead(tx: Tx, { id, fence }: JobLease, error: string): Promise<OrgQueue | undefined> {
  return tx.maybe<OrgQueue>`
    update jobs set state = 'dead', error = ${error}, ended_at = ${tx.now}
    where id = ${id} and fence = ${fence} and state = 'running' returning name, org_id as org`
}

export async function deleteDead(tx: Tx, endedBefore: Date, limit: number): Promise<void> {
  await tx.rows`
    delete from jobs where id in (
      select id from jobs where state = 'dead' and ended_at < ${endedBefore} order by ended_at limit ${limit})`
}

export function countByState(tx: Tx): Promise<{ name: string; state: string; count: number }[]> {
  return tx.rows`select name, state, count(*)::int as count from jobs group by name, state order by name, state`
}

/** Names of overdue jobs that this build does not know: a misspelt name, or a kind that was removed too early. */
export function listUnknownOverdue(
  tx: Tx,
  known: readonly string[],
  dueBefore: Date,
): Promise<{ name: string }[]> {
  return tx.rows<{ name: string }>`
    select distinct name from jobs
    where state in ('waiting', 'running') and due_at < ${dueBefore} and name <> all(${known}::text[]) order by name limit 20`
}

/** Ensures that each schedule has its row. A shorter interval applies immediately, a longer one after the next occurrence. */
export async function upsertSchedules(
  tx: Tx,
  names: readonly string[],
  nextAt: readonly Date[],
): Promise<void> {
  await tx.rows`
    insert into job_schedules as kept (name, next_at)
    select name, next_at from unnest(${names}::text[], ${nextAt.map((at) => at.toISOString())}::text[]::timestamptz[])
      as wanted (name, next_at) order by name
    on conflict (name) do update set next_at = excluded.next_at where kept.next_at > excluded.next_at`
}

export function lockDueSchedules(tx: Tx, names: readonly string[]): Promise<{ name: string }[]> {
  return tx.rows<{ name: string }>`
    select name from job_schedules where name = any(${names}::text[]) and next_at <= ${tx.now} order by name
    for update skip locked`
}

export async function updateNextOccurrence(tx: Tx, name: string, nextAt: Date): Promise<void> {
  await tx.rows`update job_schedules set next_at = ${nextAt} where name = ${name}`
}

export async function earliestSchedule(tx: Tx, names: readonly string[]): Promise<Date | null> {
  const row = await tx.one<{ at: Date | null }>`
    select min(next_at) as at from job_schedules where name = any(${names}::text[])`
  return row.at
}

/** Due jobs that no worker has taken, including those whose worker disappeared. Reads at most `limit` of them, oldest first. */
export function countDue(tx: Tx, limit: number): Promise<{ name: string; count: number; since: Date }[]> {
  return tx.rows<{ name: string; count: number; since: Date }>`
    select name, count(*)::int as count, min(due_at) as since
    from (select name, due_at from jobs where state in ('waiting', 'running') and due_at <= ${tx.now}
          order by due_at limit ${limit}) due
    group by name`
}

/** When the oldest unfinished job of a kind was enqueued, of those that are due before an instant. */
export async function oldestUnfinished(
  tx: Tx,
  name: string,
  dueBefore: Date,
  limit: number,
): Promise<Date | null> {
  const row = await tx.one<{ at: Date | null }>`
    select min(created_at) as at
    from (select name, created_at from jobs where state in ('waiting', 'running') and due_at < ${dueBefore}
          order by due_at limit ${limit}) soon
    where name = ${name}`
  return row.at
}
