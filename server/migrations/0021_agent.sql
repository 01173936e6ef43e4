-- Coding runs: what was asked, what came of it and what it cost. Kept ninety days.
create table agent_runs (
  id text primary key,
  org_id text not null references orgs,
  user_id text not null references users,
  kind text not null check (kind in ('run', 'loop')),
  -- The intent it was started under: whoever retries that finds this run and never starts a second one.
  intent_id text unique,
  status text not null check (status in ('running', 'completed', 'cancelled', 'failed')),
  -- Why a loop ended, in one word; null while it runs.
  stop_reason text,
  error_code text,
  prompt text not null,
  lane text not null check (lane in ('open', 'frontier')),
  model text not null,
  sandbox text not null check (sandbox in ('none', 'local', 'docker')),
  test_command text,
  max_iterations integer not null check (max_iterations between 1 and 8),
  -- Those that were dispatched and charged, written in the transaction of their settlement.
  iterations integer not null default 0 check (iterations between 0 and max_iterations),
  verified boolean not null default false,
  -- As charged, to show; the ledger is the truth.
  cost_minor bigint not null default 0 check (cost_minor >= 0),
  plan text not null default '',
  summary text not null default '',
  edits json not null default '[]',
  -- Path and action of each edit, for those who list runs: contents can be large.
  files json not null default '[]',
  review json,
  -- Further facts of the outcome that a client may show: warnings, context, tests.
  details json not null default '{}',
  created_at timestamptz not null,
  -- The process that works on it says here that it is alive.
  beat_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'running') = (finished_at is null))
);
create index agent_runs_by_org on agent_runs (org_id, created_at desc, id desc);
create index agent_runs_running on agent_runs (beat_at) where status = 'running';
create index agent_runs_finished on agent_runs (finished_at);
call wall_by_org('agent_runs');
