-- Conversations of one person in one organisation.
create table chat_threads (
  id text primary key,
  org_id text not null references orgs,
  user_id text not null references users,
  title text not null default '',
  -- Whether a person has given the title; ours never overwrites theirs.
  is_titled boolean not null default false,
  mode text not null check (mode in ('general', 'code')),
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chat_threads_by_user on chat_threads (org_id, user_id, updated_at desc, id desc);
call wall_by_org('chat_threads');

create table chat_messages (
  id text primary key,
  org_id text not null references orgs,
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
call wall_by_org('chat_messages');
