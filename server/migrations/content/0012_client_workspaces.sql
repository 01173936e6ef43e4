-- What a client workspace brings beside its files: tools that its caller runs, and the conventions of the files. Each change makes a
-- new version, because a turn under way uses that of its start.
create table task_clients (
  task_id text not null references tasks on delete cascade,
  version integer not null check (version > 0),
  org_id text not null,
  tools json not null,
  -- `{path, text}`; null without any.
  conventions json,
  -- Of both as the model reads them, for quotes.
  bytes integer not null check (bytes >= 0),
  created_at timestamptz not null,
  primary key (task_id, version)
);
call public.keep_content('task_clients');

-- 0: nothing was sent.
alter table tasks add column client_version integer not null default 0 check (client_version >= 0);

alter table task_turns
  add column client_version integer not null default 0 check (client_version >= 0),
  -- `plan`: the turn reads and changes nothing.
  add column mode text not null default 'work' check (mode in ('work', 'plan')),
  -- A summary replaces the conversation before the turn.
  add column compact boolean not null default false;
