// Points where a run stalls inside a transaction, so that its process can be killed exactly there. They are triggers
// in the test database; the service does not know them.
import { openPool } from '@cowrie/server/src/platform/db/pool.ts'
import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'

/**
 * `dispatch plan`: earlier steps are stored, and nothing of this step. `finish plan`: the step is written but not committed.
 * `read 3`: the third source is about to be stored. `end`: the end of the run is about to be stored.
 */
export const STALLS: readonly string[] = [
  'create table stalls (run_id text primary key, lock integer generated always as identity, point text not null)',
  // The test holds the lock exclusively. Others wait for a shared lock until the test releases it.
  `create function stall_at(run text, reached text) returns void language plpgsql security definer as $$
     declare found integer;
     begin
       select s.lock into found from public.stalls s where s.run_id = run and s.point = reached;
       if found is not null then perform pg_advisory_xact_lock_shared(7, found); end if;
     end $$`,
  `create function stall_step() returns trigger language plpgsql as $$
     begin
       perform public.stall_at(new.run_id, case when new.done_at is null then 'dispatch ' else 'finish ' end || new.step);
       return new;
     end $$`,
  'create trigger stall before insert or update on research_steps for each row execute function stall_step()',
  `create function stall_source() returns trigger language plpgsql as $$
     begin perform public.stall_at(new.run_id, 'read ' || new.n); return new; end $$`,
  `create trigger stall before update on research_sources for each row
     when (old.status = 'queued' and new.status = 'read') execute function stall_source()`,
  `create function stall_end() returns trigger language plpgsql as $$
     begin perform public.stall_at(new.id, 'end'); return new; end $$`,
  `create trigger stall before update on research_runs for each row
     when (old.finished_at is null and new.finished_at is not null) execute function stall_end()`,
]

export type Stalls = {
  set(run: ResearchRunId, point: string): Promise<void>
  /** The runs that are at their stall point now. */
  reached(): Promise<Set<ResearchRunId>>
  /** Lets the runs continue, if their process is alive. */
  clear(...runs: ResearchRunId[]): Promise<void>
  /** Terminates stalled sessions, because the database notices a dead process much later. */
  terminate(): Promise<void>
  close(): Promise<void>
}

/** The locks belong to the session, so the test has its own. */
export function openStalls(url: string): Stalls {
  // The session must never be closed for being idle, because its locks would be lost.
  const sql = openPool(url, { idleMs: 86_400_000 })
  return {
    async set(run, point) {
      const [stall] = await sql.rows<{ lock: number }>`
        insert into stalls (run_id, point) values (${run}, '') on conflict (run_id) do update set point = '' returning lock`
      await sql.rows`select pg_advisory_lock(7, ${stall?.lock ?? 0})`
      await sql.rows`update stalls set point = ${point} where run_id = ${run}`
    },
    async reached() {
      const rows = await sql.rows<{ run: ResearchRunId }>`
        select s.run_id as run from stalls s join pg_locks l on l.objid = s.lock
        where l.locktype = 'advisory' and l.classid = 7 and not l.granted
          and l.database = (select oid from pg_database where datname = current_database())`
      return new Set(rows.map(({ run }) => run))
    },
    async clear(...runs) {
      const removed = await sql.rows<{ lock: number }>`
        delete from stalls where run_id = any(${runs}::text[]) returning lock`
      for (const { lock } of removed) await sql.rows`select pg_advisory_unlock(7, ${lock})`
    },
    async terminate() {
      await sql.rows`
        select pg_terminate_backend(l.pid, 5000) from pg_locks l
        where l.locktype = 'advisory' and l.classid = 7 and not l.granted
          and l.database = (select oid from pg_database where datname = current_database())`
    },
    close: () => sql.end(),
  }
}
