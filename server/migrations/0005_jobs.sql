-- Background work: a row is added in the transaction that makes it necessary and goes when it is done.

create table jobs (
  id text primary key,
  name text not null check (length(name) between 1 and 100),
  -- Whose work it is; null for the platform's own.
  org_id text,
  -- While a job with this key waits, a second one is not added.
  key text check (length(key) between 1 and 200),
  -- Kept as written: json takes the \u0000 that jsonb refuses, and nothing is looked for inside.
  payload json not null,
  -- A parked job is due but its organisation has as many of its kind running as it may.
  state text not null check (state in ('waiting', 'parked', 'running', 'dead')),
  -- When somebody may take it: its time while it waits, the end of its lease and the grace while it runs.
  due_at timestamptz not null,
  -- Rises with each take. Whoever holds an older number can no longer change the job.
  fence bigint not null default 0,
  attempt integer not null default 0,
  worker text,
  error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'dead') = (ended_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
        autovacuum_analyze_scale_factor = 0.05);

-- The only index an idle worker reads, and the order in which jobs are taken.
create index jobs_due on jobs (due_at) where state in ('waiting', 'running');
create unique index jobs_one_waiting on jobs (name, org_id, key) nulls not distinct
  where key is not null and state in ('waiting', 'parked');
-- How many run for an organisation, and who is next when one ends.
create index jobs_lane on jobs (name, org_id, state, due_at) where state in ('running', 'parked');
-- Kinds and organisations go together. Without this the planner takes a long lane for a short one and sorts all of it.
create statistics jobs_lane_sizes (mcv) on name, org_id, state from jobs;
create index jobs_dead on jobs (ended_at) where state = 'dead';

-- An organisation's transaction adds jobs of its own and of the platform, and sees only its own.
alter table jobs enable row level security;
alter table jobs force row level security;
create policy by_org on jobs
  using ((select current_reach()) = 'platform' or org_id = (select current_reach()))
  with check ((select current_reach()) = 'platform' or org_id = (select current_reach())
              or (org_id is null and (select current_reach()) is not null));

-- When each recurring job is due next. What it does and how often is said by the code.
create table job_schedules (
  name text primary key,
  next_at timestamptz not null
);
