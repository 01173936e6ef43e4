-- The content of one organisation that has a place of its own, as it stands in `public` for all the others. Every file of this
-- folder is applied to each place: no schema is named, and nothing outside content is referred to.

-- Coding runs: what was asked, what came of it and what it cost. Kept ninety days.
create table agent_runs (
  id text primary key,
  org_id text not null,
  user_id text not null,
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
call public.keep_content('agent_runs');

-- Conversations of one person in one organisation.
create table chat_threads (
  id text primary key,
  org_id text not null,
  user_id text not null,
  title text not null default '',
  -- Whether a person has given the title; ours never overwrites theirs.
  is_titled boolean not null default false,
  mode text not null check (mode in ('general', 'code')),
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chat_threads_by_user on chat_threads (org_id, user_id, updated_at desc, id desc);
call public.keep_content('chat_threads');

create table chat_messages (
  id text primary key,
  org_id text not null,
  thread_id text not null references chat_threads on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  -- `running` while an answer is being written; what is shown is one of the others.
  status text not null check (status in ('running', 'complete', 'stopped', 'failed')),
  lane text check (lane in ('open', 'frontier')),
  model text,
  cost_minor bigint not null default 0 check (cost_minor >= 0),
  error_code text,
  -- The intent it was asked under, so that a retry finds it.
  intent_id text,
  -- A person has asked for the end of it.
  stop_asked_at timestamptz,
  created_at timestamptz not null,
  beat_at timestamptz not null
);
create index chat_messages_by_thread on chat_messages (thread_id, created_at, id);
-- One answer at a time: the next question needs the last answer.
create unique index chat_messages_running on chat_messages (thread_id) where status = 'running';
create index chat_messages_stale on chat_messages (beat_at) where status = 'running';
create index chat_messages_by_org on chat_messages (org_id, created_at, id);
call public.keep_content('chat_messages');

-- Event logs that any replica can replay and follow. Their owners delete them.

create table streams (
  id text primary key check (length(id) between 1 and 100),
  org_id text not null,
  -- Also the lock that appenders queue for: numbers come without gaps and in the order of commits.
  last_seq bigint not null default 0,
  opened_at timestamptz not null,
  closed_at timestamptz
) with (fillfactor = 70);
create index streams_of_org on streams (org_id);
call public.keep_content('streams');

create table stream_events (
  stream_id text not null references streams (id) on delete cascade,
  seq bigint not null check (seq > 0),
  org_id text not null,
  at timestamptz not null,
  size_bytes integer not null,
  -- Kept as written: a model may produce the \u0000 that jsonb refuses.
  event json not null,
  primary key (stream_id, seq)
);
create index stream_events_by_org on stream_events (org_id);
call public.keep_content('stream_events');
