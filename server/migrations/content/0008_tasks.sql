-- Tasks: conversations about a workspace. Kept until they are deleted, or a year after their last turn.
create table tasks (
  id text primary key,
  org_id text not null,
  user_id text not null,
  title text not null check (length(title) between 1 and 200),
  workspace_kind text not null check (workspace_kind in ('files', 'repository', 'client')),
  -- For a repository: installation, name, ref and the commit of the base. For a client: its name.
  workspace json not null,
  -- As the caller named it; null: chosen for each turn.
  model text,
  instructions text,
  -- Null: no budget beside those of the turns.
  budget_minor bigint check (budget_minor >= 0),
  -- As charged, to show; the ledger is the truth.
  spent_minor bigint not null default 0 check (spent_minor >= 0 and (budget_minor is null or spent_minor <= budget_minor)),
  -- Makes the marks around foreign text and secrets those of this task.
  nonce text not null,
  -- The turn under way. A task has at most one.
  open_turn_id text,
  turns integer not null default 0 check (turns >= 0),
  -- The number of the last change of a file.
  changes integer not null default 0 check (changes >= 0),
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index tasks_by_org on tasks (org_id, updated_at desc, id desc);
create index tasks_by_age on tasks (updated_at);
call public.keep_content('tasks');

-- Turns: a prompt and what was done about it.
create table task_turns (
  id text primary key,
  task_id text not null references tasks on delete cascade,
  -- 1, 2, 3… within the task.
  ordinal integer not null check (ordinal > 0),
  org_id text not null,
  user_id text not null,
  key_id text,
  -- A lane or a model of the catalogue, fixed at the start.
  model text not null,
  prompt text not null,
  -- With their contents, which can be large. Only a worker that performs a turn reads them.
  attachments json not null,
  attachment_names text[] not null,
  attachment_bytes integer not null check (attachment_bytes >= 0),
  allow_secrets boolean not null,
  verify_command text,
  -- The most that the turn may cost, as the caller was told.
  max_minor bigint not null check (max_minor >= 0),
  spent_minor bigint not null default 0 check (spent_minor between 0 and max_minor),
  -- The usage before rounding, so that all calls together are rounded once.
  used_micro_kobo bigint not null default 0 check (used_micro_kobo >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and spent_minor),
  -- `waiting`: for results of the caller's tools, or for an approval.
  status text not null check (status in ('queued', 'running', 'waiting', 'finished')),
  stop_requested boolean not null default false,
  -- Why it ended.
  stop_reason text,
  error_code text,
  -- The change number of the task when it began and when it ended.
  first_change integer not null check (first_change >= 0),
  last_change integer check (last_change >= first_change),
  summary text,
  verification json,
  withheld json not null default '[]',
  -- How often a step has failed through our fault since one succeeded.
  failures integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is not null) = (status = 'finished')),
  check ((finished_at is not null) = (stop_reason is not null))
);
-- Unique, because the task is locked while its turns are counted.
create index task_turns_by_task on task_turns (task_id, ordinal);
create index task_turns_unfinished on task_turns (org_id, created_at) where finished_at is null;
call public.keep_content('task_turns');

-- Steps of turns, each done once: model calls, and the tool calls that they ask for. A step is stored before it is acted on.
create table task_steps (
  turn_id text not null references task_turns on delete cascade,
  n integer not null check (n > 0),
  org_id text not null,
  kind text not null check (kind in ('model', 'compact', 'tool', 'verify')),
  -- How often a model was asked. A dispatch whose process died is never charged.
  dispatches integer not null default 0 check (dispatches >= 0),
  -- For a tool: its call. `json`, because a model may write the \u0000 that jsonb refuses.
  input json,
  -- For a model: its answer. For a tool: its short result.
  outcome json,
  -- The whole result of a tool, where it is longer than the short one.
  full_output text,
  -- For a caller's tool, or for an approval: what it waits for.
  call_id text,
  awaits text check (awaits in ('result', 'approval')),
  cost_minor bigint not null default 0 check (cost_minor >= 0),
  began_at timestamptz not null,
  done_at timestamptz,
  primary key (turn_id, n)
);
create index task_steps_by_call on task_steps (call_id, org_id) where call_id is not null;
call public.keep_content('task_steps');

-- The original files of a task: all files that were sent, or those of a repository that the task changed.
create table task_base_files (
  task_id text not null references tasks on delete cascade,
  path text not null,
  org_id text not null,
  -- Null: there was no such file.
  content bytea,
  primary key (task_id, path)
);
call public.keep_content('task_base_files');

-- Changes of files, in order. The current content of a file is its last change, or its base.
create table task_changes (
  task_id text not null references tasks on delete cascade,
  n integer not null check (n > 0),
  org_id text not null,
  turn_id text,
  path text not null,
  -- Null: deleted, unless the file returned to its original.
  content text,
  is_original boolean not null default false,
  -- After a revert: the number of the change with the same content, which is stored once.
  same_as integer check (same_as is null or (same_as < n and content is null)),
  -- For a client workspace: the difference as the client reports it, because its files stay there.
  patch text,
  at timestamptz not null,
  primary key (task_id, n)
);
create index task_changes_by_path on task_changes (task_id, path, n desc);
call public.keep_content('task_changes');

-- The pull request of a task. It is updated by later turns.
create table task_pull_requests (
  task_id text primary key references tasks on delete cascade,
  org_id text not null,
  repository_id bigint not null,
  number integer not null check (number > 0),
  url text not null,
  branch text not null,
  -- The last commit that we pushed. A branch with another head was moved by somebody else.
  head_sha text not null,
  -- The change number that the head contains.
  last_change integer not null check (last_change >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index task_pull_requests_by_number on task_pull_requests (org_id, repository_id, number);
call public.keep_content('task_pull_requests');
