-- What operators watch: the results of the ledger checks, the reports of backups, and the trace of the request that enqueued a job.

-- The newest result of each check of the ledger.
create table ledger_checks (
  name text primary key check (length(name) between 1 and 100),
  violations bigint not null check (violations >= 0),
  -- When the check last finished. A check that was aborted changes nothing.
  checked_at timestamptz not null,
  -- Where a check of many pages continues; null for the start.
  position text check (length(position) <= 500)
);

-- Written by the scripts of the operator (deploy/BACKUP.md), read by the service.
create table backup_reports (
  kind text primary key check (kind in ('base_backup', 'restore_drill')),
  succeeded_at timestamptz not null
);

-- The W3C trace context of the request or job that enqueued the job.
alter table jobs add column traceparent text;
