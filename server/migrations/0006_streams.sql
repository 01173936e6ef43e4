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
call wall_by_org('streams');

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
call wall_by_org('stream_events');
